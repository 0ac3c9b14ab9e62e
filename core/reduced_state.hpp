// Reduces positions of overlap-only stages to what the rest of the game depends on: the cells that can still be
// covered, each group adjacent to them (its size and those neighbours), and the sizes of the other groups. Positions
// with equal reductions share an entry in the solver's transposition table.
#pragma once

#include <cstdint>

#include "bits.hpp"
#include "compiled_game.hpp"

namespace taiji {

struct ReducedState {
    uint64_t key = 0, verification_hash = 0;  // two independent hashes
    int64_t score[2] = {0, 0};                // points by colour now; if `bounded`, a lower bound at the end
    int64_t most[2] = {0, 0};                 // if `bounded`, an upper bound of the points by colour at the end
    bool bounded = false;
};

// `live` are the cells that can still be covered; at most `gain[c]` more squares of colour c can be placed.
void reduce_state(const Stage &stage, Mask light, Mask dark, Mask live, const int gain[2], ReducedState &out);

// Returns whether the reduction is exact: the stage is overlap-only, scores groups and has no tie-break.
inline bool is_reducible(const Stage &stage) {
    return stage.overlap_only && stage.tiebreak.empty() && !stage.score.symbols && stage.score.join != Join::None &&
           (stage.score.last || stage.score.first == 1);
}

}  // namespace taiji
