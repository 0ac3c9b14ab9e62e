// The rules of a game as Python describes them (src/taiji/rules/program.py): tests of a placement and tallies of
// groups. No rule is known by name.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace taiji {

enum class Plane : uint8_t { Piece, Covered, After, Kind, Ground };
enum class Region : uint8_t { Under, AroundEdge, AroundKing, Fixed, Each };
enum class When : uint8_t { Always, First, Later };
enum class Join : uint8_t { None, Edge, King };
enum class Fold : uint8_t { Sum, Product };
enum class Tie : uint8_t { Light, Dark, Last, Draw };

using MaskWords = std::pair<uint64_t, uint64_t>;  // low and high word

// A placement passes if, in each mask of the region, the number of cells in the plane lies in one of the ranges.
struct TestSpec {
    Plane plane = Plane::Covered;
    Region region = Region::Under;
    When when = When::Always;
    std::vector<std::pair<int, int>> ranges;  // inclusive; a negative end counts from the size of the mask
    std::vector<MaskWords> sets;              // of Region::Fixed (one) and Region::Each
};

// A way to score: the groups of ranks `first` to `last`, largest first, each worth `value[size]`; no group makes 0.
struct Tally {
    bool symbols = false;  // groups of uncovered symbols instead of squares
    Join join = Join::Edge;
    int first = 1, last = 1;  // last = 0: all groups
    Fold fold = Fold::Sum;
    std::vector<int64_t> value;  // by size, up to the number of cells of the board
    bool linear = false;         // the sum of sizes
    bool monotone = false;       // growing and joining groups never lower the score
};

// A stage; footprints and placements are listed by index.
struct StageSpec {
    int width = 0, height = 0;
    MaskWords board{0, 0};  // the cells that are not holes
    int first = 0;
    std::vector<MaskWords> cells;
    std::vector<int> kinds, faces;
    std::vector<MaskWords> light, dark;
    std::vector<int> slots;
    std::vector<int> supply;
    std::vector<TestSpec> tests;
    Tally score;
    std::vector<Tally> tiebreak;
    int last_bonus = 0;
    int swap_after = -1;  // after this many placements the player to move may swap; -1: never
    std::optional<std::pair<MaskWords, MaskWords>> symbols;
};

}  // namespace taiji
