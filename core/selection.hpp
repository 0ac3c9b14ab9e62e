// Which move of a node to follow, and which moves to admit to it.
#pragma once

#include <cmath>
#include <vector>

#include "playout.hpp"
#include "search_types.hpp"
#include "tree.hpp"

namespace taiji {

// 1 / sqrt(n + 1), from a table where n is small.
class InverseRoots {
public:
    InverseRoots() {
        for (size_t n = 0; n < kTable; n++) roots_[n] = 1 / std::sqrt(float(n + 1));
    }
    float of(uint32_t n) const { return n < kTable ? roots_[n] : 1 / std::sqrt(float(n) + 1); }

private:
    static constexpr size_t kTable = 2048;
    float roots_[kTable];
};

inline const InverseRoots inverse_roots;

// What one thread needs to choose moves.
template <int W> class Selector {
public:
    Selector(const Tables &tables, Tree &tree, const SearchOptions &options)
        : tree_(tree), options_(options), marks_(size_t(tables.action_count), 0) {}

    // The move to follow from this node, or nullptr where memory has run out before any was admitted. `table` holds the
    // statistics of the closest trusted ancestor, if there is one.
    Move *choose(Node &node, const Position<W> &p, const Elsewhere *table, Random &random) {
        uint32_t visits = node.visits.load(std::memory_order_relaxed);
        if (!node.complete && visits >= node.rescan.load(std::memory_order_relaxed)) look(node, p, table, visits, random);
        return best(node, p, table, visits);
    }

private:
    // Step 1: look for candidates among the moves not admitted yet.
    void look(Node &node, const Position<W> &p, const Elsewhere *table, uint32_t visits, Random &random) {
        bool fresh = node.admitted.load(std::memory_order_acquire) == 0;
        while (node.lock.exchange(1, std::memory_order_acquire))
            if (!fresh) return;  // another thread is at it; what is there will do
        if (fresh && node.admitted.load(std::memory_order_relaxed)) {
            node.lock.store(0, std::memory_order_release);
            return;
        }
        epoch_++;
        int untried = 0;
        tree_.for_each_move(node, [&](Move &move) {
            marks_[move.action] = epoch_;
            untried += move.visits() == 0;
            return true;
        });
        Candidate one{-1, -1}, two{-1, -1};
        uint32_t ties = 0;
        int found = 0;
        const int first = p.rules().first_action, n = p.rules().actions;
        p.for_each_choice([&](int action) {
            if (marks_[action] == epoch_) return;
            found++;
            int index = action - first;
            float value = table && index < n ? value_elsewhere(table[index], node.colour) : float(options_.first_play);
            if (value > one.value) {
                two = one;
                one = {action, value};
                ties = 1;
            } else if (value == one.value) {
                if (random.below(++ties) == 0) one.action = action;
            } else if (value > two.value) {
                two = {action, value};
            }
        });
        int wanted = table ? kCandidates : 1;
        int admitted = 0;
        for (const Candidate &c : {one, two})
            if (c.action >= 0 && admitted < wanted && tree_.admit(node, c.action)) admitted++;
        if (found == admitted) node.complete = true;
        uint32_t step = options_.method == Method::Grave ? uint32_t(double(visits) * (options_.rescan - 1)) : 0;
        node.rescan.store(visits + 1 + step, std::memory_order_relaxed);
        node.lock.store(0, std::memory_order_release);
    }

    // Step 2: follow the move of the highest value.
    Move *best(const Node &node, const Position<W> &p, const Elsewhere *table, uint32_t visits) const {
        const float reach = float(options_.exploration) * std::sqrt(std::log(float(visits) + 1));
        const float bias = float(options_.bias), unknown = float(options_.first_play);
        const int first = p.rules().first_action, n = p.rules().actions;
        Move *chosen = nullptr;
        float highest = -1;
        tree_.for_each_move(node, [&](Move &move) {
            uint64_t stats = move.stats.load(std::memory_order_relaxed);
            uint32_t own_visits = uint32_t(stats >> kVisitShift);
            float own = float(own_visits), won = float(stats & kResultMask) * (1.0f / kWin);
            int index = int(move.action) - first;
            float value;
            if (table && index < n) {
                uint64_t e = table[index].load(std::memory_order_relaxed);
                float other = float(uint32_t(e >> 32)), light = float(uint32_t(e)) * 0.5f;
                float other_won = node.colour == 0 ? light : other - light;
                // beta = other / (other + own + bias other own) weighs the mean elsewhere, the rest the own one.
                float weight = other + own + bias * other * own;
                value = weight > 0 ? (other_won + won * (1 + bias * other)) / weight : unknown;
            } else {
                value = own_visits ? won / own : unknown;
            }
            value += reach * inverse_roots.of(own_visits);
            if (value > highest) {
                highest = value;
                chosen = &move;
            }
            return true;
        });
        return chosen;
    }

    static constexpr int kCandidates = 2;

    struct Candidate {
        int action;
        float value;
    };

    float value_elsewhere(const Elsewhere &entry, int colour) const {
        uint64_t e = entry.load(std::memory_order_relaxed);
        float n = float(uint32_t(e >> 32)), light = float(uint32_t(e)) * 0.5f;
        if (n == 0) return float(options_.first_play);
        return (colour == 0 ? light : n - light) / n;
    }

    Tree &tree_;
    const SearchOptions &options_;
    std::vector<uint32_t> marks_;
    uint32_t epoch_ = 0;
};

}  // namespace taiji
