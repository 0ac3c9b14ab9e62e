#include "scoring.hpp"

#include <utility>

namespace taiji {
namespace {

constexpr int kMaxWidth = 26;

// One instance per width, word size and adjacency.
template <class M, bool King, int... Widths>
constexpr std::array<ScoreFunction, sizeof...(Widths)> any_tally(std::integer_sequence<int, Widths...>) {
    return {flooded_score<M, Widths + 1, King>...};
}
template <class M, bool King, int... Widths>
constexpr std::array<ScoreFunction, sizeof...(Widths)> three_largest(std::integer_sequence<int, Widths...>) {
    return {three_largest_score<M, Widths + 1, King>...};
}

using Range = std::make_integer_sequence<int, kMaxWidth>;

template <class M, bool King> ScoreFunction choose(bool fast, int width) {
    static constexpr auto any = any_tally<M, King>(Range{}), three = three_largest<M, King>(Range{});
    return (fast ? three : any)[size_t(width - 1)];
}

int64_t count_cells(const Tally &, Mask own) { return count(own); }

// Every cell is a group of size 1.
int64_t score_cells(const Tally &tally, Mask own) {
    std::array<int, kMaxCells> sizes;
    sizes.fill(1);
    return fold_ranks(tally, sizes, count(own));
}

}  // namespace

ScoreFunction score_function(const Tally &tally, int width, int cells) {
    if (tally.join == Join::None) return tally.linear && tally.first == 1 && !tally.last ? count_cells : score_cells;
    const bool fast = tally.linear && tally.first == 1 && tally.last >= 1 && tally.last <= 3;
    if (tally.join == Join::King)
        return cells <= 64 ? choose<uint64_t, true>(fast, width) : choose<Mask, true>(fast, width);
    return cells <= 64 ? choose<uint64_t, false>(fast, width) : choose<Mask, false>(fast, width);
}

}  // namespace taiji
