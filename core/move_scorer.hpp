// The values by which selection compares the moves of a node.
#pragma once

#include <algorithm>
#include <cmath>

#include "compiled_game.hpp"
#include "elementary.hpp"
#include "node.hpp"
#include "search_types.hpp"

namespace taiji {

// A function of a number of visits, precomputed for few visits.
template <float (*Function)(uint32_t)> class Precomputed {
public:
    Precomputed() noexcept {
        for (uint32_t n = 0; n < kTableSize; n++) values_[n] = Function(n);
    }
    float of(uint32_t n) const { return n < kTableSize ? values_[n] : Function(n); }

private:
    static constexpr uint32_t kTableSize = 2048;
    float values_[kTableSize];
};

inline float inverse_root(uint32_t n) noexcept { return 1 / std::sqrt(float(n) + 1); }
inline float root_of_log(uint32_t n) noexcept { return std::sqrt(float(natural_log(double(n) + 1))); }

inline const Precomputed<inverse_root> inverse_roots;
inline const Precomputed<root_of_log> roots_of_logs;

// Vectors of four numbers or two words.
typedef float Floats __attribute__((vector_size(16)));
typedef int32_t Ints __attribute__((vector_size(16)));
typedef uint64_t Words __attribute__((vector_size(16)));

// The upper and lower halves of four words, as signed numbers.
inline Ints upper(Words a, Words b) { return __builtin_shufflevector(Ints(a), Ints(b), 1, 3, 5, 7); }
inline Ints lower(Words a, Words b) { return __builtin_shufflevector(Ints(a), Ints(b), 0, 2, 4, 6); }
inline Floats floats(Ints numbers) { return __builtin_convertvector(numbers, Floats); }
inline Floats roots(Floats x) { return Floats{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }

inline Ints greater(Ints a, Ints b) { return a > b ? a : b; }
inline Ints less(Ints a, Ints b) { return a < b ? a : b; }
// The greatest and the least of four numbers, four times.
inline Ints highest_of(Ints n) {
    const Ints pairs = greater(n, __builtin_shufflevector(n, n, 2, 3, 0, 1));
    return greater(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
}
inline Ints lowest_of(Ints n) {
    const Ints pairs = less(n, __builtin_shufflevector(n, n, 2, 3, 0, 1));
    return less(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
}

// What a move aims for: a win; balance, if the opponent may swap to the better side; or unknown, if only the move's
// own mean tells which seat its colour helps.
enum class MoveGoal : uint8_t { Win, Balance, Unknown };

// Scores the moves of one node during one selection.
struct MoveScorer {
    static constexpr float kBestReplyMargin = 0.05f;  // win probability of the best reply above the mean reply

    MoveScorer(const SearchOptions &options, const Node &node, const Stage &stage, const AmafTable *table,
               MoveGoal goal)
        : entries(table ? table->entries : nullptr), colour(node.colour), first(stage.first_action),
          actions(table ? stage.actions : 0), rave_bias(float(options.rave_bias)),
          amaf_prior(float(options.amaf_prior)), first_play_urgency(float(options.first_play_urgency)),
          exploration_term(node.exploration_term.load(std::memory_order_relaxed)), goal(goal) {}

    float value(const Move &move) const {
        uint64_t stats = move.stats.load(std::memory_order_relaxed);
        uint32_t visits = uint32_t(stats >> kVisitShift);
        float own = float(visits), won = float(stats & kResultMask) * (1.0f / kWin);
        int index = int(move.action) - first;
        float value = first_play_urgency;
        if (goal == MoveGoal::Unknown) {
            value = visits ? won / own : untried_value(move.action);
        } else if (index < actions) {  // a swap has no AMAF statistics
            auto [other, other_won] = entries[index].of(colour);
            other += amaf_prior;
            other_won += amaf_prior / 2;
            // RAVE: beta = other / (other + own + bias · other · own) is the weight of the AMAF mean.
            float weight = other + own + rave_bias * other * own;
            if (weight > 0) value = (other_won + won * (1 + rave_bias * other)) / weight;
        } else if (visits) {
            value = won / own;
        }
        if (goal == MoveGoal::Balance) value = balance_value(value);
        return value + exploration_term * inverse_roots.of(visits);
    }

    // Whether `amaf_values` has the values of a node with this number of visits, except of a swap.
    bool has_amaf_values(uint32_t visits) const {
        constexpr uint32_t kMaxVisits = (uint32_t(1) << 31) / kWin;  // so that sums of results fit 31 bits
        return entries && goal == MoveGoal::Win && amaf_prior > 0 && visits < kMaxVisits;
    }

    // Returns the values of four moves at once, by the same operations, so that they are the same to the last bit.
    [[gnu::always_inline]] Floats amaf_values(const Move &a, const Move &b, const Move &c, const Move &d) const {
        const auto stats = [](const Move &move) { return move.stats.load(std::memory_order_relaxed); };
        const auto amaf = [&](const Move &move) {
            return entries[move.action - first].both.load(std::memory_order_relaxed);
        };
        const Words s0 = {stats(a), stats(b)}, s1 = {stats(c), stats(d)};
        const Words a0 = {amaf(a), amaf(b)}, a1 = {amaf(c), amaf(d)};
        const Floats own = floats(upper(s0, s1) >> (kVisitShift - 32)), won = floats(lower(s0, s1)) * (1.0f / kWin);
        const Floats n = floats(upper(a0, a1)), light = floats(lower(a0, a1));
        const float of_visits = colour ? 1 : 0, of_light = colour ? -0.5f : 0.5f;
        const Floats other = n + amaf_prior, other_won = n * of_visits + light * of_light + amaf_prior / 2;
        const Floats weight = other + own + rave_bias * other * own;
        // A vector of roots takes less time than looking up four of them.
        return (other_won + won * (1 + rave_bias * other)) / weight + exploration_term * (1 / roots(own + 1));
    }

    float untried_value(int action) const {
        int index = action - first;
        if (index >= actions) return first_play_urgency;
        auto [n, won] = entries[index].of(colour);
        if (n == 0) return first_play_urgency;
        float mean = (won + amaf_prior / 2) / (n + amaf_prior);
        return goal == MoveGoal::Win ? mean : balance_value(mean);
    }

    // The value left if the opponent takes the better side and replies better than the mean.
    static float balance_value(float mean) { return std::min(mean - kBestReplyMargin, 1 - mean + kBestReplyMargin); }

    const AmafStats *entries;
    int colour, first, actions;
    float rave_bias, amaf_prior, first_play_urgency, exploration_term;
    MoveGoal goal;
};

}  // namespace taiji
