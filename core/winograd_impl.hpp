// 3×3 convolutions by Winograd's minimal filtering, and matrix products. This file is compiled once per instruction
// set, each time into a separate namespace; winograd.cpp chooses among them.
//
// Activations are cell-major with a multiple of eight channels. Eight channels form one vector, or sixteen if the file
// that includes this one defines TAIJI_LANES so; the compiler splits a vector if the registers are narrower.

#undef TAIJI_KEEP
#if defined(__x86_64__) && defined(TAIJI_AVX2)
// Keeps a vector in a register ("v": any of 32 with AVX-512); otherwise the compiler reloads it for every product.
#define TAIJI_KEEP(v) asm("" : "+v"(v))
#else
#define TAIJI_KEEP(v)
#endif

#if !defined(TAIJI_LANES)
#define TAIJI_LANES 8
#endif

// Vectors of N lanes.
template <int N> struct Lanes;

typedef float V8 __attribute__((vector_size(32), may_alias));
template <> struct Lanes<8> {
    static V8 broadcast(float x) { return V8{x, x, x, x, x, x, x, x}; }
    static V8 load(const float *p) { return *reinterpret_cast<const V8 *>(p); }
};
inline V8 relu(V8 v) { return v > 0 ? v : V8{}; }
inline void store(float *p, V8 v) { *reinterpret_cast<V8 *>(p) = v; }

