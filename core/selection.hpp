// Selection: the move of a node to follow, and progressive widening.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "move_scorer.hpp"
#include "playout.hpp"
#include "search_types.hpp"
#include "tree.hpp"

namespace taiji {

// The selection state of one thread.
template <int W> class Selector {
public:
    // `swap_is_symmetric`: a swap only exchanges the win probabilities, so the tree omits it.
    Selector(const CompiledGame &game, Tree &tree, const SearchOptions &options, bool swap_is_symmetric)
        : game_(game), tree_(tree), options_(options), swap_is_symmetric_(swap_is_symmetric),
          marks_(size_t(game.action_count), 0), keys_(size_t(game.action_count) + kLanes),
          moves_(size_t(game.action_count)) {}

    // Returns the move to follow, or nullptr if memory ran out before the node had any. `table` belongs to the closest
    // ancestor of the same stage with at least `grave_ref` visits; null if there is none.
    Move *choose(Node &node, const Position<W> &p, const AmafTable *table, Random &random) {
        const uint32_t visits = node.visits.load(std::memory_order_relaxed);
        if (visits >= node.widen_at_visits.load(std::memory_order_relaxed)) widen(node, p, table, visits, random);
        const MoveScorer scorer = scorer_for(node, p, table);
        const Shortlist *shortlist = tree_.shortlist(node);
        if (shortlist && scorer.has_amaf_values(visits) && !p.can_swap()) return best_by_amaf(*shortlist, scorer);
        Move *chosen = nullptr;
        float highest = -1;
        tree_.for_each_shortlisted(node, [&](Move &move) {
            float value = scorer.value(move);
            if (value > highest) {
                highest = value;
                chosen = &move;
            }
        });
        return chosen;
    }

    // Computes a table's lists of top actions: the best for Light are the worst for Dark.
    void rank(AmafTable &table, int actions, uint32_t visits) {
        const float amaf_prior = float(options_.amaf_prior);
        ranking_.clear();
        // Pack mean and action into one integer, because integers sort fastest.
        for (int i = 0; i < actions; i++) {
            auto [n, won] = table.entries[i].of(0);
            if (n > 0)
                ranking_.push_back(uint64_t((won + amaf_prior / 2) / (n + amaf_prior) * 0x1p31f) << 16 | uint64_t(i));
        }
        sort_ranking();
        const size_t length = std::min(ranking_.size(), size_t(AmafTable::kTopActions));
        for (size_t i = 0; i < length; i++) {
            table.top[0][i].store(uint16_t(ranking_.rbegin()[i]), std::memory_order_relaxed);
            table.top[1][i].store(uint16_t(ranking_[i]), std::memory_order_relaxed);
        }
        table.length.store(uint16_t(length), std::memory_order_relaxed);
        table.rank_beyond_visits.store(uint32_t(visits * kRerankGrowth), std::memory_order_relaxed);
    }

private:
    typedef int64_t Longs __attribute__((vector_size(32)));
    static constexpr size_t kLanes = 4;
    static constexpr int kCandidates = 2;            // moves added per widening
    static constexpr double kRerankGrowth = 1.5;     // growth of a node's visits between rankings of its top actions
    static constexpr float kSwapExploration = 0.3f;  // minimum for the swap and the move before it

    // Chooses like `choose` by `amaf_values`, without branches.
    Move *best_by_amaf(const Shortlist &shortlist, const MoveScorer &scorer) const {
        const auto move = [&](int i) {
            return tree_.at_fine<Move>(shortlist.moves[i].load(std::memory_order_relaxed));
        };
        // Values are not negative, so their bits compare like them; of equal values the first one counts.
        static_assert(Shortlist::kMoves == 12);
        const Ints front = Ints(scorer.amaf_values(*move(0), *move(1), *move(2), *move(3)));
        const Ints middle = Ints(scorer.amaf_values(*move(4), *move(5), *move(6), *move(7)));
        const Ints back = Ints(scorer.amaf_values(*move(8), *move(9), *move(10), *move(11)));
        const Ints best = highest_of(greater(front, greater(middle, back)));
        const Ints none = {Shortlist::kMoves, Shortlist::kMoves, Shortlist::kMoves, Shortlist::kMoves};
        const Ints first = {0, 1, 2, 3};
        Ints at = back == best ? first + 8 : none;
        at = middle == best ? first + 4 : at;
        at = front == best ? first : at;
        return move(lowest_of(at)[0]);
    }

    MoveScorer scorer_for(const Node &node, const Position<W> &p, const AmafTable *table) const {
        const bool offers = p.offers_swap() && options_.method == Method::Grave;
        return MoveScorer(options_, node, game_.stages[node.stage], table,
                          !offers              ? MoveGoal::Win
                          : swap_is_symmetric_ ? MoveGoal::Balance
                                               : MoveGoal::Unknown);
    }

    // Around a swap AMAF statistics are missing or misleading: explore more.
    float exploration(const Position<W> &p) const {
        const bool around =
            options_.method == Method::Grave && !swap_is_symmetric_ && (p.offers_swap() || p.can_swap());
        return around ? std::max(float(options_.exploration), kSwapExploration) : float(options_.exploration);
    }

    // Progressive widening: adds candidates and rebuilds the shortlist until the next widening.
    void widen(Node &node, const Position<W> &p, const AmafTable *table, uint32_t visits, Random &random) {
        bool fresh = node.move_count.load(std::memory_order_acquire) == 0;
        while (node.lock.exchange(1, std::memory_order_acquire))
            if (!fresh) return;  // another thread is widening; use the present moves
        if (!fresh || node.move_count.load(std::memory_order_relaxed) == 0) {
            node.exploration_term.store(exploration(p) * roots_of_logs.of(visits), std::memory_order_relaxed);
            const MoveScorer scorer = scorer_for(node, p, table);
            if (!node.complete) add_moves(node, p, table, scorer, random);
            if (node.move_count.load(std::memory_order_relaxed) > Shortlist::kMoves && options_.method == Method::Grave)
                rebuild_shortlist(node, scorer);
            double step = options_.method == Method::Grave ? double(visits) * (options_.widening_factor - 1) : 0;
            node.widen_at_visits.store(visits + 1 + uint32_t(step), std::memory_order_relaxed);
        }
        node.lock.store(0, std::memory_order_release);
    }

    void add_moves(Node &node, const Position<W> &p, const AmafTable *table, const MoveScorer &scorer, Random &random) {
        epoch_++;
        tree_.for_each_move(node, [&](Move &move) {
            marks_[move.action] = epoch_;
            return true;
        });
        int added = 0;
        if (p.must_name_komi()) {  // few, and alike until they are tried
            p.for_each_choice([&](int action) {
                if (marks_[action] != epoch_) node.complete = tree_.add_move(node, action);
            });
            return;
        }
        if (options_.method == Method::Grave && p.can_swap() && marks_[game_.swap_action] != epoch_) {
            if (!swap_is_symmetric_) added += tree_.add_move(node, game_.swap_action);
            marks_[game_.swap_action] = epoch_;
        }
        if (table && scorer.goal == MoveGoal::Win) {
            const int length = table->length.load(std::memory_order_relaxed);
            for (int i = 0; i < length && added < kCandidates; i++) {
                int action = scorer.first + table->top[node.colour][i].load(std::memory_order_relaxed);
                if (marks_[action] != epoch_ && p.is_legal_placement(action)) added += tree_.add_move(node, action);
            }
        }
        if (added == 0) add_best_unseen(node, p, scorer, random);
    }

    // Adds the legal move with the best value, a random one among equals.
    void add_best_unseen(Node &node, const Position<W> &p, const MoveScorer &scorer, Random &random) {
        int best = -1, left = 0;
        float highest = -1;
        uint32_t ties = 0;
        p.for_each_choice([&](int action) {
            if (marks_[action] == epoch_) return;
            left++;
            float value = scorer.untried_value(action);
            if (value > highest) {
                highest = value;
                best = action;
                ties = 1;
            } else if (value == highest && random.below(++ties) == 0) {
                best = action;
            }
        });
        if (best >= 0 && tree_.add_move(node, best)) left--;
        if (left == 0) node.complete = true;
    }

    void rebuild_shortlist(Node &node, const MoveScorer &scorer) {
        // Pack value and action into one integer: equal values are ordered by action.
        size_t n = 0;
        tree_.for_each_move(node, [&](Move &move) {
            keys_[n] = int64_t(ordered(scorer.value(move))) * (int64_t(1) << 32) + (0xFFFF - move.action);
            moves_[n++] = &move;
            return true;
        });
        std::fill_n(keys_.begin() + long(n), kLanes, INT64_MIN);
        // Count the better moves of each without branches, because nobody can predict them; most nodes have few moves.
        Move *shortlist[Shortlist::kMoves + 1];  // the last one takes those that are not in it
        for (size_t i = 0; i < n; i++) {
            const Longs key = Longs{} + keys_[i];
            Longs better = {};
            for (size_t j = 0; j < n; j += kLanes) {
                Longs others;
                std::memcpy(&others, &keys_[j], sizeof others);
                better -= Longs(others > key);
            }
            const int64_t place = better[0] + better[1] + better[2] + better[3];
            shortlist[std::min(place, int64_t(Shortlist::kMoves))] = moves_[i];
        }
        tree_.set_shortlist(node, shortlist);
    }

    // Sorts by bits 16 to 47 byte by byte, which takes no branches; the bits below are in order already.
    void sort_ranking() {
        // By value of a byte, how many keys have it, then where the next of them goes: 16 bits for each of four bytes.
        uint64_t places[256] = {};
        for (uint64_t key : ranking_)
            for (int byte = 0; byte < 4; byte++) places[key >> (16 + 8 * byte) & 0xFF] += uint64_t(1) << 16 * byte;
        uint64_t start = 0;
        for (uint64_t &entry : places) start += std::exchange(entry, start);
        sorted_.resize(ranking_.size());
        for (int byte = 0; byte < 4; byte++) {
            for (uint64_t key : ranking_) {
                uint64_t &place = places[key >> (16 + 8 * byte) & 0xFF];
                sorted_[uint16_t(place >> 16 * byte)] = key;
                place += uint64_t(1) << 16 * byte;
            }
            ranking_.swap(sorted_);
        }
    }

    // Returns the bits of a number, changed so that they compare like the number.
    static int32_t ordered(float value) {
        const int32_t bits = std::bit_cast<int32_t>(value);
        return bits ^ (bits >> 31 & 0x7FFFFFFF);
    }

    const CompiledGame &game_;
    Tree &tree_;
    const SearchOptions &options_;
    const bool swap_is_symmetric_;
    std::vector<uint32_t> marks_;  // moves of the current node are marked with the epoch
    uint32_t epoch_ = 0;
    std::vector<uint64_t> ranking_;
    std::vector<uint64_t> sorted_;
    std::vector<int64_t> keys_;
    std::vector<Move *> moves_;
};

}  // namespace taiji
