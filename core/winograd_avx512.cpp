// The backend for AVX-512 with VNNI, whatever instruction set the rest of the package is compiled for.
#include "winograd.hpp"

#if defined(__x86_64__)

#if !defined(__clang__)
// GCC 12 warns of its own header.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#pragma GCC optimize("fp-contract=fast")
#endif

#define TAIJI_AVX2
#define TAIJI_LANES 16
namespace taiji::avx512 {
namespace {
#include "winograd_impl.hpp"

#include "winograd_int16_avx512.hpp"

#include "winograd_int16.hpp"
}  // namespace
}  // namespace taiji::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace taiji::avx512 {
const SimdBackend backend{matmul, convolve, convolve_int16, "avx512_vnni"};
}

#endif
