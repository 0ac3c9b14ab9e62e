// The rules of any position for the solver's search: no static bounds, moves that leave few replies first.
#pragma once

#include "any_frame.hpp"
#include "solver_search.hpp"

namespace taiji {

template <int W> class PositionRules {
public:
    using State = Position<W>;
    static constexpr bool kStoredFirst = false;

    PositionRules(const CompiledGame &game, TieRule tie, int64_t lead, ReducedSearch<W> *reduced)
        : tie_(tie), lead_(lead), reduced_(reduced), moves_(size_t(game.action_count)) {
        for (const Stage &stage : game.stages) {
            int least = kMaxCells;
            for (int a = stage.first_action; a < stage.first_action + stage.actions; a++)
                least = std::min(least, count(game.actions[size_t(a)].cells));
            min_cells_.push_back(least);
        }
    }

    size_t moves() const { return moves_; }
    bool is_over(const State &p) const { return p.is_over(); }
    int seat_to_move(const State &p) const { return p.seat_to_move(); }
    int colour_to_move(const State &p) const { return p.colour_to_move(); }
    void play(State &p, int action) const { p.play(action); }
    bool delegates(const State &p) const { return reduced_ && reduced_->accepts(p); }
    int64_t search_delegated(const State &p, int64_t beta, int ply) { return reduced_->search(p, beta, ply); }

    int64_t final_value(const State &p) const {
        int64_t half_points[2];
        p.scores(half_points);
        half_points[0] += lead_;
        const bool tied = half_points[0] == half_points[1];
        return result_value(half_points[0] - half_points[1],
                            tied && tie_.winner >= 0 ? tie_.winner : p.winner(half_points));
    }

    class Reduced {
    public:
        Reduced(const PositionRules &rules, const State &p)
            : key_{p.hash() * 0x9E3779B97F4A7C15u, p.hash()}, pieces_(rules.pieces_left(p)) {}
        int64_t least() const { return -kInfinity; }
        int64_t most() const { return kInfinity; }
        int pieces() const { return pieces_; }
        PositionKey key() const { return key_; }
        bool mirrors_decide(const State &, int64_t, int64_t &, uint16_t &) const { return false; }
        uint16_t from_stored(uint16_t action) const { return action; }
        uint16_t to_stored(uint16_t action) const { return action; }

    private:
        PositionKey key_;
        int pieces_;
    };

    // Fewest replies first if there are other constraints than overlap, else the history heuristic.
    void rank_choices(const State &p, const Reduced &reduced, int64_t, const int64_t *history,
                      std::vector<Choice> &choices) const {
        const int64_t sign = p.colour_to_move() == 0 ? kGainWeight : -kGainWeight;
        const int64_t weight = int64_t(reduced.pieces()) * reduced.pieces();
        const bool by_replies = ranks_by_replies(p);
        p.for_each_choice([&](int action) {
            int64_t rank = sign * p.gain(action);
            if (by_replies) {
                Position<W> next = p;
                next.play(action);
                rank -= next.choices();
            } else {
                rank = rank * weight + history[size_t(action)];
            }
            choices.push_back({rank, uint16_t(action)});
        });
    }

    int64_t killer_bonus(const Reduced &) const { return 0; }

private:
    static constexpr int64_t kGainWeight = 4;       // weight of an immediate point in move ordering
    static constexpr int kReplyOrderingLimit = 20;  // above this many choices, order by the number of replies

    static bool ranks_by_replies(const State &p) {
        return !p.current_stage().overlap_only && p.choices() > kReplyOrderingLimit;
    }

    // Returns an upper bound on the pieces that can still be placed in this stage.
    int pieces_left(const State &p) const {
        Mask live = 0;
        for (int w = 0; w < p.words(); w++)
            for (uint64_t left = p.live()[w]; left; left &= left - 1)
                live |= p.current_stage().site_cells[size_t(w * 64 + std::countr_zero(left))];
        return count(live) / min_cells_[size_t(p.stage_index())];
    }

    TieRule tie_;
    int64_t lead_;
    ReducedSearch<W> *reduced_;
    size_t moves_;
    std::vector<int> min_cells_;  // of a piece, by stage
};

}  // namespace taiji
