#include "winograd.hpp"

#include <cstdint>

#if defined(__x86_64__)
#include "dispatch/cpu_level.hpp"
#endif

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are never passed to other files
#endif

namespace taiji {

namespace portable {
namespace {
#include "winograd_impl.hpp"
}
const SimdBackend backend{matmul, convolve, nullptr, "portable"};
}  // namespace portable

const SimdBackend &simd_backend() {
#if defined(__x86_64__)
    static const bool has_avx2 = cpu_level() >= 3;
    if (has_avx2) return avx2::backend;
#elif defined(__wasm_simd128__)
    return simd128::backend;
#endif
    return portable::backend;
}

size_t panel_offset(int k, int column, int depth, int width) {
    int at = 0;
    while (true) {
        int v = (width - at) / 8 >= 4 ? 32 : (width - at) / 8 >= 2 ? 16 : 8;
        if (column < at + v) return size_t(at) * size_t(depth) + size_t(k) * size_t(v) + size_t(column - at);
        at += v;
    }
}

}  // namespace taiji
