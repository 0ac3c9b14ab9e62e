// The backend for AVX2 and FMA, whatever instruction set the rest of the package is compiled for.
#include "winograd.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#pragma GCC optimize("fp-contract=fast")
#endif

#define TAIJI_AVX2
namespace taiji::avx2 {
namespace {
#include "winograd_impl.hpp"

#include "winograd_int16_avx2.hpp"

#include "winograd_int16.hpp"
}  // namespace
}  // namespace taiji::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace taiji::avx2 {
const SimdBackend backend{matmul, convolve, convolve_int16, "avx2"};
}

#endif
