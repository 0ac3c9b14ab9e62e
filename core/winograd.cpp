#include "winograd.hpp"

#include <cstdint>
#include <stdexcept>
#include <type_traits>

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

std::vector<const SimdBackend *> simd_backends() {
    std::vector<const SimdBackend *> found;
#if defined(__x86_64__)
    const int level = allowed_cpu_level();
    if (level >= 4 && has_avx512_vnni()) found.push_back(&avx512::backend);
    if (level >= 3) found.push_back(&avx2::backend);
#elif defined(__wasm_simd128__)
    found.push_back(&simd128::backend);
#endif
    found.push_back(&portable::backend);
    return found;
}

const SimdBackend &simd_backend(const std::string &name) {
    static const std::vector<const SimdBackend *> known = simd_backends();
    for (const SimdBackend *backend : known)
        if (name.empty() || name == backend->name) return *backend;
    throw std::invalid_argument("no such backend on this processor: " + name);
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
