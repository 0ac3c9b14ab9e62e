// The exact solver: alpha-beta to the end of the game with a transposition table.
//
// A value is 3 * (the first seat's lead in half points, with the lead of the match) + (1, 0 or -1 for win, draw, loss),
// so that one number orders results by margin and breaks ties by the game's rule.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "any_position.hpp"

namespace taiji {

struct SolveLimits {
    double seconds = 0;        // 0: unlimited
    uint64_t nodes = 0;        // 0: unlimited
    int64_t lead = 0;          // the first seat's lead from the match in half points
    int tie_winner = -1;       // winner of equal totals: a seat, kNobody, or -1 for the game's rule
    bool all_best = true;      // find all best moves instead of one
    bool winner_only = false;  // find the winner only: no margin, and at most one move, which keeps that result
};

struct SolveResult {
    bool solved = false;
    int64_t lower = 0, upper = 0;  // bounds of the value; equal once solved
    std::vector<int> best;         // best moves found, that of the principal variation first
    std::vector<int> pv;
    std::vector<int> refuted;  // by `find_win`: moves that do not win
    uint64_t nodes = 0;
    double seconds = 0;
};

// Aligned as what its threads share: who deletes a solver knows only this class.
class alignas(64) Solver {
public:
    virtual ~Solver() = default;
    // `megabytes`: maximum size of the transposition table, which all threads share.
    static std::unique_ptr<Solver> make(CompiledGamePtr game, int megabytes, int threads);
    virtual SolveResult solve(const AnyPosition &position, const SolveLimits &limits) = 0;
    // Looks for a winning move, trying `first` in order; solved once one is found or all are refuted.
    virtual SolveResult find_win(const AnyPosition &position, const SolveLimits &limits,
                                 const std::vector<int> &first) = 0;
    // Returns a move that wins because its player can then answer every move with its mirror image, or -1; at once.
    virtual int mirror_win(const AnyPosition &position, int64_t lead, int tie_winner) const = 0;
    // Other threads may call these while the solver works.
    virtual void stop() = 0;
    virtual uint64_t nodes() const = 0;
    std::pair<int64_t, int64_t> bounds() const { return {lower_, upper_}; }

protected:
    std::atomic<int64_t> lower_{0}, upper_{0};
};

}  // namespace taiji
