// Options, limits and results of a PUCT search.
#pragma once

#include "search_types.hpp"

namespace taiji {

constexpr int kMarginBins = 61;  // margin classes of a net: -30 or less, ..., 30 or more

struct PuctOptions {
    double cpuct = 1.0;               // weight of the priors in a fresh node
    double cpuct_factor = 0.5;        // growth of that weight with ln(1 + visits / cpuct_base)
    double cpuct_base = 500;          // visits at which the growth sets in
    double fpu_reduction = 0.15;      // first-play urgency: value lost by an unvisited move, times sqrt(visited prior)
    double policy_temperature = 1.0;  // softmax temperature; above 1 flattens the policy
    uint64_t seed = 0;
    size_t memory = size_t(256) << 20;  // bytes for tree and cache together
    bool reuse = true;
    bool cache = true;
};

struct PuctLimits {
    uint64_t playouts = 0;     // descents; 0: unlimited
    uint64_t evaluations = 0;  // positions evaluated by the net; 0: unlimited
    double seconds = 0;        // 0: unlimited
};

struct PuctInfo : SearchInfo {
    uint64_t evaluations = 0;  // positions evaluated by the net
    uint64_t cache_hits = 0;   // positions found in the cache
    bool proven = false;       // whether the value of the root is exact
};

}  // namespace taiji
