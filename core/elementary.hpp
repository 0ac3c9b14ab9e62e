// Logarithm and exponential from additions, multiplications and divisions only, which every processor and compiler
// rounds alike: the mathematical library differs in the last bit from system to system, and with it a search would.
#pragma once

#include <bit>
#include <cstdint>

namespace taiji {

// Returns the natural logarithm of a normal positive number, to within a few units of the last place.
inline double natural_log(double x) {
    constexpr uint64_t kRootHalf = 0x3FE6A09E667F3BCD;  // sqrt(1/2)
    const uint64_t bits = std::bit_cast<uint64_t>(x);
    const int64_t exponent = int64_t(bits - kRootHalf) >> 52;
    const double m = std::bit_cast<double>(bits - (uint64_t(exponent) << 52));  // sqrt(1/2) to sqrt(2)
    // ln m = 2 artanh s
    const double s = (m - 1) / (m + 1), q = s * s;
    double sum = 0;
    for (int k = 21; k > 1; k -= 2) sum = q * (1.0 / k + sum);
    return double(exponent) * 0.69314718055994531 + 2 * (s + s * sum);
}

// Returns e to the power of x, 0 or infinity out of range, to within a few units of the last place.
inline double natural_exp(double x) {
    if (!(x > -708)) return 0;
    if (x > 709) return std::bit_cast<double>(uint64_t(0x7FF) << 52);
    const int64_t exponent = int64_t(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    // ln 2 in two parts, so that their products with the exponent are exact enough.
    const double r = (x - double(exponent) * 0x1.62E42FEFA38p-1) - double(exponent) * 0x1.EF35793C7673p-45;
    double sum = 1;
    for (int k = 14; k > 0; k--) sum = 1 + r / k * sum;
    return sum * std::bit_cast<double>(uint64_t(exponent + 1023) << 52);
}

}  // namespace taiji
