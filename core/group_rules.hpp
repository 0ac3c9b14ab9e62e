// The rules of group states for the solver's search: values, static bounds and the order of moves.
#pragma once

#include "group_bounds.hpp"
#include "solver_search.hpp"
#include "solver_values.hpp"

namespace taiji {

template <class M, int W> class GroupRules {
public:
    using Board = Frame<M, W>;
    using State = GroupState<M, W>;
    static constexpr bool kStoredFirst = false;

    GroupRules(const Board &frame, TieRule tie) : frame_(&frame), tie_(tie) {}

    const Board &frame() const { return *frame_; }
    size_t moves() const { return frame_->faces.size(); }
    bool is_over(const State &p) const { return p.is_over(); }
    int seat_to_move(const State &p) const { return p.seat_to_move(); }
    int colour_to_move(const State &p) const { return p.colour; }
    void play(State &p, int face) const { p.play(*frame_, face); }
    bool delegates(const State &) const { return false; }
    int64_t search_delegated(const State &, int64_t, int) { return 0; }

    int64_t final_value(const State &p) const {
        const Tally &tally = frame_->stage->score;
        const int last = 1 ^ p.seat_to_move();
        return value(p, p.score(tally, 0) - p.score(tally, 1), last ? -bonus() : bonus(), last);
    }

    // A state with its bounds and its place in the table.
    class Reduced {
    public:
        Reduced(const GroupRules &rules, const State &p) : rules_(rules), bounds_(rules.frame(), p) {
            if (bounds_.pieces() == 1) {
                place_last(p);
                return;
            }
            if (bounds_.bounded()) {
                const int c = int(p.swapped);  // the first seat's colour
                const int64_t sign = c ? -1 : 1;
                const int64_t bonus = std::abs(rules.bonus());
                least_ = rules.value(p, sign * (bounds_.least(c) - bounds_.most(1 ^ c)), -bonus, 1);
                most_ = rules.value(p, sign * (bounds_.most(c) - bounds_.least(1 ^ c)), bonus, 0);
            }
        }

        int64_t least() const { return least_; }
        int64_t most() const { return most_; }
        // Returns whether a seat decides by mirroring to the end that the value is at least `beta` or less; `value` is
        // then what it keeps, and `face` its move if it is to move. Where a seat would keep too little, nothing is
        // looked for.
        bool mirrors_decide(const State &p, int64_t beta, int64_t &value, uint16_t &face) const {
            if (bounds_.pieces() < kMirrorPieces) return false;
            const int seat = p.seat_to_move();
            auto decides = [&](int mirroring) {
                value = rules_.mirrored_value(p, mirroring);
                return mirroring ? value < beta : value >= beta;
            };
            if (decides(1 ^ seat) && rules_.is_mirrored(p)) return true;
            face = decides(seat) ? rules_.mirror_move(p) : kNoMove;
            return face != kNoMove;
        }
        int pieces() const { return bounds_.pieces(); }
        PositionKey key() { return bounds_.key(symmetry_); }
        uint16_t from_stored(uint16_t face) const {
            return face == kNoMove ? face : rules_.frame().symmetries[size_t(symmetry_)].inverse[face];
        }
        uint16_t to_stored(uint16_t face) const {
            return face == kNoMove ? face : rules_.frame().symmetries[size_t(symmetry_)].face[face];
        }

    private:
        // Sets both bounds to the value of a state in which one piece is left to place.
        void place_last(const State &p) {
            const bool highest = p.seat_to_move() == 0;
            int64_t best = highest ? -kInfinity : kInfinity;
            p.sites.for_each([&](int s) {
                const auto &site = rules_.frame().sites[size_t(s)];
                for (int f = site.first_face; f < site.first_face + site.faces; f++) {
                    State next = p;
                    next.play(rules_.frame(), f);
                    const int64_t value = rules_.final_value(next);
                    best = highest ? std::max(best, value) : std::min(best, value);
                }
            });
            least_ = most_ = best;
        }

        const GroupRules &rules_;
        GroupBounds<M, W> bounds_;
        int64_t least_ = -kInfinity, most_ = kInfinity;
        int symmetry_ = 0;
    };

    // Returns a move after which its player wins by mirroring to the end, or kNoMove.
    uint16_t mirror_win(const State &p) const {
        const uint16_t face = mirror_move(p);
        const int seat = p.seat_to_move();
        if (face == kNoMove) return kNoMove;
        return (seat ? mirrored_value(p, seat) < 0 : mirrored_value(p, seat) > 0) ? face : kNoMove;
    }

    // By the squares that a half joins, and by the history heuristic.
    void rank_choices(const State &p, const Reduced &reduced, int64_t, const int64_t *history,
                      std::vector<Choice> &choices) const {
        int joined[2][sizeof(M) * 8] = {};
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < p.n[c]; i++)
                for (M left = p.around[c][i]; left; left &= left - 1) joined[c][first_cell(left)] += kJoinWeight;
        const int64_t weight = int64_t(reduced.pieces()) * reduced.pieces() * (p.colour ? -kGainWeight : kGainWeight);
        p.sites.for_each([&](int s) {
            const auto &site = frame_->sites[size_t(s)];
            for (int f = site.first_face; f < site.first_face + site.faces; f++) {
                const auto &face = frame_->faces[size_t(f)];
                int gain = 0;
                for (M left = face.light; left; left &= left - 1) gain += joined[0][first_cell(left)];
                for (M left = face.dark; left; left &= left - 1) gain -= joined[1][first_cell(left)];
                choices.push_back({weight * gain + history[f], uint16_t(f)});
            }
        });
    }

