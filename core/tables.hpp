// A game as flat tables. They are built once from what taiji.kernel.tables reads off a game value, never change
// afterwards, and may be read by any number of threads. No game is known by name.
//
// Footprints are numbered anew as *sites*: bit i of a row of words stands for site i. Sites whose footprints offer the
// same choice of faces form a *class*; each class starts at a word of its own, so that counting a class is counting
// whole words.
#pragma once

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bits.hpp"

namespace taiji {

constexpr int kMostSlots = 64;
constexpr int kMostClasses = 64;
constexpr int kMostWords = 256;      // 16,384 sites a stage
constexpr int kMostActions = 65535;  // an action id fits 16 bits
constexpr int kMostPlies = 300;      // pieces of all stages and a swap

enum class Rule : uint8_t { Largest, Ranked, Squares, Product, Uncovered };
enum class Tie : uint8_t { Light, Dark, Last, Draw };

struct Scoring {
    Rule rule = Rule::Largest;
    int count = 1;  // how many groups, or which rank; 0 means all
    bool king = false;
};

using MaskWords = std::pair<uint64_t, uint64_t>;  // low and high word

// What the Python side says of a stage; lists of footprints and of placements are in the order of their numbers.
struct StageSpec {
    int width = 0, height = 0;
    int first = 0;
    std::vector<MaskWords> cells, halos;
    std::vector<int> kinds, faces;
    std::vector<MaskWords> light, dark;
    std::vector<int> slots;
    std::vector<int> supply;
    std::vector<MaskWords> blocks;
    MaskWords first_covers{0, 0};
    bool must_touch = false, same_kind_apart = false, level_ground = false;
    Scoring scoring;
    std::vector<Scoring> tiebreak;
    int last_bonus = 0;
    bool swap = false;
    std::optional<std::pair<MaskWords, MaskWords>> symbols;
};

// Memory that starts at a cache line, so that no row of words lies across two without need.
template <class T> struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <class U> LineAllocator(const LineAllocator<U> &) {}
    T *allocate(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(64))); }
    void deallocate(T *p, size_t) { ::operator delete(p, std::align_val_t(64)); }
    bool operator==(const LineAllocator &) const { return true; }
};
template <class T> using LineVector = std::vector<T, LineAllocator<T>>;
using Rows = LineVector<uint64_t>;

// The squares that an action adds; apart from the rest of it, as a playout needs nothing else.
struct Face {
    Mask light, dark;
};

struct Action {
    Mask light, dark, cells;
    uint64_t key;  // what it adds to a position's hash
    uint16_t site;
    uint8_t slot, kind, stage;
};

struct Site {
    uint32_t first_action;
    uint16_t faces;
    uint8_t face_class, kind;
    uint32_t blocks_begin, blocks_end;  // into Stage::near_blocks
};

struct FaceClass {
    int word_begin, word_end;
    int faces;
    std::vector<std::pair<int, int>> slots;  // slot, how many of the faces come from it
};

struct Stage {
    int words = 0;   // how many words hold the sites
    int stride = 0;  // the length of a row
    int sites = 0;
    int cells = 0, width = 0, height = 0;
    int first_action = 0, actions = 0;
    uint8_t first = 0;  // the colour that begins
    bool must_touch = false, level_ground = false, swap = false;
    bool gated = false;   // the first piece is bound, or wakes others: what is live is not all that is open
    bool blocked = false; // some block must not fill up
    bool plain = false;   // one class, a supply that cannot run out, nothing but overlap forbids: the quick playout
    int last_bonus = 0;
    Scoring scoring;
    std::vector<Scoring> tiebreak;
    bool printed = false;
    Mask symbols[2] = {0, 0};
    std::vector<uint8_t> supply;
    std::vector<FaceClass> classes;
    std::vector<uint8_t> weights;  // faces a site of each class offers with the full supply
    std::vector<Site> site;
    std::vector<Mask> site_cells, site_halo;
    Rows open, live;  // rows: what no rule forbids at the start, what may be placed first
    Rows kill, wake;  // a row a site
    Rows at_cell;     // a row a cell: the sites that cover it
    std::vector<Mask> blocks;
    std::vector<uint16_t> near_blocks;

    const uint64_t *kills(int s) const { return kill.data() + size_t(s) * stride; }
    const uint64_t *wakes(int s) const { return wake.data() + size_t(s) * stride; }
    const uint64_t *covers(int cell) const { return at_cell.data() + size_t(cell) * stride; }
};

struct Tables {
    std::vector<Stage> stages;
    std::vector<Action> actions;  // every placement; its index is its number
    LineVector<Face> faces;       // the same, in the same order
    LineVector<Face> beside;      // the cells that touch the squares of a face, as its stage counts groups
    int swap_action = -1;
    int action_count = 0;
    Tie tie = Tie::Dark;
    uint64_t swap_key = 0;
    int widest = 0;      // the longest row of any stage
    int most_plies = 0;  // no game is longer
    // For each symmetry of the game, where it takes every action; the first keeps all.
    std::vector<std::vector<uint16_t>> images;
    std::vector<std::vector<int>> cell_images;  // likewise for every cell

    // Throws std::invalid_argument, in a sentence, for a game that is too large.
    Tables(const std::vector<StageSpec> &specs, int tie, bool has_swap,
           const std::vector<std::vector<int>> &cell_maps);
};

}  // namespace taiji
