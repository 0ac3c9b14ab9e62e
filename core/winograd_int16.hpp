// Winograd convolutions with int16 matrix products, about 0.6× the time of float32 on AVX2 (docs/nets.md). Each row has
// its own scale; int32 sums cannot overflow (`kMaxInt16FilterSum`). Error: below 0.1 % of the output.
//
// Included only by winograd_avx2.cpp, after winograd_impl.hpp, into its namespace.

#define TAIJI_UNROLL _Pragma("GCC unroll 8")

// Two products and two sums per row, in assembly because compilers spill the sums.
inline void multiply_pair(__m256i &sum0, __m256i &sum1, const int16_t *pair, __m256i filter0, __m256i filter1) {
    __m256i x, t;
    asm("vpbroadcastd %[pair], %[x]\n\t"
        "vpmaddwd %[filter0], %[x], %[t]\n\t"
        "vpmaddwd %[filter1], %[x], %[x]\n\t"
        "vpaddd %[t], %[sum0], %[sum0]\n\t"
        "vpaddd %[x], %[sum1], %[sum1]"
        : [sum0] "+x"(sum0), [sum1] "+x"(sum1), [t] "=&x"(t), [x] "=&x"(x)
        : [filter0] "x"(filter0), [filter1] "x"(filter1), [pair] "m"(*reinterpret_cast<const int16_t (*)[2]>(pair)));
}

// c[R][16] = row scale · column scale · (a[R][depth] · panel[depth / 2][16][2])
template <int R>
inline void multiply_int16(const int16_t *a, const int16_t *panel, const float *of_row, const float *of_column,
                           float *c, int c_stride, int depth) {
    __m256i sum[R][2];
    TAIJI_UNROLL for (int r = 0; r < R; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
    const int16_t *next = panel + depth * 16;
    _Pragma("GCC unroll 2") for (int k = 0; k < depth; k += 2, panel += 32, next += 32) {
        const __m256i filter0 = _mm256_load_si256(reinterpret_cast<const __m256i *>(panel));
        const __m256i filter1 = _mm256_load_si256(reinterpret_cast<const __m256i *>(panel + 16));
        __builtin_prefetch(next);
        TAIJI_UNROLL for (int r = 0; r < R; r++)
            multiply_pair(sum[r][0], sum[r][1], a + r * depth + k, filter0, filter1);
    }
    TAIJI_UNROLL for (int r = 0; r < R; r++) {
        const V8 scale = broadcast(of_row[r]);
        TAIJI_UNROLL for (int v = 0; v < 2; v++)
            store(c + r * c_stride + 8 * v, V8(_mm256_cvtepi32_ps(sum[r][v])) * scale * load(of_column + 8 * v));
    }
}

inline void matmul_int16(const int16_t *a, int rows, const int16_t *panels, int depth, int width, const float *of_row,
                         const float *of_column, float *c) {
    for (int at = 0; at < width; at += 16, panels += depth * 16)
        for (int done = 0; done < rows;) {
            const int left = rows - done, r = left >= 10 ? 5 : left > 5 ? (left + 1) / 2 : left;
            const int16_t *from = a + done * depth;
            float *to = c + done * width + at;
            if (r == 5) multiply_int16<5>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 4) multiply_int16<4>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 3) multiply_int16<3>(from, panels, of_row + done, of_column + at, to, width, depth);
            else if (r == 2) multiply_int16<2>(from, panels, of_row + done, of_column + at, to, width, depth);
            else multiply_int16<1>(from, panels, of_row + done, of_column + at, to, width, depth);
            done += r;
        }
}

inline float horizontal_max(V8 v) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(__m256(v)), _mm256_extractf128_ps(__m256(v), 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

// Quantises a row so that its largest magnitude becomes `most`; returns the scale.
inline float quantise_row(const float *row, int length, V8 magnitudes, float most, int16_t *to) {
    const float largest = std::max(horizontal_max(magnitudes), 1e-30f);
    const __m256 scale = _mm256_set1_ps(most / largest);
    for (int i = 0; i < length; i += 16) {
        __m256i low = _mm256_cvtps_epi32(_mm256_mul_ps(__m256(load(row + i)), scale));
        __m256i high = _mm256_cvtps_epi32(_mm256_mul_ps(__m256(load(row + i + 8)), scale));
        __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
        _mm256_store_si256(reinterpret_cast<__m256i *>(to + i), both);
    }
    return largest / most;
}

template <int M>
void convolve_int16_by(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu,
                       float *output, bool add, Int16Workspace workspace) {
    constexpr int T = M + 2;
    const int in = layer.in, out = layer.out;
    const int up = (boards.height + M - 1) / M, across = (boards.width + M - 1) / M, tiles = boards.count * up * across;
    const float most = float(kMaxInt16Input);
    // Step 1: transform and quantise the input tiles.
    for (int tile = 0; tile < tiles; tile++) {
        const int board = tile / (up * across), y0 = tile / across % up * M - 1, x0 = tile % across * M - 1;
        V8 magnitudes[T * T] = {};
        const float *from = input + size_t(board) * size_t(boards.cells() * in);
        auto take = [&](int f, int c, V8 v) {
            store(workspace.tile + f * in + c, v);
            magnitudes[f] = V8(_mm256_max_ps(__m256(magnitudes[f]), _mm256_andnot_ps(_mm256_set1_ps(-0.f), __m256(v))));
        };
        if (relu) transform_input_tile<M, true>(from, boards, in, y0, x0, take);
        else transform_input_tile<M, false>(from, boards, in, y0, x0, take);
        for (int f = 0; f < T * T; f++)
            workspace.scales[f * tiles + tile] =
                quantise_row(workspace.tile + f * in, in, magnitudes[f], most,
                             workspace.input_tiles + (size_t(f) * size_t(tiles) + size_t(tile)) * size_t(in));
    }
    // Step 2: one matrix product per frequency.
    for (int f = 0; f < T * T; f++)
        matmul_int16(workspace.input_tiles + size_t(f) * size_t(tiles * in), tiles,
                     layer.filters + size_t(f) * size_t(in * out), in, out, workspace.scales + f * tiles,
                     layer.scales + f * out, workspace.output_tiles + size_t(f) * size_t(tiles * out));
    // Step 3: transform back to cells.
    transform_output<M>(workspace.output_tiles, layer.bias, out, boards, output, add);
}

void convolve_int16(const Int16Convolution &layer, const Boards &boards, const float *input, bool relu, float *output,
                    bool add, Int16Workspace workspace) {
    if (layer.tile == 4) convolve_int16_by<4>(layer, boards, input, relu, output, add, workspace);
    else convolve_int16_by<3>(layer, boards, input, relu, output, add, workspace);
}
