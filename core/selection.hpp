// Which move of a node to follow, and which moves to admit to it.
#pragma once

#include <algorithm>
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
    // `mirrored`: a swap exchanges the chances and nothing else, so that the tree does without.
    Selector(const Tables &tables, Tree &tree, const SearchOptions &options, bool mirrored)
        : tables_(tables), tree_(tree), options_(options), mirrored_(mirrored), marks_(size_t(tables.action_count), 0) {}

    // The move to follow from this node, or nullptr where memory has run out before any was admitted. `table` belongs to
    // the closest trusted ancestor of the same stage, if there is one.
    Move *choose(Node &node, const Position<W> &p, const Table *table, Random &random) {
        const uint32_t visits = node.visits.load(std::memory_order_relaxed);
        if (visits >= node.rescan.load(std::memory_order_relaxed)) look(node, p, table, visits, random);
        const Judge judge = judge_of(node, p, table);
        Move *chosen = nullptr;
        float highest = -1;
        tree_.for_each_hot(node, [&](Move &move) {
            float value = judge.value(move);
            if (value > highest) {
                highest = value;
                chosen = &move;
            }
        });
        return chosen;
    }

    // Makes the lists of a table's most successful actions: what is best for Light is worst for Dark.
    void rank(Table &table, int actions, uint32_t visits) {
        const float doubt = float(options_.doubt);
        ranking_.clear();
        // One number each, success above the action: whole numbers sort quickest.
        for (int i = 0; i < actions; i++) {
            auto [n, won] = table.entries[i].of(0);
            if (n > 0) ranking_.push_back(uint64_t((won + doubt / 2) / (n + doubt) * 0x1p31f) << 16 | uint64_t(i));
        }
        const long length = std::min(long(ranking_.size()), long(Table::kTop));
        for (int colour = 0; colour < 2; colour++) {
            auto best = ranking_.begin(), end = best + length;
            if (colour == 0) {
                std::nth_element(best, end, ranking_.end(), std::greater<>());
                std::sort(best, end, std::greater<>());
            } else {
                std::nth_element(best, end, ranking_.end());
                std::sort(best, end);
            }
            for (long i = 0; i < length; i++)
                table.top[colour][i].store(uint16_t(best[i]), std::memory_order_relaxed);
        }
        table.length.store(uint16_t(length), std::memory_order_relaxed);
        table.ranked.store(visits, std::memory_order_relaxed);
    }

