// Options, limits and results of the tree search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace taiji {

enum class Method : uint8_t { Uct, Grave };

struct SearchOptions {
    Method method = Method::Grave;
    double exploration = 0.05;        // factor of sqrt(ln N / n)
    double first_play_urgency = 0.6;  // value of a move without statistics
    double rave_bias = 3e-4;          // RAVE bias: how soon a move's own mean outweighs its AMAF mean
    uint32_t grave_ref = 50;          // GRAVE: visits from which a node's own AMAF statistics are used
    uint32_t amaf_min_visits = 12;    // visits from which a node collects AMAF statistics
    double amaf_prior = 2;            // AMAF visits with an even result that every action starts with
    uint32_t expand_visits = 4;       // visits after which a move gets a node
    double widening_factor = 1.2;     // progressive widening: growth of a node's visits between candidates
    int playout_candidates = 1;       // random moves of which a playout plays the best; 1 in overlap-only stages
    bool amaf_playouts = false;       // choose among them by the root's AMAF mean instead of the immediate gain
    int threads = 1;
    uint64_t seed = 0;
    size_t memory = size_t(256) << 20;  // maximum bytes of the tree
    bool reuse = true;                  // keep the subtree of a position that is reached
};

struct SearchLimits {
    uint64_t playouts = 0;  // 0: unlimited
    double seconds = 0;     // 0: unlimited
};

// What counts as a win: the totals of the game plus a lead carried over from a match.
struct Objective {
    static constexpr int kGameRule = -1;
    int64_t lead = 0;            // the first seat's lead in half points
    int tie_winner = kGameRule;  // winner of equal totals: a seat, 2 for nobody, or the game's rule
};

struct MoveInfo {
    int action = 0;
    uint64_t visits = 0;
    double win_prob = 0;  // of the seat to move
    double margin = 0;    // expected final margin in points of the seat to move
};

struct SearchInfo {
    uint64_t playouts = 0;  // in this run
    uint64_t nodes = 0;
    double seconds = 0;
    double win_prob = 0.5, margin = 0;  // of the best move, for the seat to move
    uint64_t memory = 0;
    int depth = 0;  // length of the principal variation
    std::vector<int> pv;
    std::vector<MoveInfo> moves;  // best first
};

}  // namespace taiji
