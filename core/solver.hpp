// The exact solver: alpha-beta to the end of the game with a transposition table.
//
// A value is 3 * (half points of the first seat over the second, the lead included) + (1, 0 or -1 for who wins), so that
// one number orders results by margin and settles ties by the game's own rule.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "handle.hpp"

namespace taiji {

struct SolveLimits {
    double seconds = 0;     // 0: no limit
    uint64_t nodes = 0;     // 0: no limit
    int64_t lead = 0;       // half points the first seat carries in from the match
    int equal_totals = -1;  // who wins when the totals of a match are equal: a seat, kNobody, or -1 for the game's rule
    bool every_best = true; // find all best moves, not only one
    bool winner_only = false; // who wins, not by how much
};

struct SolveResult {
    bool solved = false;
    int64_t lower = 0, upper = 0;  // bounds of the value; equal once solved
    std::vector<int> best;         // every best move found, the principal one first
    std::vector<int> line;
    std::vector<int> refuted;      // by `win`: moves that do not win
    uint64_t nodes = 0;
    double seconds = 0;
};

inline int64_t margin_of(int64_t value) { return value >= 0 ? (value + 1) / 3 : -((-value + 1) / 3); }

class alignas(kAlignment) Solver {
public:
    virtual ~Solver() = default;
    // `megabytes` bounds the table.
    static std::unique_ptr<Solver> make(SharedTables tables, int megabytes);
    virtual SolveResult solve(const Handle &position, const SolveLimits &limits) = 0;
    // Looks for one move that wins, these first; solved once one is found or all are refuted.
    virtual SolveResult win(const Handle &position, const SolveLimits &limits, const std::vector<int> &first) = 0;
    void stop() { stop_ = true; }
    uint64_t nodes() const { return nodes_; }
    std::pair<int64_t, int64_t> bounds() const { return {lower_, upper_}; }

protected:
    std::atomic<bool> stop_{false};
    std::atomic<uint64_t> nodes_{0};
    std::atomic<int64_t> lower_{0}, upper_{0};
};

}  // namespace taiji
