// A fast random number generator: xoroshiro128+, seeded by splitmix64.
#pragma once

#include <cstdint>

namespace taiji {

inline uint64_t splitmix(uint64_t &state) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

class Random {
public:
    // Each stream of a seed is an independent generator: one per thread.
    explicit Random(uint64_t seed, uint64_t stream = 0) {
        uint64_t spread = seed ^ (stream * 0xD1342543DE82EF95u);
        a_ = splitmix(spread);
        b_ = splitmix(spread) | 1;
    }

    uint64_t next() {
        uint64_t a = a_, b = b_;
        uint64_t result = a + b;
        b ^= a;
        a_ = (a << 24 | a >> 40) ^ b ^ (b << 16);
        b_ = b << 37 | b >> 27;
        return result;
    }

    // Returns a number below `bound`, from the upper half of a word because the low bits are weaker.
    uint32_t below(uint32_t bound) { return uint32_t(((next() >> 32) * bound) >> 32); }

private:
    uint64_t a_, b_;
};

}  // namespace taiji
