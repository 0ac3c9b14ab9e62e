// A look a few plies ahead that counts nothing but the score difference: a plain opponent to measure others against.
#pragma once

#include <vector>

#include "position.hpp"
#include "random.hpp"

namespace taiji {

template <int W> class Lookahead {
public:
    // A move with the best score difference after `depth` plies; one of them at random where several are as good.
    static int choose(const Position<W> &root, int depth, uint64_t seed, int64_t &margin) {
        Random random(seed);
        int seat = root.mover(), best_action = -1;
        uint32_t equals = 0;
        int64_t best = -kFar;
        root.for_each_choice([&](int action) {
            Position<W> next = root;
            next.play(action);
            // The window leaves equal values exact, so that ties are real ones.
            int64_t value = search(next, depth - 1, seat, best - 1, kFar);
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
    static constexpr int64_t kFar = int64_t(1) << 60;

    // Half points that `seat` is ahead by after best play for a few plies.
    static int64_t search(const Position<W> &p, int depth, int seat, int64_t alpha, int64_t beta) {
        if (depth == 0 || p.over()) {
            int64_t halves[2];
            p.scores(halves);
            return halves[seat] - halves[1 - seat];
        }
        bool own = p.mover() == seat;
        int64_t best = own ? -kFar : kFar;
        bool cut = false;
        p.for_each_choice([&](int action) {
            if (cut) return;
            Position<W> next = p;
            next.play(action);
            int64_t value = search(next, depth - 1, seat, alpha, beta);
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
