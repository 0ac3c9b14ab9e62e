// What a position of a plain stage comes down to. Only overlap forbids anything there, so the rest of the game depends on
// the cells that can still be covered, on each group that touches them (which of them, how large) and on the sizes of
// the groups that touch none. Positions that agree in this are one to the solver, however they came about.
#pragma once

#include <cstdint>

#include "bits.hpp"
#include "tables.hpp"

namespace taiji {

struct Essence {
    uint64_t key = 0, check = 0;  // two independent hashes
    int64_t score[2] = {0, 0};    // points by colour now; never less at the end where `bounded`
    int64_t most[2] = {0, 0};     // points by colour that can at most be reached, where `bounded`
    bool bounded = false;
};

// `live` are the cells that can still be covered; at most `gain[c]` further squares of colour c can be laid.
void find_essence(const Stage &stage, Mask light, Mask dark, Mask live, const int gain[2], Essence &out);

// Whether the essence tells all: the stage is plain and nothing but its own score breaks a tie.
inline bool has_essence(const Stage &stage) {
    return stage.plain && stage.tiebreak.empty() && stage.scoring.rule != Rule::Uncovered;
}

}  // namespace taiji
