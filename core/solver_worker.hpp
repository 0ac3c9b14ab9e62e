// What each thread of the solver searches with, and the moves of the root that threads share among them.
#pragma once

#include <atomic>

#include "group_search.hpp"
#include "position_rules.hpp"
#include "site_search.hpp"

namespace taiji {

template <int W> std::unique_ptr<AnyFrame<W>> AnyFrame<W>::make(const Position<W> &p) {
    auto frame = make_group_frame(p);
    return frame ? std::move(frame) : make_site_frame(p);
}

// One thread's searches: reduced states where the game has them, else positions.
template <int W> struct SolverWorker {
    SolverWorker(SharedSearch &shared, const CompiledGame &game, const AnyFrame<W> *frame, TieRule tie, int64_t lead)
        : thread(shared, plies(game)), reduced(frame ? frame->make_search(thread, tie, lead, plies(game)) : nullptr),
          any(PositionRules<W>(game, tie, lead, reduced.get()), thread, shared.position_history, plies(game)) {}

    int64_t search(const Position<W> &p, int64_t beta, int ply) {
        const int64_t value = reduced && reduced->accepts(p) ? reduced->search(p, beta, ply) : any.search(p, beta, ply);
        thread.flush();
        return value;
    }

    // Returns the action that the table holds for a position, or -1.
    int stored_move(const Position<W> &p) {
        if (reduced && reduced->accepts(p)) return reduced->stored_move(p);
        const uint16_t action = any.stored_move(p);
        return action == kNoMove ? -1 : action;
    }

    // Returns a key that positions with the same value share.
    PositionKey key(const Position<W> &p) { return reduced && reduced->accepts(p) ? reduced->key(p) : any.key(p); }

    static int plies(const CompiledGame &game) { return game.max_plies + 2; }

    SolverThread thread;
    std::unique_ptr<ReducedSearch<W>> reduced;
    SolverSearch<PositionRules<W>> any;
};

// A move of the root, the position after it, and the value of that once it is known.
template <int W> struct RootMove {
    Position<W> next;
    PositionKey key;
    std::atomic<bool> taken{false}, known{false};
    std::atomic<int64_t> value{0};

    RootMove(const Position<W> &root, int move) : next(root) { next.play(move); }
};

}  // namespace taiji
