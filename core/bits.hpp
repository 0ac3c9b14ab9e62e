// Bit operations on masks of cells and on 64-bit words.
#pragma once

#include <bit>
#include <cstdint>

#include "platform.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace taiji {

// The alignment of positions. A class that holds one and is passed to Python through a base class declares it on the
// base, so that both sides allocate and free it with the same alignment.
constexpr int kAlignment = 32;

// A set of cells of a board; bit i is cell i.
using Mask = UInt128;

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

// By rank and byte: the index of the set bit of this rank.
struct BitOfByte {
    uint8_t at[8][256] = {};
    constexpr BitOfByte() {
        for (int byte = 0; byte < 256; byte++)
            for (int i = 0, rank = 0; i < 8; i++)
                if (byte >> i & 1) at[rank++][byte] = uint8_t(i);
    }
};
inline constexpr BitOfByte kBitOfByte;

// Returns the index of the set bit of this rank, 0 being the lowest; the word has more than `rank` set bits.
inline int select_bit(uint64_t word, int rank) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(uint64_t(1) << rank, word));
#else
    // Count the bits of each byte and all below it, all bytes at once; a byte whose count does not exceed the rank lies
    // below the bit.
    constexpr uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;
    uint64_t sums = word - (word >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = (sums + (sums >> 4) & 0x0F0F0F0F0F0F0F0F) * kOnes;
    const int at = 8 * std::popcount(((uint64_t(rank) * kOnes | kTops) - sums) & kTops);
    const int within = rank - int((sums << 8) >> at & 0xFF);
    return at + kBitOfByte.at[within][word >> at & 0xFF];
#endif
}

}  // namespace taiji
