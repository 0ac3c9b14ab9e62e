// The rules of site states for the solver's search: values, static bounds and the order of moves.
#pragma once

#include <array>

#include "site_bounds.hpp"
#include "solver_search.hpp"
#include "solver_values.hpp"

namespace taiji {

template <int W> class SiteRules {
public:
    using Board = SiteFrame<W>;
    using State = SiteState<W>;
    static constexpr bool kStoredFirst = true;

    SiteRules(const Board &frame, TieRule tie) : frame_(&frame), tie_(tie) {}

    size_t moves() const { return frame_->faces.size(); }
    bool is_over(const State &p) const { return p.is_over(); }
    bool is_legal(const State &p, int face) const { return face < int(moves()) && p.can_place(*frame_, face); }
    int seat_to_move(const State &p) const { return p.seat_to_move(); }
    int colour_to_move(const State &p) const { return p.colour; }
    void play(State &p, int face) const { p.play(*frame_, face); }
    bool delegates(const State &) const { return false; }
    int64_t search_delegated(const State &, int64_t, int) { return 0; }

    int64_t final_value(const State &p) const {
        const Stage &stage = *frame_->stage;
        const int last = 1 ^ p.seat_to_move();
        const int64_t lead = total(p, points(p, stage.score, 0) - points(p, stage.score, 1), last);
        if (lead || tie_.winner >= 0) return decided(p, lead, last);
        for (const CompiledTally &tally : stage.tiebreak) {
            const int64_t first = points(p, tally, int(p.swapped)), second = points(p, tally, 1 ^ int(p.swapped));
            if (first != second) return result_value(0, first < second);
        }
        return decided(p, lead, last);
    }

    // A state with its bounds and its place in the table.
    class Reduced {
    public:
        Reduced(const SiteRules &rules, const State &p) : bounds_(*rules.frame_, p) {
            int64_t low, high;
            if (rules.frame_->counts_symbols) bounds_.bound_symbols(low, high);
            else if (bounds_.is_bounded()) bounds_.bound_sizes(low, high);
            else return;
            if (p.swapped) std::tie(low, high) = std::pair(-high, -low);
            rules.bound(p, low, high, least_, most_);
        }
        int64_t least() const { return least_; }
        int64_t most() const { return most_; }
        int pieces() const { return bounds_.pieces(); }
        PositionKey key() const { return bounds_.key(); }
        bool mirrors_decide(const State &, int64_t, int64_t &, uint16_t &) const { return false; }
        uint16_t from_stored(uint16_t face) const { return face; }
        uint16_t to_stored(uint16_t face) const { return face; }

    private:
        SiteBounds<W> bounds_;
        int64_t least_ = -kInfinity, most_ = kInfinity;
    };

    // Moves that leave few replies first; a move that ends the game and cuts off alone.
    void rank_choices(const State &p, const Reduced &, int64_t beta, const int64_t *,
                      std::vector<Choice> &choices) const {
        const int64_t sign = p.colour == 0 ? kGainWeight : -kGainWeight;
        const Weights weights = weights_of(p);
        bool cut = false;
        p.live.for_each([&](int s) {
            if (cut) return;
            const auto &site = frame_->sites[size_t(s)];
            State after = p;
            after.place_at(*frame_, s);
            const int replies = count_choices(after, weights);
            for (int f = site.first_face; f < site.first_face + site.faces && !cut; f++) {
                const auto &face = frame_->faces[size_t(f)];
                if (!p.supply[face.slot]) continue;
                cut = !replies && ends_with_cut(p, f, beta);
                if (cut) choices.clear();
                choices.push_back({sign * gain(p, site, face) - replies, uint16_t(f)});
            }
        });
    }

    int64_t killer_bonus(const Reduced &) const { return 0; }

private:
    static constexpr int64_t kGainWeight = 4;  // weight of an immediate point in move ordering

    using Weights = std::array<int, kMaxClasses>;  // by class: faces per site

    Weights weights_of(const State &p) const {
        Weights weights{};
        for (size_t c = 0; c < frame_->class_of.size(); c++)
            for (auto [slot, n] : frame_->stage->classes[c].slots) weights[c] += p.supply[slot] ? n : 0;
        return weights;
    }

    int count_choices(const State &p, const Weights &weights) const {
        int n = 0;
        for (size_t c = 0; c < frame_->class_of.size(); c++)
            for (int i = 0; i < W; i++) n += weights[c] * count(p.live.words[i] & frame_->class_of[c].words[i]);
        return n;
    }

    // Returns whether the value after a move that ends the game cuts off.
    bool ends_with_cut(const State &p, int face, int64_t beta) const {
        State next = p;
        next.play(*frame_, face);
        const int64_t value = final_value(next);
        return p.seat_to_move() == 0 ? value >= beta : value < beta;
    }

    int64_t points(const State &p, const CompiledTally &tally, int c) const {
        if (frame_->has_groups) return p.groups.sizes(frame_->ranks, c).score(tally);
        return tally.points(p.scoring_cells(*frame_, tally, c));
    }

    // Estimates Light's immediate gain from a placement: symbols covered, or own squares touched.
    int gain(const State &p, const Board::FrameSite &site, const Board::FrameFace &face) const {
        if (frame_->stage->score.symbols) return site.gain;
        if (frame_->has_groups) {
            int result = 0;
            for (int i = 0; i < p.groups.n[0]; i++) result += count(p.groups.around[0][i] & face.light);
            for (int i = 0; i < p.groups.n[1]; i++) result -= count(p.groups.around[1][i] & face.dark);
            return result;
        }
        const Face &adjacent = frame_->game->adjacent[face.action];
        return count(adjacent.light & p.squares[0]) - count(adjacent.dark & p.squares[1]);
    }

    // Returns the first seat's lead in half points for Light's lead in points and the seat that placed last.
    int64_t total(const State &p, int64_t light_lead, int last) const {
        const int64_t bonus = frame_->stage->last_bonus;
        return p.base + (p.swapped ? -2 : 2) * light_lead + (last ? -bonus : bonus);
    }

    int64_t decided(const State &p, int64_t lead, int last) const {
        return result_value(lead, lead ? lead < 0 : tie_.winner_of_tie(p.swapped, last));
    }

    // Turns bounds of the first seat's lead in points into bounds of the value, whoever places last.
    void bound(const State &p, int64_t low, int64_t high, int64_t &least, int64_t &most) const {
        const int64_t bonus = std::abs(int64_t(frame_->stage->last_bonus));
        const int64_t worst = p.base + 2 * low - bonus, best = p.base + 2 * high + bonus;
        least = result_value(worst, worst ? worst < 0 : 1);
        most = result_value(best, best ? best < 0 : 0);
    }

    const Board *frame_;
    TieRule tie_;
};

}  // namespace taiji
