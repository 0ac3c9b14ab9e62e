// The int16 products of winograd_int16.hpp with AVX-512 and its VNNI. Included by winograd_avx512.cpp before that file.

#define TAIJI_UNROLL _Pragma("GCC unroll 32")
#define TAIJI_NOINLINE __attribute__((noinline))

constexpr int kMaxPanels = 4;
// The sums take at most 24 of the 32 registers.
constexpr int max_rows(int panels) { return panels == 4 ? 6 : 12; }

// Sums of products of a pair with P panels, in assembly because compilers move the sums about.
template <int P> inline void multiply_pair(__m512i *sum, const int16_t *pair, const __m512i *filter) {
    __m512i x;
    asm("vpbroadcastd %[pair], %[x]" : [x] "=v"(x) : [pair] "m"(*reinterpret_cast<const int16_t (*)[2]>(pair)));
    TAIJI_UNROLL for (int p = 0; p < P; p++) {
        asm("vpdpwssd %[filter], %[x], %[sum]" : [sum] "+v"(sum[p]) : [x] "v"(x), [filter] "v"(filter[p]));
    }
}

// c[R][16 · P] = row scale · column scale · (a[R][depth] · panels[P][depth / 2][16][2])
template <int R, int P>
TAIJI_NOINLINE void multiply_int16(const int16_t *a, const int16_t *panels, const float *of_row, const float *of_column,
                                   float *c, int c_stride, int depth) {
    __m512i sum[R * P];
    TAIJI_UNROLL for (__m512i &s : sum) s = _mm512_setzero_si512();
    for (int k = 0; k < depth; k += 2) {
        __m512i filter[P];
        TAIJI_UNROLL for (int p = 0; p < P; p++) {
            const int16_t *from = panels + p * depth * 16 + k * 16;
            filter[p] = _mm512_load_si512(from);
            __builtin_prefetch(from + P * depth * 16);
        }
        TAIJI_UNROLL for (int r = 0; r < R; r++) multiply_pair<P>(sum + r * P, a + r * depth + k, filter);
    }
    TAIJI_UNROLL for (int r = 0; r < R; r++) {
        const V16 scale = Lanes<16>::broadcast(of_row[r]);
        TAIJI_UNROLL for (int p = 0; p < P; p++) store(
            c + r * c_stride + 16 * p, V16(_mm512_cvtepi32_ps(sum[r * P + p])) * scale * load<16>(of_column + 16 * p));
    }
}

// Returns the places of the low halves of the lanes of two vectors.
inline __m512i low_halves() {
    alignas(64) static constexpr int16_t kPlaces[32] = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                                        32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
    return _mm512_load_si512(kPlaces);
}

inline float horizontal_max(__m512 v) {
    const __m256 half = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    quarter = _mm_max_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_max_ss(quarter, _mm_movehdup_ps(quarter)));
}

// Returns the larger magnitude in each lane.
inline __m512 max_magnitudes(__m512 a, __m512 b) {
    constexpr int kMaxMagnitude = 3, kClearSign = 2 << 2;
    return _mm512_range_ps(a, b, kMaxMagnitude | kClearSign);
}

inline __m512i rounded(const float *p, V16 scale) { return _mm512_cvtps_epi32(__m512(load<16>(p) * scale)); }

// Quantises a row so that its largest magnitude becomes `most`; returns the scale.
inline float quantise_row(const float *row, int length, float most, int16_t *to) {
    __m512 magnitudes = __m512(Lanes<16>::broadcast(1e-30f));
    for (int i = 0; i < length; i += 16) magnitudes = max_magnitudes(magnitudes, __m512(load<16>(row + i)));
    const float largest = horizontal_max(magnitudes);
    const V16 scale = Lanes<16>::broadcast(most / largest);
    int i = 0;
    for (; i + 32 <= length; i += 32) {
        const __m512i low = rounded(row + i, scale), high = rounded(row + i + 16, scale);
        _mm512_storeu_si512(to + i, _mm512_permutex2var_epi16(low, low_halves(), high));
    }
    if (i < length)
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + i), _mm512_cvtepi32_epi16(rounded(row + i, scale)));
    return largest / most;
}