private:
    static constexpr int kCandidates = 2;  // admitted at once
    static constexpr float kHindsight = 0.05f;  // by which the best reply to a move is better than the mean of replies
    static constexpr float kSwapExploration = 0.3f;  // of the swap and of what it answers, at the least

    // What a move is to bring: a win; even chances, where the other player takes the better side of them; or it is
    // not known yet whose colour it helps, and only the own mean tells.
    enum class Aim : uint8_t { Win, Even, Unsure };

    // The value of a move of one node, at one moment.
    struct Judge {
        Judge(const SearchOptions &options, const Node &node, const Stage &stage, const Table *table, Aim aim)
            : entries(table ? table->entries : nullptr), colour(node.colour), first(stage.first_action),
              actions(table ? stage.actions : 0), bias(float(options.bias)), doubt(float(options.doubt)),
              unknown(float(options.first_play)), reach(node.reach.load(std::memory_order_relaxed)), aim(aim) {}

        float value(const Move &move) const {
            uint64_t stats = move.stats.load(std::memory_order_relaxed);
            uint32_t visits = uint32_t(stats >> kVisitShift);
            float own = float(visits), won = float(stats & kResultMask) * (1.0f / kWin);
            int index = int(move.action) - first;
            float value = unknown;
            if (aim == Aim::Unsure) {
                value = visits ? won / own : untried(move.action);
            } else if (index < actions) {  // a swap has no statistics elsewhere
                auto [other, other_won] = entries[index].of(colour);
                other += doubt;
                other_won += doubt / 2;
                // beta = other / (other + own + bias other own) weighs the mean elsewhere, the rest the own one.
                float weight = other + own + bias * other * own;
                if (weight > 0) value = (other_won + won * (1 + bias * other)) / weight;
            } else if (visits) {
                value = won / own;
            }
            if (aim == Aim::Even) value = even(value);
            return value + reach * inverse_roots.of(visits);
        }

        float untried(int action) const {
            int index = action - first;
            if (index >= actions) return unknown;
            auto [n, won] = entries[index].of(colour);
            if (n == 0) return unknown;
            float mean = (won + doubt / 2) / (n + doubt);
            return aim == Aim::Win ? mean : even(mean);
        }

        // What is left when the other player takes the better side, who will find better replies than on the mean.
        static float even(float mean) { return std::min(mean - kHindsight, 1 - mean + kHindsight); }

        const Elsewhere *entries;
        int colour, first, actions;
        float bias, doubt, unknown, reach;
        Aim aim;
    };

    Judge judge_of(const Node &node, const Position<W> &p, const Table *table) const {
        const bool offers = p.offers_swap() && options_.method == Method::Grave;
        return Judge(options_, node, tables_.stages[node.stage], table, !offers ? Aim::Win : mirrored_ ? Aim::Even : Aim::Unsure);
    }

    // Nobody has seen a swap elsewhere, and all that was seen elsewhere tells little before it.
    float exploration(const Position<W> &p) const {
        const bool around = options_.method == Method::Grave && !mirrored_ && (p.offers_swap() || p.can_swap());
        return around ? std::max(float(options_.exploration), kSwapExploration) : float(options_.exploration);
    }

    // Looks for candidates among the moves not admitted yet, and for the moves worth a choice until the next look.
    void look(Node &node, const Position<W> &p, const Table *table, uint32_t visits, Random &random) {
        bool fresh = node.admitted.load(std::memory_order_acquire) == 0;
        while (node.lock.exchange(1, std::memory_order_acquire))
            if (!fresh) return;  // another thread is at it; what is there will do
        if (!fresh || node.admitted.load(std::memory_order_relaxed) == 0) {
            node.reach.store(exploration(p) * std::sqrt(std::log(float(visits) + 1)), std::memory_order_relaxed);
            const Judge judge = judge_of(node, p, table);
            if (!node.complete) admit(node, p, table, judge, random);
            if (node.admitted.load(std::memory_order_relaxed) > HotList::kMoves && options_.method == Method::Grave)
                heat(node, judge);
            double step = options_.method == Method::Grave ? double(visits) * (options_.rescan - 1) : 0;
            node.rescan.store(visits + 1 + uint32_t(step), std::memory_order_relaxed);
        }
        node.lock.store(0, std::memory_order_release);
    }

    void admit(Node &node, const Position<W> &p, const Table *table, const Judge &judge, Random &random) {
        epoch_++;
        tree_.for_each_move(node, [&](Move &move) {
            marks_[move.action] = epoch_;
            return true;
        });
        int found = 0;
        if (options_.method == Method::Grave && p.can_swap() && marks_[tables_.swap_action] != epoch_) {
            if (!mirrored_) found += tree_.admit(node, tables_.swap_action);
            marks_[tables_.swap_action] = epoch_;
        }
        if (table && judge.aim == Aim::Win) {
            const int length = table->length.load(std::memory_order_relaxed);
            for (int i = 0; i < length && found < kCandidates; i++) {
                int action = judge.first + table->top[node.colour][i].load(std::memory_order_relaxed);
                if (marks_[action] != epoch_ && p.is_legal(action)) found += tree_.admit(node, action);
            }
        }
        if (found == 0) admit_any(node, p, judge, random);
    }

    // Goes through every legal move; admits the best, any of them where several are.
    void admit_any(Node &node, const Position<W> &p, const Judge &judge, Random &random) {
        int best = -1, left = 0;
        float highest = -1;
        uint32_t ties = 0;
        p.for_each_choice([&](int action) {
            if (marks_[action] == epoch_) return;
            left++;
            float value = judge.untried(action);
            if (value > highest) {
                highest = value;
                best = action;
                ties = 1;
            } else if (value == highest && random.below(++ties) == 0) {
                best = action;
            }
        });
        if (best >= 0 && tree_.admit(node, best)) left--;
        if (left == 0) node.complete = true;
    }

    void heat(Node &node, const Judge &judge) {
        warm_.clear();
        tree_.for_each_move(node, [&](Move &move) {
            warm_.push_back({judge.value(move), &move});
            return true;
        });
        std::nth_element(warm_.begin(), warm_.begin() + HotList::kMoves, warm_.end(),
                         [](const Warm &a, const Warm &b) { return a.value > b.value; });
        Move *hottest[HotList::kMoves];
        for (int i = 0; i < HotList::kMoves; i++) hottest[i] = warm_[size_t(i)].move;
        tree_.heat(node, hottest);
    }

    struct Warm {
        float value;
        Move *move;
    };

    const Tables &tables_;
    Tree &tree_;
    const SearchOptions &options_;
    const bool mirrored_;
    std::vector<uint32_t> marks_;  // the admitted moves of the node at hand bear the epoch
    uint32_t epoch_ = 0;
    std::vector<uint64_t> ranking_;
    std::vector<Warm> warm_;
};

}  // namespace taiji
