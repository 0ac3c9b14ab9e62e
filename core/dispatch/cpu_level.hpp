// The level of this processor: x86-64-v1 to v4, as the System V ABI defines them.
#pragma once

#include <cpuid.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace taiji {

namespace cpu {

struct Registers {
    unsigned a, b, c, d;
};

inline Registers query(unsigned leaf) {
    Registers r{};
    if (!__get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d)) return {};
    return r;
}

// Returns which register files the operating system saves.
inline unsigned saved_registers() {
    unsigned low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

template <class... Bits> constexpr unsigned bits(Bits... at) { return ((1u << at) | ...); }

constexpr bool has_all(unsigned word, unsigned wanted) { return (word & wanted) == wanted; }

}  // namespace cpu

inline int cpu_level() {
    using namespace cpu;
    const Registers basic = query(1), more = query(7), extended = query(0x80000001);
    // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF
    if (!has_all(basic.c, bits(0, 9, 13, 19, 20, 23)) || !has_all(extended.c, bits(0))) return 1;
    // FMA, MOVBE, XSAVE in use, AVX, F16C; LZCNT; BMI1, AVX2, BMI2
    if (!has_all(basic.c, bits(12, 22, 27, 28, 29)) || !has_all(extended.c, bits(5)) ||
        !has_all(more.b, bits(3, 5, 8)) || !has_all(saved_registers(), bits(1, 2)))
        return 2;
    // AVX-512 F, DQ, CD, BW, VL
    if (!has_all(more.b, bits(16, 17, 28, 30, 31)) || !has_all(saved_registers(), bits(5, 6, 7))) return 3;
    return 4;
}

constexpr const char *kLevelVariable = "TAIJI_CPU_LEVEL";

// Returns the level of this processor, or the lower one that the environment variable sets (v1 to v4), for tests and
// measurements; 0 if that is not a level.
inline int allowed_cpu_level() {
    const char *text = std::getenv(kLevelVariable);
    if (!text || !text[0]) return cpu_level();
    if (text[0] != 'v' || text[1] < '1' || text[1] > '4' || text[2]) return 0;
    return std::min(text[1] - '0', cpu_level());
}

// Returns whether a processor of level 4 multiplies and adds pairs of int16 in one instruction.
inline bool has_avx512_vnni() { return cpu::has_all(cpu::query(7).c, cpu::bits(11)); }

}  // namespace taiji