#if TAIJI_LANES == 16
typedef float V16 __attribute__((vector_size(64), may_alias));
// Rows have a multiple of eight floats, so sixteen may start in the middle of a cache line.
typedef float V16InRow __attribute__((vector_size(64), aligned(32), may_alias));
template <> struct Lanes<16> {
    static V16 broadcast(float x) { return V16{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
    static V16 load(const float *p) { return *reinterpret_cast<const V16InRow *>(p); }
};
inline V16 relu(V16 v) { return V16(_mm512_max_ps(__m512(v), __m512(V16{}))); }
inline void store(float *p, V16 v) { *reinterpret_cast<V16InRow *>(p) = v; }
#endif

template <int N> inline auto load(const float *p) { return Lanes<N>::load(p); }

// Returns how many of the rows that are left to take at once: no more than `max`, and no single row after many.
constexpr int rows_at_once(int left, int max) { return left >= 2 * max ? max : left > max ? (left + 1) / 2 : left; }

template <int N> using Constant = std::integral_constant<int, N>;

// Calls f(Constant<rows>()), for 1 to `Max` rows.
template <int Max, class F> inline void with_rows(int rows, F &&f) {
    if (rows == Max) f(Constant<Max>());
    else if constexpr (Max > 1) with_rows<Max - 1>(rows, f);
}

// c[R][N · V] = bias + a[R][depth] · panel[depth][N · V]
template <int R, int V, int N>
inline void multiply(const float *a, int stride, const float *panel, const float *bias, float *c, int c_stride,
                     int depth) {
    typedef decltype(Lanes<N>::broadcast(0)) Vector;
    Vector sum[R][V];
    for (int v = 0; v < V; v++)
        for (int r = 0; r < R; r++) sum[r][v] = bias ? load<N>(bias + N * v) : Vector{};
    // Prefetch the next panel: with a batch of one the filters stream in from memory.
    const float *next = panel + size_t(depth) * N * V;
    for (int k = 0; k < depth; k++, panel += N * V, next += N * V) {
        // 3 × 4 sums of eight lanes, 3 broadcasts and 1 filter vector fill 16 registers; 8 × 2 of sixteen fit 32.
        Vector x[R];
        for (int r = 0; r < R; r++) x[r] = Lanes<N>::broadcast(a[r * stride + k]);
        for (int v = 0; v < V; v++) {
            Vector w = load<N>(panel + N * v);
            TAIJI_KEEP(w);
            if (v % (16 / N) == 0) __builtin_prefetch(next + N * v);
            for (int r = 0; r < R; r++) sum[r][v] += x[r] * w;
        }
    }
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) store(c + r * c_stride + N * v, sum[r][v]);
}

template <int V, int N>
inline void multiply_rows(const float *a, int stride, const float *panel, const float *bias, float *c, int c_stride,
                          int depth, int rows) {
    constexpr int kMaxRows = N == 16 ? 8 : 3;
    while (rows > 0) {
        const int r = rows_at_once(rows, kMaxRows);
        with_rows<kMaxRows>(
            r, [&](auto at_once) { multiply<at_once.value, V, N>(a, stride, panel, bias, c, c_stride, depth); });
        a += r * stride, c += r * c_stride, rows -= r;
    }
}

void matmul(const float *a, int stride, int rows, const float *panels, int depth, int width, const float *bias,
            float *c, int c_stride) {
    constexpr int kPerVector = TAIJI_LANES / 8;
    for (int at = 0; at < width;) {
        int v = (width - at) / 8 >= 4 ? 4 : (width - at) / 8 >= 2 ? 2 : 1;
        const float *own_bias = bias ? bias + at : nullptr;
        auto multiply_by = [&](auto vectors, auto lanes) {
            multiply_rows<vectors.value, lanes.value>(a, stride, panels, own_bias, c + at, c_stride, depth, rows);
        };
        if (v == 4) multiply_by(Constant<4 / kPerVector>(), Constant<TAIJI_LANES>());
        else if (v == 2) multiply_by(Constant<2 / kPerVector>(), Constant<TAIJI_LANES>());
        else multiply_by(Constant<1>(), Constant<8>());
        panels += size_t(depth) * 8 * size_t(v);
        at += 8 * v;
    }
}

// One-dimensional input and output transforms, for tiles of 4 cells (points 0, ±1, ±2, ∞) and of 3 (0, ±1, 2, ∞).
template <int M> struct Filtering;

template <> struct Filtering<4> {
    template <class V> static void inward(const V *d, int s, V *to, int t) {
        V a = d[4 * s] - 4 * d[2 * s], b = d[3 * s] - 4 * d[s];
        V e = d[4 * s] - d[2 * s], f = 2 * (d[3 * s] - d[s]);
        to[0] = 4 * d[0] - 5 * d[2 * s] + d[4 * s];
        to[t] = a + b;
        to[2 * t] = a - b;
        to[3 * t] = e + f;
        to[4 * t] = e - f;
        to[5 * t] = 4 * d[s] - 5 * d[3 * s] + d[5 * s];
    }
    template <class V> static void outward(const V *m, int s, V *to, int t) {
        V a = m[s] + m[2 * s], b = m[s] - m[2 * s], e = m[3 * s] + m[4 * s], f = m[3 * s] - m[4 * s];
        to[0] = m[0] + a + e;
        to[t] = b + 2 * f;
        to[2 * t] = a + 4 * e;
        to[3 * t] = b + 8 * f + m[5 * s];
    }
};

template <> struct Filtering<3> {
    template <class V> static void inward(const V *d, int s, V *to, int t) {
        to[0] = 2 * (d[0] - d[2 * s]) - d[s] + d[3 * s];
        to[t] = d[3 * s] - d[2 * s] - 2 * d[s];
        to[2 * t] = d[3 * s] - 3 * d[2 * s] + 2 * d[s];
        to[3 * t] = d[3 * s] - d[s];
        to[4 * t] = 2 * (d[s] - d[3 * s]) - d[2 * s] + d[4 * s];
    }
    template <class V> static void outward(const V *m, int s, V *to, int t) {
        V a = m[s] + m[2 * s], b = m[s] - m[2 * s];
        to[0] = m[0] + a + m[3 * s];
        to[t] = b + 2 * m[3 * s];
        to[2 * t] = a + 4 * m[3 * s] + m[4 * s];
    }
};

// Transforms one input tile and writes it by frequency, `step` floats apart.
template <int M, bool Relu, int N>
inline void transform_input_tile(const float *from, const Boards &boards, int in, int y0, int x0, float *to,
                                 size_t step) {
    typedef decltype(Lanes<N>::broadcast(0)) Vector;
    constexpr int T = M + 2;
    alignas(64) static constexpr float nothing[kMaxChannels] = {};
    const float *cells[T * T];  // column-major
    for (int x = 0; x < T; x++)
        for (int y = 0; y < T; y++) {
            bool inside = unsigned(y0 + y) < unsigned(boards.height) && unsigned(x0 + x) < unsigned(boards.width);
            cells[x * T + y] = inside ? from + ((y0 + y) * boards.width + x0 + x) * in : nothing;
        }
    for (int c = 0; c < in; c += N) {
        Vector half[T * T];
        for (int x = 0; x < T; x++) {
            Vector column[T];
            for (int y = 0; y < T; y++) {
                Vector v = load<N>(cells[x * T + y] + c);
                column[y] = Relu ? relu(v) : v;
            }
            Filtering<M>::inward(column, 1, half + x, T);
        }
        for (int y = 0; y < T; y++) {
            Vector row[T];
            Filtering<M>::inward(half + y * T, 1, row, 1);
            for (int x = 0; x < T; x++) store(to + size_t(y * T + x) * step + c, row[x]);
        }
    }
}

// Transforms products, by frequency and tile, back to cells.
template <int M, int N>
inline void transform_output(const float *output_tiles, const float *bias, int out, const Boards &boards, float *output,
                             bool add) {
    typedef decltype(Lanes<N>::broadcast(0)) Vector;
    constexpr int T = M + 2;
    const int high = boards.height, wide = boards.width;
    const int up = (high + M - 1) / M, across = (wide + M - 1) / M, tiles = boards.count * up * across;
    for (int tile = 0; tile < tiles; tile++) {
        const int board = tile / (up * across), y0 = tile / across % up * M, x0 = tile % across * M;
        float *to = output + size_t(board) * size_t(high * wide * out);
        for (int c = 0; c < out; c += N) {
            Vector half[M * T];
            for (int x = 0; x < T; x++) {
                Vector column[T];
                for (int y = 0; y < T; y++)
                    column[y] =
                        load<N>(output_tiles + (size_t(y * T + x) * size_t(tiles) + size_t(tile)) * size_t(out) + c);
                Filtering<M>::outward(column, 1, half + x, T);
            }
            const Vector shift = load<N>(bias + c);
            for (int y = 0; y < M && y0 + y < high; y++) {
                Vector row[M];
                Filtering<M>::outward(half + y * T, 1, row, 1);
                float *cell = to + ((y0 + y) * wide + x0) * out + c;
                for (int x = 0; x < M && x0 + x < wide; x++, cell += out) {
                    Vector v = row[x] + shift;
                    store(cell, add ? load<N>(cell) + v : v);
                }
            }
        }
    }
}

// Calls f(Constant<N>()) for vectors of N lanes, as many as divide the channels.
template <class F> inline void with_lanes(int channels, F &&f) {
    if constexpr (TAIJI_LANES > 8)
        if (channels % TAIJI_LANES) return f(Constant<8>());
    f(Constant<TAIJI_LANES>());
}

template <int M>
void convolve_by(const Convolution &layer, const Boards &boards, const float *input, bool relu, float *output, bool add,
                 float *input_tiles, float *output_tiles) {
    constexpr int T = M + 2;
    const int in = layer.in, out = layer.out;
    const int up = (boards.height + M - 1) / M, across = (boards.width + M - 1) / M, tiles = boards.count * up * across;
    // Step 1: transform the input tiles.
    for (int tile = 0; tile < tiles; tile++) {
        const int board = tile / (up * across), y0 = tile / across % up * M - 1, x0 = tile % across * M - 1;
        const float *from = input + size_t(board) * size_t(boards.cells() * in);
        float *to = input_tiles + size_t(tile) * size_t(in);
        const size_t step = size_t(tiles) * size_t(in);
        with_lanes(in, [&](auto lanes) {
            if (relu) transform_input_tile<M, true, lanes.value>(from, boards, in, y0, x0, to, step);
            else transform_input_tile<M, false, lanes.value>(from, boards, in, y0, x0, to, step);
        });
    }
    // Step 2: one matrix product per frequency.
    for (int f = 0; f < T * T; f++)
        matmul(input_tiles + size_t(f) * size_t(tiles * in), in, tiles, layer.filters + size_t(f) * size_t(in * out),
               in, out, nullptr, output_tiles + size_t(f) * size_t(tiles * out), out);
    // Step 3: transform back to cells.
    with_lanes(
        out, [&](auto lanes) { transform_output<M, lanes.value>(output_tiles, layer.bias, out, boards, output, add); });
}

void convolve(const Convolution &layer, const Boards &boards, const float *input, bool relu, float *output, bool add,
              float *input_tiles, float *output_tiles) {
    if (layer.tile == 4) convolve_by<4>(layer, boards, input, relu, output, add, input_tiles, output_tiles);
    else convolve_by<3>(layer, boards, input, relu, output, add, input_tiles, output_tiles);
}
