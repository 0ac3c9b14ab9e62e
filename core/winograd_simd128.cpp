// The backend for the 128-bit vectors of WebAssembly.
#include "winograd.hpp"

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

#include <type_traits>

namespace taiji::simd128 {
namespace {
#include "winograd_impl.hpp"

constexpr int kMaxPanels = 1;
constexpr int max_rows(int) { return 2; }  // rows whose sums and products fit 16 registers

// c[R][16] = row scale · column scale · (a[R][depth] · panel[depth / 2][16][2])
template <int R, int P>
inline void multiply_int16(const int16_t *a, const int16_t *panel, const float *of_row, const float *of_column,
                           float *c, int c_stride, int depth) {
    static_assert(P == 1);
    v128_t sum[R][4];
    for (int r = 0; r < R; r++)
        for (int v = 0; v < 4; v++) sum[r][v] = wasm_i32x4_splat(0);
    for (int k = 0; k < depth; k += 2, panel += 32) {
        v128_t x[R];
        for (int r = 0; r < R; r++) x[r] = wasm_v128_load32_splat(a + r * depth + k);
        for (int v = 0; v < 4; v++) {
            const v128_t filter = wasm_v128_load(panel + 8 * v);
            for (int r = 0; r < R; r++) sum[r][v] = wasm_i32x4_add(sum[r][v], wasm_i32x4_dot_i16x8(x[r], filter));
        }
    }
    for (int r = 0; r < R; r++)
        for (int v = 0; v < 4; v++) {
            const v128_t scaled = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum[r][v]), wasm_f32x4_splat(of_row[r]));
            wasm_v128_store(c + r * c_stride + 4 * v, wasm_f32x4_mul(scaled, wasm_v128_load(of_column + 4 * v)));
        }
}

// Quantises a row so that its largest magnitude becomes `most`; returns the scale.
inline float quantise_row(const float *row, int length, float most, int16_t *to) {
    v128_t magnitudes = wasm_f32x4_splat(1e-30f);
    for (int i = 0; i < length; i += 4)
        magnitudes = wasm_f32x4_pmax(magnitudes, wasm_f32x4_abs(wasm_v128_load(row + i)));
    float lanes[4];
    wasm_v128_store(lanes, magnitudes);
    const float largest = std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
    const v128_t scale = wasm_f32x4_splat(most / largest);
    // Adding 1.5 · 2^23 leaves the rounded number in the low bits, faster than a conversion.
    const v128_t shift = wasm_f32x4_splat(12582912.f);
    auto rounded = [&](const float *p) {
        return wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_mul(wasm_v128_load(p), scale), shift), shift);
    };
    for (int i = 0; i < length; i += 8)
        wasm_v128_store(to + i, wasm_i16x8_narrow_i32x4(rounded(row + i), rounded(row + i + 4)));
    return largest / most;
}

#include "winograd_int16.hpp"
}  // namespace

const SimdBackend backend{matmul, convolve, convolve_int16, "simd128"};

}  // namespace taiji::simd128

#endif
