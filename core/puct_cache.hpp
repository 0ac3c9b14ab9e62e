// What a net has said of positions, by a key that the images of a position under the board's symmetries share.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "bits.hpp"

namespace taiji {

constexpr int kMargins = 61;  // final leads that a net tells apart: -30 or less, ..., 30 or more

struct Judgement {
    struct Choice {
        uint16_t action;  // of the image that the net saw
        float prior;
    };
    float win = 0.5f;             // for the mover
    float margins[kMargins] = {}; // probabilities of the mover's leads
    bool complete = true;         // every legal move is among the choices
    std::vector<Choice> choices;  // the likeliest first

    size_t bytes() const { return sizeof(Judgement) + choices.size() * sizeof(Choice) + 64; }
};

// Forgets the older half when it is full.
class JudgementCache {
public:
    explicit JudgementCache(size_t memory) : memory_(memory) {}

    const Judgement *find(uint64_t key) {
        if (auto it = young_.find(key); it != young_.end()) return it->second.get();
        auto it = old_.find(key);
        if (it == old_.end()) return nullptr;
        // What is still asked for stays.
        auto kept = std::move(it->second);
        old_.erase(it);
        return add(key, std::move(kept));
    }

    const Judgement *add(uint64_t key, std::unique_ptr<Judgement> said) {
        if (used_ + said->bytes() > memory_ / 2) {
            old_ = std::move(young_);
            young_.clear();
            used_ = 0;
        }
        used_ += said->bytes();
        auto &place = young_[key];
        place = std::move(said);
        return place.get();
    }

    void clear() {
        young_.clear();
        old_.clear();
        used_ = 0;
    }
    size_t used() const { return used_; }

private:
    size_t memory_, used_ = 0;
    std::unordered_map<uint64_t, std::unique_ptr<Judgement>> young_, old_;
};

}  // namespace taiji
