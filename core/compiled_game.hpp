// A game as flat lookup tables, built once by taiji.kernel.compile. They are immutable, so any number of threads may
// read them. No game is known by name.
//
// Footprints are renumbered as *sites*: bit i of a row of words stands for site i. Sites whose footprints offer the
// same choice of faces form a *class*; each class starts at a word boundary, so that counting a class counts whole
// words.
#pragma once

#include <bitset>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "bits.hpp"
#include "program.hpp"

namespace taiji {

constexpr int kMaxSlots = 64;
constexpr int kMaxClasses = 64;
constexpr int kMaxWords = 256;      // 16,384 sites per stage
constexpr int kMaxActions = 65520;  // an action id fits 16 bits, and so does the index of a spare AMAF entry
constexpr int kMaxPlies = 300;      // all pieces of all stages, a swap and a named komi
constexpr int kMaxBlocks = 65535;

// Allocates at cache-line boundaries, so that short rows do not straddle two lines.
template <class T> struct CacheAlignedAllocator {
    using value_type = T;
    CacheAlignedAllocator() = default;
    template <class U> CacheAlignedAllocator(const CacheAlignedAllocator<U> &) {}
    T *allocate(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(64))); }
    void deallocate(T *p, size_t) { ::operator delete(p, std::align_val_t(64)); }
    bool operator==(const CacheAlignedAllocator &) const { return true; }
};
template <class T> using AlignedVector = std::vector<T, CacheAlignedAllocator<T>>;
using Rows = AlignedVector<uint64_t>;

// The squares that an action adds; stored apart, because a playout reads nothing else of an action.
struct Face {
    Mask light, dark;
};

struct Action {
    Mask light, dark, cells;
    uint64_t key;  // its summand in a position's hash
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
    std::vector<std::pair<int, int>> slots;  // slot, number of faces it supplies
};

// A test whose counts are taken site by site.
struct CountTest {
    Plane plane;
    When when;
    std::vector<uint32_t> first_mask;  // by site, into `masks`; one more at the end
    std::vector<Mask> masks;
    std::vector<std::bitset<kMaxCells + 1>> passing;  // by size of a mask: the counts that pass

    // Returns whether a site passes with these cells in the plane.
    bool passes(int site, Mask plane_cells) const {
        for (uint32_t i = first_mask[size_t(site)]; i < first_mask[size_t(site) + 1]; i++)
            if (!passing[size_t(count(masks[i]))][size_t(count(plane_cells & masks[i]))]) return false;
        return true;
    }
};

using ScoreFunction = int64_t (*)(const Tally &, Mask);

// A tally with the function that scores it on its board.
struct CompiledTally : Tally {
    ScoreFunction function = nullptr;

    int64_t points(Mask own) const { return function(*this, own); }
};

struct Stage {
    int words = 0;   // words that hold the sites
    int stride = 0;  // words per row
    int sites = 0;
    int cells = 0, width = 0, height = 0;
    int first_action = 0, actions = 0;
    uint8_t first = 0;                  // the colour that moves first
    int swap_after = -1;                // after this many placements the player to move may swap; -1: never
    bool has_wakes = false;             // sites become live when a piece is placed next to them
    bool has_dormant_sites = false;     // some open sites may not be live
    bool has_forbidden_blocks = false;  // some block of cells must not be filled
    bool overlap_only = false;          // one class, ample supply, only overlap forbids: fast playouts
    bool scores_symbols = false;        // the score or a tie-break counts uncovered symbols
    int kind_masks = 0;                 // kinds whose covered cells a position must keep, for the count tests
    int last_bonus = 0;
    CompiledTally score;
    std::vector<CompiledTally> tiebreak;
    bool printed = false;
    Mask symbols[2] = {0, 0};
    std::vector<uint8_t> supply;
    std::vector<FaceClass> classes;
    std::vector<uint8_t> weights;  // by class: faces per site with the full supply
    std::vector<int> site_of;      // by footprint
    std::vector<Site> site;
    std::vector<Mask> site_cells;
    Rows open, live;  // one row each: sites not forbidden at the start, sites legal at the start
    Rows kill, wake;  // one row per site
    Rows at_cell;     // one row per cell: the sites that cover it
    std::vector<Mask> blocks;
    std::vector<uint16_t> near_blocks;
    bool is_level = false;                // a piece lies wholly on pieces of the stage before, or wholly beside them
    std::vector<CountTest> ground_tests;  // other tests on the stage before, counted when the stage starts
    std::vector<CountTest> count_tests;   // counted after every placement

    const uint64_t *kills(int s) const { return kill.data() + size_t(s) * stride; }
    const uint64_t *wakes(int s) const { return wake.data() + size_t(s) * stride; }
    const uint64_t *covers(int cell) const { return at_cell.data() + size_t(cell) * stride; }
    int row_words() const { return stride + 2 * kind_masks; }  // of a position
};

// Builds the tables of a stage; throws std::invalid_argument if it exceeds a limit above.
Stage build_stage(const StageSpec &spec, int first_action);

struct CompiledGame {
    std::vector<Stage> stages;
    std::vector<Action> actions;   // all placements, by action id
    AlignedVector<Face> faces;     // by action id
    AlignedVector<Face> adjacent;  // by action id: cells adjacent to the face's squares
    int swap_action = -1;
    int action_count = 0;
    Tie tie = Tie::Dark;
    int komi = 0;                   // half points that Light gets in the first stage
    std::vector<int> komi_names;    // if not empty, one of these is named first; their actions follow the swap's
    std::vector<uint16_t> opening;  // placements on the board at the start, in order
    uint64_t swap_key = 0;
    int max_row_words = 0;  // maximum row_words of any stage
    int max_plies = 0;      // upper bound on the length of a game
    // By symmetry of the game: the image of every action; the first is the identity.
    std::vector<std::vector<uint16_t>> images;
    std::vector<std::vector<int>> cell_images;  // the same for cells

    // Throws std::invalid_argument if the game exceeds a limit above.
    CompiledGame(const std::vector<StageSpec> &specs, Tie tie_rule, int fixed_komi, std::vector<int> named_komis,
                 const std::vector<int> &opening_actions, const std::vector<std::vector<int>> &cell_maps);

    bool is_placement(int action) const { return size_t(action) < actions.size(); }
    // Returns the half points that an action names; only for actions after the swap.
    int named_komi(int action) const { return komi_names[size_t(action - swap_action - 1)]; }
    // Returns the summand of a swap or a named komi in a position's hash.
    uint64_t key_of_choice(int action) const {
        return action == swap_action ? swap_key : swap_key * (2 * uint64_t(action - swap_action) + 1);
    }
};

inline Mask join_words(MaskWords words) { return mask(words.first, words.second); }

// Returns the neighbours of these cells on a board of this size, without the cells themselves.
Mask neighbours(int width, int height, bool king, Mask cells);

}  // namespace taiji
