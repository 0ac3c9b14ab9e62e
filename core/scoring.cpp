#include "scoring.hpp"

#include <utility>

namespace taiji {
namespace {

constexpr int kMaxWidth = 26;

using Function = int64_t (*)(const Scoring &, Mask);

// One instance per width, word size and adjacency.
template <class M, bool King, int... Widths>
constexpr std::array<Function, sizeof...(Widths)> functions(std::integer_sequence<int, Widths...>) {
    return {flooded_score<M, Widths + 1, King>...};
}

using Range = std::make_integer_sequence<int, kMaxWidth>;
constexpr auto small_edge = functions<uint64_t, false>(Range{});
constexpr auto small_king = functions<uint64_t, true>(Range{});
constexpr auto large_edge = functions<Mask, false>(Range{});
constexpr auto large_king = functions<Mask, true>(Range{});

}  // namespace

int64_t score(const Scoring &scoring, int width, int cells, Mask own) {
    if (scoring.rule == Rule::Uncovered) return count(own);
    const auto &edge = cells <= 64 ? small_edge : large_edge;
    const auto &king = cells <= 64 ? small_king : large_king;
    return (scoring.king ? king : edge)[width - 1](scoring, own);
}

}  // namespace taiji
