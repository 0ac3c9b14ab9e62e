// What a search is told and what it answers: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace taiji {

enum class Method : uint8_t { Uct, Grave };

struct SearchOptions {
    Method method = Method::Grave;
    double exploration = 0.05;  // the constant before sqrt(ln N / n)
    double first_play = 0.6;    // the value of a move that nothing is known of
    double bias = 3e-4;         // how soon a move's own mean outweighs what is known of it elsewhere
    uint32_t reference = 50;    // visits from which a node's own all-moves-as-first statistics are trusted
    uint32_t collect = 12;      // visits from which a node collects them
    double doubt = 2;           // visits at an even result that every action is thought to have had elsewhere
    uint32_t expand = 4;        // visits after which a move gets a node of its own
    double rescan = 1.2;        // a node looks for new candidates when its visits have grown by this factor
    int candidates = 1;         // random moves of which a playout plays the best; plain stages stay uniform
    bool learned = false;       // best by what the root has seen played later; else by what it brings at once
    int threads = 1;
    uint64_t seed = 0;
    size_t memory = size_t(256) << 20;  // bytes that the tree may take
    bool reuse = true;                  // keep what was learnt of a position that is reached
};

struct SearchLimits {
    uint64_t playouts = 0;  // 0: no bound
    double seconds = 0;     // 0: no bound
};

// What counts as a win: the totals of the game plus a lead carried in from a match.
struct Objective {
    static constexpr int kGameRule = -1;
    int64_t lead = 0;            // half points of the first seat over the second
    int equal_totals = kGameRule;  // who wins those: a seat, 2 for nobody, or the game's own rule
};

struct MoveInfo {
    int action = 0;
    uint64_t visits = 0;
    double win = 0;     // probability for the player to move
    double margin = 0;  // expected points ahead, for the player to move
};

struct SearchInfo {
    uint64_t playouts = 0;  // of this run
    uint64_t nodes = 0;
    double seconds = 0;
    double win = 0.5, margin = 0;  // of the best move, for the player to move
    uint64_t memory = 0;
    int depth = 0;  // of the principal variation
    std::vector<int> variation;
    std::vector<MoveInfo> moves;  // best first
};

}  // namespace taiji
