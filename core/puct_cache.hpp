// A cache of net evaluations, by a key that symmetric positions share.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "bits.hpp"
#include "puct_types.hpp"

namespace taiji {

struct NetEvaluation {
    struct Choice {
        uint16_t action;  // in the symmetric image that was evaluated
        float prior;
    };
    float win = 0.5f;                 // win probability of the seat to move
    float margins[kMarginBins] = {};  // probabilities of its final margins
    bool complete = true;             // whether `choices` holds every legal move
    std::vector<Choice> choices;      // highest prior first

    size_t bytes() const { return sizeof(NetEvaluation) + choices.size() * sizeof(Choice) + 64; }
};

// Two generations: when the young one is full, the old one is dropped.
class EvalCache {
public:
    explicit EvalCache(size_t memory) : memory_(memory) {}

    const NetEvaluation *find(uint64_t key) {
        if (auto it = young_.find(key); it != young_.end()) return it->second.get();
        auto it = old_.find(key);
        if (it == old_.end()) return nullptr;
        // Entries in use move to the young generation.
        auto kept = std::move(it->second);
        old_.erase(it);
        return add(key, std::move(kept));
    }

    const NetEvaluation *add(uint64_t key, std::unique_ptr<NetEvaluation> evaluation) {
        if (used_ + evaluation->bytes() > memory_ / 2) {
            old_ = std::move(young_);
            young_.clear();
            used_ = 0;
        }
        used_ += evaluation->bytes();
        auto &entry = young_[key];
        entry = std::move(evaluation);
        return entry.get();
    }

    void clear() {
        young_.clear();
        old_.clear();
        used_ = 0;
    }
    size_t used() const { return used_; }

private:
    size_t memory_, used_ = 0;
    std::unordered_map<uint64_t, std::unique_ptr<NetEvaluation>> young_, old_;
};

}  // namespace taiji
