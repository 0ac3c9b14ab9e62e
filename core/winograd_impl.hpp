// 3×3 convolutions by Winograd's minimal filtering, and matrix products. This file is compiled once per instruction
// set, each time into a separate namespace; winograd.cpp chooses among them.
//
// Activations are cell-major with a multiple of eight channels. Eight channels form one vector; the compiler splits it
// if the registers are narrower.

// Keeps a vector in a register; otherwise the compiler reloads it for every product.
#undef TAIJI_KEEP
#if defined(__x86_64__) && defined(TAIJI_AVX2)
#define TAIJI_KEEP(v) asm("" : "+x"(v))
#else
#define TAIJI_KEEP(v)
#endif

typedef float V8 __attribute__((vector_size(32), may_alias));

inline V8 load(const float *p) { return *reinterpret_cast<const V8 *>(p); }
inline void store(float *p, V8 v) { *reinterpret_cast<V8 *>(p) = v; }
inline V8 broadcast(float x) { return V8{x, x, x, x, x, x, x, x}; }
inline V8 relu(V8 v) { return v > 0 ? v : V8{}; }

// c[R][8V] = bias + a[R][depth] · panel[depth][8V]
template <int R, int V>
inline void multiply(const float *a, int stride, const float *panel, const float *bias, float *c, int c_stride,
                     int depth) {
    V8 sum[R][V];
    for (int v = 0; v < V; v++)
        for (int r = 0; r < R; r++) sum[r][v] = bias ? load(bias + 8 * v) : V8{};
    // Prefetch the next panel: with a batch of one the filters stream in from memory.
    const float *next = panel + size_t(depth) * 8 * V;
    for (int k = 0; k < depth; k++, panel += 8 * V, next += 8 * V) {
        // 3 × 4 sums, 3 broadcasts and 1 filter vector fill the 16 registers.
        V8 x[R];
        for (int r = 0; r < R; r++) x[r] = broadcast(a[r * stride + k]);
        for (int v = 0; v < V; v++) {
            V8 w = load(panel + 8 * v);
            TAIJI_KEEP(w);
            if (v % 2 == 0) __builtin_prefetch(next + 8 * v);
            for (int r = 0; r < R; r++) sum[r][v] += x[r] * w;
        }
    }
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) store(c + r * c_stride + 8 * v, sum[r][v]);
}

template <int V>
inline void multiply_rows(const float *a, int stride, const float *panel, const float *bias, float *c, int c_stride,
                          int depth, int rows) {
    while (rows > 0) {
        int r = rows == 4 || rows == 2 ? 2 : rows >= 3 ? 3 : 1;
        if (r == 3) multiply<3, V>(a, stride, panel, bias, c, c_stride, depth);
        else if (r == 2) multiply<2, V>(a, stride, panel, bias, c, c_stride, depth);
        else multiply<1, V>(a, stride, panel, bias, c, c_stride, depth);
        a += r * stride, c += r * c_stride, rows -= r;
    }
}

void matmul(const float *a, int stride, int rows, const float *panels, int depth, int width, const float *bias,
            float *c, int c_stride) {
    for (int at = 0; at < width;) {
        int v = (width - at) / 8 >= 4 ? 4 : (width - at) / 8 >= 2 ? 2 : 1;
        const float *own_bias = bias ? bias + at : nullptr;
        if (v == 4) multiply_rows<4>(a, stride, panels, own_bias, c + at, c_stride, depth, rows);
        else if (v == 2) multiply_rows<2>(a, stride, panels, own_bias, c + at, c_stride, depth, rows);
        else multiply_rows<1>(a, stride, panels, own_bias, c + at, c_stride, depth, rows);
        panels += size_t(depth) * 8 * size_t(v);
        at += 8 * v;
    }
}

// One-dimensional input and output transforms, for tiles of 4 cells (points 0, ±1, ±2, ∞) and of 3 (0, ±1, 2, ∞).
template <int M> struct Filtering;

template <> struct Filtering<4> {
    static void inward(const V8 *d, int s, V8 *to, int t) {
        V8 a = d[4 * s] - 4 * d[2 * s], b = d[3 * s] - 4 * d[s];
        V8 e = d[4 * s] - d[2 * s], f = 2 * (d[3 * s] - d[s]);
        to[0] = 4 * d[0] - 5 * d[2 * s] + d[4 * s];
        to[t] = a + b;
        to[2 * t] = a - b;
        to[3 * t] = e + f;
        to[4 * t] = e - f;
        to[5 * t] = 4 * d[s] - 5 * d[3 * s] + d[5 * s];
    }
    static void outward(const V8 *m, int s, V8 *to, int t) {
        V8 a = m[s] + m[2 * s], b = m[s] - m[2 * s], e = m[3 * s] + m[4 * s], f = m[3 * s] - m[4 * s];
        to[0] = m[0] + a + e;
        to[t] = b + 2 * f;
        to[2 * t] = a + 4 * e;
        to[3 * t] = b + 8 * f + m[5 * s];
    }
};

