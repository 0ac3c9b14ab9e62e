// Values of results: 3 * (the first seat's lead in half points) + (1, 0 or -1 for win, draw, loss).
#pragma once

#include "position.hpp"
#include "solver.hpp"

namespace taiji {

// What decides equal totals.
struct TieRule {
    Tie tie = Tie::Dark;
    int winner = -1;  // a seat or kNobody by the match, or -1

    // Returns the seat that wins; `swapped`: the first seat has the dark colour.
    int winner_of_tie(bool swapped, int last_seat) const {
        if (winner >= 0) return winner;
        switch (tie) {
            case Tie::Light: return int(swapped);
            case Tie::Dark: return 1 ^ int(swapped);
            case Tie::Last: return last_seat;
            case Tie::Draw: return kNobody;
        }
        return kNobody;
    }
};

inline int64_t result_value(int64_t lead, int winner) { return 3 * lead + (winner == 0 ? 1 : winner == 1 ? -1 : 0); }

}  // namespace taiji
