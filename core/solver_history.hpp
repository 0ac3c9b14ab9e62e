// The history heuristic of the solver: how often a move has cut off, weighted by the pieces to come.
//
// Each thread adds to a copy of its own, and the copies are put together now and then: with a history for each thread,
// 16 threads learn the order of moves so slowly that they search half as many positions again; with one for all, every
// cutoff would take its lines from the caches of the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace taiji {

class SharedHistory {
public:
    explicit SharedHistory(size_t moves) : counts_(2 * moves) {}

    std::vector<std::atomic<int64_t>> &counts() { return counts_; }

private:
    std::vector<std::atomic<int64_t>> counts_;
};

class History {
public:
    // `moves`: at most those of `shared`.
    History(size_t moves, SharedHistory &shared)
        : moves_(moves), counts_(2 * moves, 0), added_(2 * moves, 0), shared_(&shared) {}

    // Returns the counts by move if this colour is to move.
    const int64_t *of(int colour) const { return counts_.data() + size_t(colour) * moves_; }

    void reward(int colour, uint16_t move, int64_t weight) {
        counts_[size_t(colour) * moves_ + move] += weight;
        added_[size_t(colour) * moves_ + move] += weight;
    }

    // Gives the other threads what this one has added since the last time, and takes what they have added.
    void exchange() {
        for (size_t i = 0; i < counts_.size(); i++) {
            std::atomic<int64_t> &all = shared_->counts()[i];
            if (added_[i]) all.fetch_add(added_[i], std::memory_order_relaxed);
            added_[i] = 0;
            counts_[i] = all.load(std::memory_order_relaxed);
        }
    }

private:
    size_t moves_;
    std::vector<int64_t> counts_, added_;  // by colour and move
    SharedHistory *shared_;
};

}  // namespace taiji