    int64_t killer_bonus(const Reduced &reduced) const {
        return kKillerWeight * int64_t(reduced.pieces()) * reduced.pieces();
    }

private:
    static constexpr int64_t kGainWeight = 4, kKillerWeight = 8;
    static constexpr int kJoinWeight = 1;

    int64_t bonus() const { return frame_->stage->last_bonus; }  // of whoever places last, in half points

    // Returns the value of a lead of Light in points, with a bonus for the first seat in half points.
    int64_t value(const State &p, int64_t light_lead, int64_t first_bonus, int last_seat) const {
        const int64_t lead = p.base + (p.swapped ? -2 : 2) * light_lead + first_bonus;
        return result_value(lead, lead ? lead < 0 : tie_.winner_of_tie(p.swapped, last_seat));
    }

    // Returns the least that a seat gets if it mirrors to the end: equal points in the stage, and the last placement.
    int64_t mirrored_value(const State &p, int seat) const { return value(p, 0, seat ? -bonus() : bonus(), seat); }

    // Returns whether the player who is not to move can answer every placement with its image, colours exchanged, so
    // that both colours end with equal points.
    bool is_mirrored(const State &p) const {
        if (p.n[0] != p.n[1] || !(p.settled[0] == p.settled[1])) return false;
        for (const auto &mirror : frame_->mirrors) {
            if (p.sites.meets(mirror.meeting)) continue;
            if (!is_symmetric(p.live, mirror)) continue;
            if (maps_groups(p, mirror)) return true;
        }
        return false;
    }

    // Returns a move after which the position is mirrored, or kNoMove.
    uint16_t mirror_move(const State &p) const {
        for (const auto &mirror : frame_->mirrors) {
            const M unmatched = p.live & ~mirror.image(p.live, frame_->bytes);
            if (count(unmatched) > Board::kMaxUnmatched) continue;
            uint16_t found = kNoMove;
            p.sites.for_each([&](int s) {
                const auto &site = frame_->sites[size_t(s)];
                // The groups are compared only if the cells that stay free are symmetric.
                const bool matches = (unmatched ? !(site.cells & ~unmatched) : mirror.meeting.has(s)) &&
                                     is_symmetric(p.live_after(*frame_, s), mirror);
                for (int f = site.first_face; matches && found == kNoMove && f < site.first_face + site.faces; f++) {
                    State next = p;
                    next.play(*frame_, f);
                    if (is_mirrored(next)) found = uint16_t(f);
                }
            });
            if (found != kNoMove) return found;
        }
        return kNoMove;
    }

    bool is_symmetric(M live, const Board::Mirror &mirror) const { return mirror.image(live, frame_->bytes) == live; }

    bool maps_groups(const State &p, const Board::Mirror &mirror) const {
        uint64_t left = p.n[1] == 64 ? ~uint64_t(0) : (uint64_t(1) << p.n[1]) - 1;
        for (int i = 0; i < p.n[0]; i++) {
            const M image = mirror.image(p.around[0][i], frame_->bytes);
            uint64_t found = 0;
            for (uint64_t others = left; others && !found; others &= others - 1) {
                const int j = std::countr_zero(others);
                if (p.around[1][j] == image && p.size[1][j] == p.size[0][i]) found = uint64_t(1) << j;
            }
            if (!found) return false;
            left ^= found;
        }
        return true;
    }

    static constexpr int kMirrorPieces = 4;  // minimum pieces to come for a look at mirror images

    const Board *frame_;
    TieRule tie_;
};

}  // namespace taiji