template <> struct Filtering<3> {
    static void inward(const V8 *d, int s, V8 *to, int t) {
        to[0] = 2 * (d[0] - d[2 * s]) - d[s] + d[3 * s];
        to[t] = d[3 * s] - d[2 * s] - 2 * d[s];
        to[2 * t] = d[3 * s] - 3 * d[2 * s] + 2 * d[s];
        to[3 * t] = d[3 * s] - d[s];
        to[4 * t] = 2 * (d[s] - d[3 * s]) - d[2 * s] + d[4 * s];
    }
    static void outward(const V8 *m, int s, V8 *to, int t) {
        V8 a = m[s] + m[2 * s], b = m[s] - m[2 * s];
        to[0] = m[0] + a + m[3 * s];
        to[t] = b + 2 * m[3 * s];
        to[2 * t] = a + 4 * m[3 * s] + m[4 * s];
    }
};

// Transforms one input tile and calls take(frequency, channel, eight values).
template <int M, bool Relu, class Take>
inline void transform_input_tile(const float *from, const Boards &boards, int in, int y0, int x0, Take &&take) {
    constexpr int T = M + 2;
    alignas(32) static constexpr float nothing[kMaxChannels] = {};
    const float *cells[T * T];  // column-major
    for (int x = 0; x < T; x++)
        for (int y = 0; y < T; y++) {
            bool inside = unsigned(y0 + y) < unsigned(boards.height) && unsigned(x0 + x) < unsigned(boards.width);
            cells[x * T + y] = inside ? from + ((y0 + y) * boards.width + x0 + x) * in : nothing;
        }
    for (int c = 0; c < in; c += 8) {
        V8 half[T * T];
        for (int x = 0; x < T; x++) {
            V8 column[T];
            for (int y = 0; y < T; y++) {
                V8 v = load(cells[x * T + y] + c);
                column[y] = Relu ? relu(v) : v;
            }
            Filtering<M>::inward(column, 1, half + x, T);
        }
        for (int y = 0; y < T; y++) {
            V8 row[T];
            Filtering<M>::inward(half + y * T, 1, row, 1);
            for (int x = 0; x < T; x++) take(y * T + x, c, row[x]);
        }
    }
}

// Transforms products, by frequency and tile, back to cells.
template <int M>
inline void transform_output(const float *output_tiles, const float *bias, int out, const Boards &boards, float *output,
                             bool add) {
    constexpr int T = M + 2;
    const int high = boards.height, wide = boards.width;
    const int up = (high + M - 1) / M, across = (wide + M - 1) / M, tiles = boards.count * up * across;
    for (int tile = 0; tile < tiles; tile++) {
        const int board = tile / (up * across), y0 = tile / across % up * M, x0 = tile % across * M;
        float *to = output + size_t(board) * size_t(high * wide * out);
        for (int c = 0; c < out; c += 8) {
            V8 half[M * T];
            for (int x = 0; x < T; x++) {
                V8 column[T];
                for (int y = 0; y < T; y++)
                    column[y] =
                        load(output_tiles + (size_t(y * T + x) * size_t(tiles) + size_t(tile)) * size_t(out) + c);
                Filtering<M>::outward(column, 1, half + x, T);
            }
            const V8 shift = load(bias + c);
            for (int y = 0; y < M && y0 + y < high; y++) {
                V8 row[M];
                Filtering<M>::outward(half + y * T, 1, row, 1);
                float *cell = to + ((y0 + y) * wide + x0) * out + c;
                for (int x = 0; x < M && x0 + x < wide; x++, cell += out) {
                    V8 v = row[x] + shift;
                    store(cell, add ? load(cell) + v : v);
                }
            }
        }
    }
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
        auto take = [&](int f, int c, V8 v) {
            store(input_tiles + (size_t(f) * size_t(tiles) + size_t(tile)) * size_t(in) + c, v);
        };
        if (relu) transform_input_tile<M, true>(from, boards, in, y0, x0, take);
        else transform_input_tile<M, false>(from, boards, in, y0, x0, take);
    }
    // Step 2: one matrix product per frequency.
    for (int f = 0; f < T * T; f++)
        matmul(input_tiles + size_t(f) * size_t(tiles * in), in, tiles, layer.filters + size_t(f) * size_t(in * out),
               in, out, nullptr, output_tiles + size_t(f) * size_t(tiles * out), out);
    // Step 3: transform back to cells.
    transform_output<M>(output_tiles, layer.bias, out, boards, output, add);
}

void convolve(const Convolution &layer, const Boards &boards, const float *input, bool relu, float *output, bool add,
              float *input_tiles, float *output_tiles) {
    if (layer.tile == 4) convolve_by<4>(layer, boards, input, relu, output, add, input_tiles, output_tiles);
    else convolve_by<3>(layer, boards, input, relu, output, add, input_tiles, output_tiles);
}
