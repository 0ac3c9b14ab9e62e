// The int16 products of winograd_int16.hpp with AVX2. Included by winograd_avx2.cpp before that file.

#define TAIJI_UNROLL _Pragma("GCC unroll 8")
#define TAIJI_NOINLINE __attribute__((noinline))

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
template <int R, int P>
TAIJI_NOINLINE void multiply_int16(const int16_t *a, const int16_t *panel, const float *of_row, const float *of_column,
                                   float *c, int c_stride, int depth) {
    static_assert(P == 1);
    __m256i sum[R][2];
    TAIJI_UNROLL for (int r = 0; r < R; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
    const int16_t *next = panel + depth * 16;
    for (int k = 0; k < depth; k += 2, panel += 32, next += 32) {
        const __m256i filter0 = _mm256_load_si256(reinterpret_cast<const __m256i *>(panel));
        const __m256i filter1 = _mm256_load_si256(reinterpret_cast<const __m256i *>(panel + 16));
        __builtin_prefetch(next);
        TAIJI_UNROLL for (int r = 0; r < R; r++)
            multiply_pair(sum[r][0], sum[r][1], a + r * depth + k, filter0, filter1);
    }
    TAIJI_UNROLL for (int r = 0; r < R; r++) {
        const V8 scale = Lanes<8>::broadcast(of_row[r]);
        TAIJI_UNROLL for (int v = 0; v < 2; v++)
            store(c + r * c_stride + 8 * v, V8(_mm256_cvtepi32_ps(sum[r][v])) * scale * load<8>(of_column + 8 * v));
    }
}

constexpr int kMaxPanels = 1;
constexpr int max_rows(int) { return 5; }  // rows whose sums fit the registers

inline float horizontal_max(V8 v) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(__m256(v)), _mm256_extractf128_ps(__m256(v), 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

// Returns the larger of `most` and the magnitude in each lane.
inline V8 max_magnitudes(V8 most, V8 v) {
    return V8(_mm256_max_ps(__m256(most), _mm256_andnot_ps(_mm256_set1_ps(-0.f), __m256(v))));
}

// Quantises a row so that its largest magnitude becomes `most`; returns the scale.
inline float quantise_row(const float *row, int length, float most, int16_t *to) {
    V8 magnitudes = Lanes<8>::broadcast(1e-30f);
    for (int i = 0; i < length; i += 8) magnitudes = max_magnitudes(magnitudes, load<8>(row + i));
    const float largest = horizontal_max(magnitudes);
    const __m256 scale = _mm256_set1_ps(most / largest);
    for (int i = 0; i < length; i += 16) {
        __m256i low = _mm256_cvtps_epi32(_mm256_mul_ps(__m256(load<8>(row + i)), scale));
        __m256i high = _mm256_cvtps_epi32(_mm256_mul_ps(__m256(load<8>(row + i + 8)), scale));
        __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
        _mm256_store_si256(reinterpret_cast<__m256i *>(to + i), both);
    }
    return largest / most;
}
