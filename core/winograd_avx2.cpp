// The arithmetic for processors with AVX2 and FMA, whatever the rest of the package is compiled for.
#include "winograd.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#pragma GCC optimize("fp-contract=fast")
#endif

#define TAIJI_WIDE
namespace taiji::wide {
namespace {
#include "winograd_impl.hpp"

#include "winograd_fixed.hpp"
}
}  // namespace taiji::wide

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace taiji::wide {
const Arithmetic version{product, convolve, convolve_fixed, "avx2"};
}

#endif
