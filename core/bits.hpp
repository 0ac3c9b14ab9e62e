// Bit operations on masks of cells and on 64-bit words.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace taiji {

// The alignment of positions. A class that holds one and is passed to Python through a base class declares it on the
// base, so that both sides allocate and free it with the same alignment.
constexpr int kAlignment = 32;

// A set of cells of a board; bit i is cell i.
__extension__ typedef unsigned __int128 Mask;

constexpr int kMaxCells = 128;

constexpr Mask mask(uint64_t low, uint64_t high) { return Mask(high) << 64 | low; }
constexpr uint64_t low(Mask m) { return uint64_t(m); }
constexpr uint64_t high(Mask m) { return uint64_t(m >> 64); }
constexpr Mask bit(int cell) { return Mask(1) << cell; }

inline int count(uint64_t m) { return std::popcount(m); }
inline int count(Mask m) { return std::popcount(low(m)) + std::popcount(high(m)); }

inline int lowest(Mask m) { return low(m) ? std::countr_zero(low(m)) : 64 + std::countr_zero(high(m)); }

// Calls f(cell) for every cell of the mask, lowest first.
template <class F> inline void for_each(Mask m, F &&f) {
    for (uint64_t part = low(m); part; part &= part - 1) f(std::countr_zero(part));
    for (uint64_t part = high(m); part; part &= part - 1) f(64 + std::countr_zero(part));
}

// Returns the index of the set bit of this rank, 0 being the lowest; the word has more than `rank` set bits.
inline int select_bit(uint64_t word, int rank) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(uint64_t(1) << rank, word));
#else
    // Binary search: take the upper half if the lower one holds too few bits.
    int at = 0;
    for (int half = 32; half; half /= 2) {
        int below = std::popcount(word & ((uint64_t(1) << half) - 1));
        bool upper = rank >= below;
        rank -= upper ? below : 0;
        at += upper ? half : 0;
        word >>= upper ? half : 0;
    }
    return at;
#endif
}

}  // namespace taiji
