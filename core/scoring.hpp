// Group scoring by flood fill on bit masks. The width of the board is a template parameter, so that all shifts are
// constants; boards of up to 64 cells use one word.
#pragma once

#include <algorithm>
#include <array>

#include "bits.hpp"
#include "compiled_game.hpp"

namespace taiji {

// The sizes of the three largest groups, maintained without sorting.
struct LargestThree {
    int first = 0, second = 0, third = 0;

    void add(int size) {
        int rest = std::min(first, size);
        first = std::max(first, size);
        int last = std::min(second, rest);
        second = std::max(second, rest);
        third = std::max(third, last);
    }
    int rank(int n) const { return n == 1 ? first : n == 2 ? second : third; }
};

// Returns the score of groups of these sizes, largest first.
template <class Sizes> int64_t fold_ranks(const Tally &tally, const Sizes &sizes, int n) {
    const int end = tally.last ? std::min(n, tally.last) : n;
    if (tally.first > end) return 0;
    int64_t result = tally.fold == Fold::Product ? 1 : 0;
    for (int i = tally.first - 1; i < end; i++) {
        int64_t value = tally.value[size_t(sizes[i])];
        result = tally.fold == Fold::Product ? result * value : result + value;
    }
    return result;
}

template <class M, int Width, bool King> struct Flood {
    static constexpr M column(int x) {
        M m = 0;
        for (int i = x; i < int(sizeof(M)) * 8; i += Width) m |= M(1) << i;
        return m;
    }
    static constexpr M not_first = M(~column(0)), not_last = M(~column(Width - 1));

    static M adjacent(M m) { return ((m & not_last) << 1) | ((m & not_first) >> 1); }

    static M around(M m) {
        M sides = adjacent(m);
        M row = King ? M(sides | m) : m;
        return sides | (row << Width) | (row >> Width);
    }

    // Returns the group that contains the lowest cell of `own`.
    static M lowest_group(M own) {
        M group = own & (~own + 1), before;
        do {
            before = group;
            group |= around(group) & own;
            group |= around(group) & own;
        } while (group != before);
        return group;
    }

    // Exact for the `wanted` largest groups; stops once the remaining cells cannot change them.
    static LargestThree largest(M own, int wanted) {
        LargestThree best;
        M joined = own & around(own);
        int singles = count(M(own ^ joined)), left = count(joined);
        while (left > best.rank(wanted)) {
            M group = lowest_group(joined);
            joined ^= group;
            int size = count(group);
            left -= size;
            best.add(size);
        }
        for (int i = 0; i < 3 && i < singles; i++) best.add(1);
        return best;
    }

    template <class F> static void each_size(M own, F &&f) {
        while (own) {
            M group = lowest_group(own);
            own ^= group;
            f(count(group));
        }
    }
};

// The score of any tally of groups.
template <class M, int Width, bool King> int64_t flooded_score(const Tally &tally, Mask cells) {
    std::array<int, kMaxCells> sizes;
    int n = 0;
    Flood<M, Width, King>::each_size(M(cells), [&](int size) { sizes[n++] = size; });
    std::sort(sizes.begin(), sizes.begin() + n, std::greater<>());
    return fold_ranks(tally, sizes.data(), n);
}

// The score of a tally that adds up the sizes of the one to three largest groups.
template <class M, int Width, bool King> int64_t three_largest_score(const Tally &tally, Mask cells) {
    LargestThree best = Flood<M, Width, King>::largest(M(cells), tally.last);
    return best.first + (tally.last > 1 ? best.second : 0) + (tally.last > 2 ? best.third : 0);
}

// Returns the function that scores a tally on a board of this width and size.
ScoreFunction score_function(const Tally &tally, int width, int cells);

}  // namespace taiji
