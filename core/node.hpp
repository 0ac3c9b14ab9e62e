// The parts of the search tree. They live in an arena and start as zeros.
//
// Progressive widening: a node stores only the moves it has tried and the next candidates; other legal moves take no
// memory. Moves are never removed or moved in memory, so threads may read a node while another thread adds a move.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "arena.hpp"

namespace taiji {

// Statistics of a move in one word, so that one addition updates both: visits in the upper 28 bits, the sum of results
// in the lower 36 bits, in units of 1/256.
constexpr int kVisitShift = 36;
constexpr uint64_t kOneVisit = uint64_t(1) << kVisitShift;
constexpr uint64_t kResultMask = kOneVisit - 1;
constexpr uint32_t kWin = 256;

struct alignas(16) Move {
    std::atomic<uint64_t> stats;  // results of the player who makes the move
    std::atomic<Arena::Ref> node;
    uint16_t action;
    uint16_t prior;  // policy, in units of 1/65535

    uint32_t visits() const { return uint32_t(stats.load(std::memory_order_relaxed) >> kVisitShift); }
    double mean() const {
        uint64_t s = stats.load(std::memory_order_relaxed);
        return s >> kVisitShift ? double(s & kResultMask) / kWin / double(s >> kVisitShift) : 0;
    }
};

// AMAF statistics of one action: visits in the upper 32 bits, Light's results in the lower 32 bits, in half wins.
struct AmafStats {
    std::atomic<uint64_t> both;

    // Not an atomic addition: a lost update is harmless and the additions must be cheap.
    void add(uint64_t amount) { both.store(both.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed); }
    // Returns the visits and the wins of a colour.
    std::pair<float, float> of(int colour) const {
        uint64_t b = both.load(std::memory_order_relaxed);
        float n = float(uint32_t(b >> 32)), light = float(uint32_t(b)) * 0.5f;
        return {n, colour == 0 ? light : n - light};
    }
};

// AMAF statistics of a node, by action of its stage.
struct alignas(Arena::kUnit) AmafTable {
    static constexpr int kTopActions = 32;
    static constexpr int kBlock = 8;           // entries that are added to at once
    std::atomic<uint32_t> rank_beyond_visits;  // visits of the node beyond which `top` is out of date
    std::atomic<uint16_t> length;
    std::atomic<uint16_t> top[2][kTopActions];  // by colour: actions with the best AMAF mean, best first
    AmafStats entries[];                        // and kBlock more, of no action, which fill up blocks

    static size_t bytes(int actions) { return sizeof(AmafTable) + size_t(actions + kBlock) * sizeof(AmafStats); }

    // Adds to the entries of kBlock indices.
    void add(const uint16_t *block, uint64_t amount) {
        const auto add = [&](int i) { entries[block[i]].add(amount); };
        add(0), add(1), add(2), add(3), add(4), add(5), add(6), add(7);
    }
};

// An overflow block of moves; blocks of a node form a linked list.
struct alignas(Arena::kUnit) MoveBlock {
    static constexpr int kMoves = 7;
    std::atomic<Arena::Ref> next;
    uint32_t unused[3];
    Move moves[kMoves];
};

// The best moves of a node, as fine references; selection compares only these until the next widening.
struct alignas(Arena::kUnit) Shortlist {
    static constexpr int kMoves = 12;
    std::atomic<uint32_t> moves[kMoves];
};

struct alignas(Arena::kUnit) Node {
    static constexpr int kMoves = 6;
    std::atomic<uint32_t> visits;
    std::atomic<uint32_t> widen_at_visits;  // visits at which the node looks for new candidates
    std::atomic<float> exploration_term;    // exploration constant · sqrt(ln visits), as of the last widening
    std::atomic<Arena::Ref> table;          // an AmafTable, or 0
    std::atomic<Arena::Ref> next;           // the first MoveBlock, or 0
    std::atomic<Arena::Ref> shortlist;      // a Shortlist, or 0 while all moves fit into one
    std::atomic<uint16_t> move_count;
    std::atomic<uint8_t> lock;
    uint8_t seat, colour, stage;  // seat and colour to move
    bool complete;                // every legal move has been added; guarded by the lock
    Move moves[kMoves];
};

static_assert(sizeof(Move) == 16 && sizeof(Node) == 128 && sizeof(MoveBlock) == 128 && sizeof(Shortlist) == 64);

}  // namespace taiji
