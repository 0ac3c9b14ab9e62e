// What the search tree is made of. All of it lives in an arena, zeroed at first.
//
// A node knows only the moves it has admitted: those it tried and the next candidates. Whatever else is legal costs no
// memory until it looks promising. Moves are never taken out and never change place, so threads may read a node while
// another admits a move to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "arena.hpp"

namespace taiji {

// Visits in the upper 28 bits, the sum of results in the lower 36, in units of 1/256: one addition for both.
constexpr int kVisitShift = 36;
constexpr uint64_t kOneVisit = uint64_t(1) << kVisitShift;
constexpr uint64_t kResultMask = kOneVisit - 1;
constexpr uint32_t kWin = 256;

struct alignas(16) Move {
    std::atomic<uint64_t> stats;  // results are for the player who makes the move
    std::atomic<Arena::Ref> node;
    uint16_t action;
    uint16_t prior;  // for an evaluator's policy, in units of 1/65535

    uint32_t visits() const { return uint32_t(stats.load(std::memory_order_relaxed) >> kVisitShift); }
    double mean() const {
        uint64_t s = stats.load(std::memory_order_relaxed);
        return s >> kVisitShift ? double(s & kResultMask) / kWin / double(s >> kVisitShift) : 0;
    }
};

// Statistics of an action wherever it was played later: how often in the upper half, results for Light in the lower,
// in units of 1/2.
struct Elsewhere {
    std::atomic<uint64_t> both;

    // A lost update does no harm; what matters is that these additions are cheap.
    void add(uint64_t amount) {
        both.store(both.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }
    // How often, and how often with success for a colour.
    std::pair<float, float> of(int colour) const {
        uint64_t b = both.load(std::memory_order_relaxed);
        float n = float(uint32_t(b >> 32)), light = float(uint32_t(b)) * 0.5f;
        return {n, colour == 0 ? light : n - light};
    }
};

// All that a node has seen played later, by action of its stage.
struct alignas(Arena::kUnit) Table {
    static constexpr int kTop = 32;
    std::atomic<uint32_t> ranked;  // visits of the node when `top` was made; 0: never
    std::atomic<uint16_t> length;
    std::atomic<uint16_t> top[2][kTop];  // by colour: the most successful actions, best first
    Elsewhere entries[];

    static size_t bytes(int actions) { return sizeof(Table) + size_t(actions) * sizeof(Elsewhere); }
};

// More moves of a node.
struct alignas(Arena::kUnit) MoveBlock {
    static constexpr int kMoves = 7;
    std::atomic<Arena::Ref> next;
    uint32_t unused[3];
    Move moves[kMoves];
};

// The moves of a node that may be chosen until candidates are looked for again, as references in units of a move.
struct alignas(Arena::kUnit) HotList {
    static constexpr int kMoves = 12;
    std::atomic<uint32_t> moves[kMoves];
};

struct alignas(Arena::kUnit) Node {
    static constexpr int kMoves = 6;
    std::atomic<uint32_t> visits;
    std::atomic<uint32_t> rescan;   // visits at which new candidates are looked for
    std::atomic<float> reach;       // the exploration constant times sqrt(ln visits), as of the last look
    std::atomic<Arena::Ref> table;  // what was seen played later
    std::atomic<Arena::Ref> next;   // more moves
    std::atomic<Arena::Ref> hot;    // a HotList, where there are more moves than it holds
    std::atomic<uint16_t> admitted;
    std::atomic<uint8_t> lock;
    uint8_t mover, colour, stage;  // who plays here: seat and colour
    bool complete;                 // every legal move has been admitted; the lock guards it
    Move moves[kMoves];
};

static_assert(sizeof(Move) == 16 && sizeof(Node) == 128 && sizeof(MoveBlock) == 128 && sizeof(HotList) == 64);

}  // namespace taiji
