// Fixed-depth alpha-beta on the score difference: a simple baseline opponent.
#pragma once

#include <vector>

#include "interrupt.hpp"
#include "position.hpp"
#include "random.hpp"

namespace taiji {

template <int W> class Lookahead {
public:
    // Returns a move with the best score difference after `depth` plies, a random one among equals.
    static int choose(const Position<W> &root, int depth, uint64_t seed, int64_t &margin) {
        Random random(seed);
        int seat = root.seat_to_move(), best_action = -1;
        uint32_t equals = 0;
        int64_t best = -kInfinity;
        InterruptPoll poll;
        if (root.must_name_komi()) return margin = 0, even_komi(root);
        root.for_each_choice([&](int action) {
            Position<W> next = root;
            next.play(action);
            // The window keeps equal values exact, so that ties are real ones.
            int64_t value = search(next, depth - 1, seat, best - 1, kInfinity, poll);
            if (value > best) {
                best = value;
                equals = 0;
            }
            if (value == best && random.below(++equals) == 0) best_action = action;
        });
        margin = best;
        return best_action;
    }

private:
    static constexpr int64_t kInfinity = int64_t(1) << 60;

    // Returns the action that names the komi nearest to 0: the other player takes the better colour.
    static int even_komi(const Position<W> &root) {
        int best = -1;
        auto size = [&](int action) { return std::abs(root.game().named_komi(action)); };
        root.for_each_choice([&](int action) {
            if (best < 0 || size(action) < size(best)) best = action;
        });
        return best;
    }

    // Returns the lead of `seat` in half points after best play for `depth` plies.
    static int64_t search(const Position<W> &p, int depth, int seat, int64_t alpha, int64_t beta, InterruptPoll &poll) {
        if (depth == 0 || p.is_over()) {
            int64_t half_points[2];
            p.scores(half_points);
            return half_points[seat] - half_points[1 - seat];
        }
        poll();
        bool own = p.seat_to_move() == seat;
        int64_t best = own ? -kInfinity : kInfinity;
        bool cut = false;
        p.for_each_choice([&](int action) {
            if (cut) return;
            Position<W> next = p;
            next.play(action);
            int64_t value = search(next, depth - 1, seat, alpha, beta, poll);
            if (own) {
                best = std::max(best, value);
                alpha = std::max(alpha, best);
            } else {
                best = std::min(best, value);
                beta = std::min(beta, best);
            }
            cut = alpha >= beta;
        });
        return best;
    }
};

}  // namespace taiji
