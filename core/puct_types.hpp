// What a search by priors is told and what it answers: plain data.
#pragma once

#include "search_types.hpp"

namespace taiji {

struct PuctOptions {
    double exploration = 1.0;     // the weight of the priors in a fresh node
    double growth = 0.5;          // how much it gains when the visits grow from nothing to e times `horizon`
    double horizon = 500;         // visits from which it grows
    double reduction = 0.15;      // what an unvisited move is thought worse than its node, once all else was visited
    double temperature = 1.0;     // of the policy; above 1 flattens it
    uint64_t seed = 0;
    size_t memory = size_t(256) << 20;  // bytes of tree and cache together
    bool reuse = true;
    bool cache = true;
};

struct PuctLimits {
    uint64_t playouts = 0;     // descents; 0: no bound
    uint64_t evaluations = 0;  // positions that the net judges; 0: no bound
    double seconds = 0;        // 0: no bound
};

struct PuctInfo : SearchInfo {
    uint64_t evaluations = 0;  // positions that the net judged
    uint64_t remembered = 0;   // those that the cache knew
    bool proven = false;       // the value of the root is exact
};

}  // namespace taiji
