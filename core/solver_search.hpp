// The solver's search: fail-soft alpha-beta with a null window, by one of possibly several threads. It knows positions
// only through `Rules`, which reduces them, ranks and plays moves, and scores the end of a game.
#pragma once

#include <algorithm>
#include <vector>

#include "solver_thread.hpp"

namespace taiji {

struct Choice {
    int64_t rank;
    uint16_t move;
};

template <class Rules> class SolverSearch {
public:
    using State = Rules::State;

    SolverSearch(Rules rules, SolverThread &thread, SharedHistory &history, int plies)
        : rules_(std::move(rules)), thread_(thread), history_(rules_.moves(), history), choices_(size_t(plies)),
          killers_(size_t(plies), kNoMove) {}

    // Returns a lower bound of the first seat's value if that is at least `beta`, else an upper bound below `beta`. The
    // number means nothing while the thread is returning to an earlier position. If `exclusive`, returns kBusy for a
    // position that another thread is searching.
    int64_t search(const State &p, int64_t beta, int ply, bool exclusive = false) {
        // Step 1: end of the game.
        if (!thread_.tick(ply)) return 0;
        if (rules_.is_over(p)) return rules_.final_value(p);

        // Step 2: reduce the position; cut off by static bounds.
        typename Rules::Reduced reduced(rules_, p);
        if (reduced.least() >= beta) return reduced.least();
        if (reduced.most() < beta) return reduced.most();

        // Step 3: probe the transposition table.
        const PositionKey key = thread_.seeded(reduced.key());
        TTEntry known;
        if (thread_.table().find(key, known)) {
            if (known.lower >= beta) return known.lower;
            if (known.upper < beta) return known.upper;
        }
        int64_t mirrored;
        uint16_t mirroring = kNoMove;
        if (reduced.mirrors_decide(p, beta, mirrored, mirroring)) return store(key, reduced, beta, mirrored, mirroring);
        const bool shared = thread_.is_parallel() && reduced.pieces() >= kMinSharedPieces;
        bool marked = false;
        if (shared) {
            marked = !thread_.shared().busy.contains(key);
            if (exclusive && !marked) return kBusy;
            if (marked) thread_.shared().busy.add(key);
            if (thread_.exchanges_history()) history_.exchange();
        }
        thread_.enter(ply, key);

        // Step 4: search every choice in order of rank, those that lead to a busy position last.
        std::vector<Choice> &choices = choices_[size_t(ply)];
        choices.clear();
        const int colour = rules_.colour_to_move(p);
        const uint16_t stored = reduced.from_stored(known.move);
        const bool highest = rules_.seat_to_move(p) == 0;
        int64_t best = highest ? -kInfinity : kInfinity;
        uint16_t best_move = kNoMove;
        bool cut = false;
        size_t deferred = 0;
        auto search_move = [&](uint16_t move, bool may_defer) {
            const int64_t value = search_after(p, move, beta, ply, may_defer);
            if (thread_.is_returning()) return true;
            if (value == kBusy) {
                choices[deferred++].move = move;
                return false;
            }
            if (highest ? value > best : value < best) {
                best = value;
                best_move = move;
            }
            return highest ? best >= beta : best < beta;
        };
        if constexpr (Rules::kStoredFirst)
            cut = stored != kNoMove && rules_.is_legal(p, stored) && search_move(stored, false);
        if (!cut) rules_.rank_choices(p, reduced, beta, history_.of(colour), choices);
        for (Choice &choice : choices) {
            if (choice.move == killers_[size_t(ply)]) choice.rank += rules_.killer_bonus(reduced);
            // A move that has been searched costs a look at the table.
            if (choice.move == stored) choice.rank = Rules::kStoredFirst ? -kInfinity : kInfinity;
        }
        const size_t together = moves_together(highest);
        for (size_t i = 0; i < choices.size() && !cut; i++) {
            pick_next(choices, i);
            cut = search_move(choices[i].move, shared && i >= together);
        }
        for (size_t i = 0; i < deferred && !cut; i++) cut = search_move(choices[i].move, false);
        if (marked) thread_.shared().busy.remove(key);
        if (thread_.is_returning()) return thread_.arrives(ply) ? search(p, beta, ply) : 0;

        // Step 5: store the result.
        if (cut) {
            if (shared) cuts_[highest]++;
            history_.reward(colour, best_move, int64_t(reduced.pieces()) * reduced.pieces());
            killers_[size_t(ply)] = best_move;
        }
        return store(key, reduced, beta, best, best_move);
    }

    // Returns the best move that the table holds, or kNoMove.
    uint16_t stored_move(const State &p) {
        typename Rules::Reduced reduced(rules_, p);
        TTEntry known;
        const bool found = thread_.table().find(thread_.seeded(reduced.key()), known);
        return found ? reduced.from_stored(known.move) : kNoMove;
    }

    PositionKey key(const State &p) {
        typename Rules::Reduced reduced(rules_, p);
        return reduced.key();
    }

    Rules &rules() { return rules_; }

private:
    static constexpr int64_t kBusy = 2 * kInfinity;  // not a value
    static constexpr int kMinSharedPieces = 5;       // smaller positions take less time than sharing them
    static constexpr size_t kMovesTogether = 4;
    static constexpr size_t kPicked = 3;  // moves that are picked one by one before the others are sorted

    // Moves the best of the remaining choices to place i. Most positions are cut off by one of the first.
    static void pick_next(std::vector<Choice> &choices, size_t i) {
        auto better = [](const Choice &a, const Choice &b) {
            return a.rank != b.rank ? a.rank > b.rank : a.move < b.move;
        };
        const auto begin = choices.begin() + std::ptrdiff_t(i);
        if (i < kPicked) std::iter_swap(begin, std::min_element(begin, choices.end(), better));
        else if (i == kPicked) std::sort(begin, choices.end(), better);
    }

    // Returns how many moves all threads search together before they take different ones. Where a move will most likely
    // cut off, the next ones are searched in vain.
    size_t moves_together(bool highest) const { return cuts_[highest] > cuts_[!highest] ? kMovesTogether : 1; }

    int64_t store(PositionKey key, const Rules::Reduced &reduced, int64_t beta, int64_t value, uint16_t move) {
        const bool reached = value >= beta;
        thread_.table().store(key, reduced.pieces(), reached ? value : -kInfinity, reached ? kInfinity : value,
                              reduced.to_stored(move));
        return value;
    }

    int64_t search_after(const State &p, uint16_t move, int64_t beta, int ply, bool exclusive) {
        State next = p;
        rules_.play(next, move);
        if (rules_.delegates(next)) return rules_.search_delegated(next, beta, ply + 1);
        return search(next, beta, ply + 1, exclusive);
    }

    Rules rules_;
    SolverThread &thread_;
    History history_;
    std::vector<std::vector<Choice>> choices_;
    std::vector<uint16_t> killers_;
    int64_t cuts_[2] = {0, 0};  // by the seat to move (1: the first), in positions that threads share
};

}  // namespace taiji
