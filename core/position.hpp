// A position that is played on in place. It is a plain value: a copy costs a few cache lines, which is less than undoing
// a move, so there is no undo.
//
// Sites go dormant -> live -> dead at most once. `open` holds those no rule has killed, `live` those that may be covered
// now; placing a piece takes a row of kills away from both and adds a row of wakes to the live ones.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "bits.hpp"
#include "scoring.hpp"
#include "tables.hpp"

namespace taiji {

constexpr int kNobody = 2;  // where a seat is named: neither

template <int W> class Position {
public:
    explicit Position(const Tables &tables) : tables_(&tables) { open_stage(0); }

    const Tables &tables() const { return *tables_; }
    const Stage &rules() const { return *rules_; }
    int stage() const { return stage_; }
    bool over() const { return over_; }
    int ply() const { return ply_; }
    bool swapped() const { return swapped_; }
    int placed_here() const { return placed_here_; }
    int to_move() const { return rules_->first ^ (placed_here_ & 1); }  // a colour
    int mover() const { return to_move() ^ int(swapped_); }             // a seat
    int last() const { return last_; }                                  // the seat that placed last, or kNobody
    uint64_t hash() const { return hash_; }
    Mask light() const { return light_; }
    Mask dark() const { return dark_; }
    Mask covered() const { return covered_; }
    Mask ground() const { return ground_; }
    const uint64_t *live() const { return live_; }
    int supply(int slot) const { return supply_[slot]; }
    int weight(int face_class) const { return weight_[face_class]; }
    int words() const { return W == 4 ? 4 : rules_->stride; }

    bool can_swap() const { return rules_->swap && !swapped_ && placed_here_ == 1 && !over_; }
    bool offers_swap() const { return rules_->swap && !swapped_ && placed_here_ == 0 && !over_; }  // to the other player

    bool is_legal(int action) const {
        if (action < 0 || action >= tables_->action_count || over_) return false;
        if (action == tables_->swap_action) return can_swap();
        const Action &a = tables_->actions[action];
        return a.stage == stage_ && (live_[a.site / 64] >> (a.site % 64) & 1) && supply_[a.slot];
    }

    // How many choices there are, the swap included.
    int choices() const {
        if (over_) return 0;
        int n = can_swap();
        for (size_t c = 0; c < rules_->classes.size(); c++)
            if (weight_[c]) n += weight_[c] * live_of_class(rules_->classes[c]);
        return n;
    }

    // Calls f(action) for every choice; in the order of their numbers within a class of pieces, the swap last.
    template <class F> void for_each_choice(F &&f) const {
        if (over_) return;
        for (size_t c = 0; c < rules_->classes.size(); c++) {
            const FaceClass &k = rules_->classes[c];
            if (!weight_[c]) continue;
            bool all = weight_[c] == k.faces;
            for (int w = k.word_begin; w < k.word_end; w++)
                for (uint64_t left = live_[w]; left; left &= left - 1) {
                    const Site &site = rules_->site[w * 64 + std::countr_zero(left)];
                    for (uint32_t a = site.first_action; a < site.first_action + site.faces; a++)
                        if (all || supply_[tables_->actions[a].slot]) f(int(a));
                }
        }
        if (can_swap()) f(tables_->swap_action);
    }

    // Plays a legal action; whether it is legal is not checked.
    void play(int action) {
        ply_++;
        if (action == tables_->swap_action) {
            swapped_ = true;
            hash_ += tables_->swap_key;
            return;
        }
        const Action &a = tables_->actions[action];
        hash_ += a.key;
        last_ = uint8_t(mover());
        lay(a);
        if (!anything_live()) settle();
    }

    // Half points by seat, of all stages so far; the bonus for placing last counts once the stage has ended.
    void scores(int64_t halves[2]) const {
        for (int seat = 0; seat < 2; seat++)
            halves[seat] = banked_[seat] + 2 * points(rules_->scoring, seat ^ int(swapped_));
        if (over_ && last_ != kNobody) halves[last_] += rules_->last_bonus;
    }

    // The seat that wins with these scores, or kNobody for a draw; the game is over.
    int winner(const int64_t halves[2]) const {
        if (halves[0] != halves[1]) return halves[0] > halves[1] ? 0 : 1;
        for (const Scoring &rule : rules_->tiebreak) {
            int64_t first = points(rule, int(swapped_)), second = points(rule, 1 ^ int(swapped_));
            if (first != second) return first > second ? 0 : 1;
        }
        switch (tables_->tie) {
            case Tie::Light: return int(swapped_);
            case Tie::Dark: return 1 ^ int(swapped_);
            case Tie::Last: return last_;
            case Tie::Draw: return kNobody;
        }
        return kNobody;
    }

    int64_t points(const Scoring &scoring, int colour) const {
        return score(scoring, rules_->width, rules_->cells, own(colour));
    }

    // A rough guess of what a placement brings Light at once: symbols covered, or own squares touched.
    int gain(int action) const {
        if (action == tables_->swap_action) return 0;
        if (rules_->scoring.rule == Rule::Uncovered) {
            Mask cells = tables_->actions[action].cells;
            return count(cells & own(1)) - count(cells & own(0));
        }
        const Face &beside = tables_->beside[action];
        return count(beside.light & light_) - count(beside.dark & dark_);
    }

    // The squares, or the uncovered symbols, that count for a colour.
    Mask own(int colour) const {
        if (rules_->scoring.rule != Rule::Uncovered) return colour ? dark_ : light_;
        if (rules_->printed) return rules_->symbols[colour] & ~covered_;
        return below_[colour] & ~covered_;
    }

private:
    template <int> friend class Playout;

    int live_of_class(const FaceClass &k) const {
        int n = 0;
        for (int w = k.word_begin; w < k.word_end; w++) n += count(live_[w]);
        return n;
    }

    bool anything_live() const {
        for (size_t c = 0; c < rules_->classes.size(); c++) {
            const FaceClass &k = rules_->classes[c];
            if (!weight_[c]) continue;
            for (int w = k.word_begin; w < k.word_end; w++)
                if (live_[w]) return true;
        }
        return false;
    }

    // Puts a piece down and updates what may be placed next.
    void lay(const Action &a) {
        light_ |= a.light;
        dark_ |= a.dark;
        covered_ |= a.cells;
        if (--supply_[a.slot] == 0) reweigh();
        const uint64_t *kills = rules_->kills(a.site);
        int n = words();
        if (!rules_->gated) {
            for (int i = 0; i < n; i++) live_[i] &= ~kills[i];
            if (rules_->blocked) tighten(live_, a.site);
        } else {
            for (int i = 0; i < n; i++) open_[i] &= ~kills[i];
            if (rules_->blocked) tighten(open_, a.site);
            wake(a.site);
        }
        placed_here_++;
    }

    void wake(int site) {
        int n = words();
        if (!rules_->must_touch) {  // only the first piece was bound
            for (int i = 0; i < n; i++) live_[i] = open_[i];
            return;
        }
        const uint64_t *wakes = rules_->wakes(site);
        uint64_t before = placed_here_ ? ~uint64_t(0) : 0;
        for (int i = 0; i < n; i++) live_[i] = ((live_[i] & before) | wakes[i]) & open_[i];
    }

    // Kills every site that would fill one of the blocks near this one.
    void tighten(uint64_t *row, int s) {
        const Site &site = rules_->site[s];
        int n = words();
        for (uint32_t b = site.blocks_begin; b < site.blocks_end; b++) {
            Mask left = rules_->blocks[rules_->near_blocks[b]] & ~covered_;
            int cells[kMostCells], k = 0;
            for_each(left, [&](int cell) { cells[k++] = cell; });
            if (k == 1) {
                const uint64_t *x = rules_->covers(cells[0]);
                for (int i = 0; i < n; i++) row[i] &= ~x[i];
            } else if (k == 2) {
                const uint64_t *x = rules_->covers(cells[0]), *y = rules_->covers(cells[1]);
                for (int i = 0; i < n; i++) row[i] &= ~(x[i] & y[i]);
            } else if (k == 3) {
                const uint64_t *x = rules_->covers(cells[0]), *y = rules_->covers(cells[1]);
                const uint64_t *z = rules_->covers(cells[2]);
                for (int i = 0; i < n; i++) row[i] &= ~(x[i] & y[i] & z[i]);
            } else {
                for (int i = 0; i < n; i++) {
                    uint64_t all = ~uint64_t(0);
                    for (int c = 0; c < k; c++) all &= rules_->covers(cells[c])[i];
                    row[i] &= ~all;
                }
            }
        }
    }

    void reweigh() {
        for (size_t c = 0; c < rules_->classes.size(); c++) {
            int weight = 0;
            for (auto [slot, n] : rules_->classes[c].slots) weight += supply_[slot] ? n : 0;
            weight_[c] = uint8_t(weight);
        }
    }

    // Goes on to the next stage in which something can be placed, or ends the game.
    void settle() {
        while (true) {
            over_ = true;  // so that the bonus for placing last is counted
            if (stage_ + 1 == int(tables_->stages.size())) return;
            scores(banked_);
            below_[0] = light_;
            below_[1] = dark_;
            ground_ = covered_;
            open_stage(stage_ + 1);
            if (anything_live()) return;
        }
    }

    void open_stage(int index) {
        stage_ = uint8_t(index);
        rules_ = &tables_->stages[index];
        over_ = false;
        placed_here_ = 0;
        light_ = dark_ = covered_ = 0;
        std::copy(rules_->supply.begin(), rules_->supply.end(), supply_);
        std::copy(rules_->weights.begin(), rules_->weights.end(), weight_);
        std::copy(rules_->open.begin(), rules_->open.end(), open_);
        std::copy(rules_->live.begin(), rules_->live.end(), live_);
        if (rules_->level_ground) level();
        if (index == 0 && !anything_live()) settle();
    }

    // Kills every site that would lie partly on the stage below.
    void level() {
        for (int s = 0; s < rules_->sites; s++) {
            Mask raised = rules_->site_cells[s] & ground_;
            if (raised == 0 || raised == rules_->site_cells[s]) continue;
            live_[s / 64] &= ~(uint64_t(1) << (s % 64));
            open_[s / 64] &= ~(uint64_t(1) << (s % 64));
        }
    }

    alignas(kAlignment) uint64_t live_[W];
    alignas(kAlignment) uint64_t open_[W];
    Mask light_ = 0, dark_ = 0, covered_ = 0, ground_ = 0, below_[2] = {0, 0};
    const Tables *tables_;
    const Stage *rules_ = nullptr;
    uint64_t hash_ = 0;
    int64_t banked_[2] = {0, 0};
    uint16_t ply_ = 0, placed_here_ = 0;
    uint8_t stage_ = 0, last_ = kNobody;
    bool swapped_ = false, over_ = false;
    uint8_t supply_[kMostSlots], weight_[kMostClasses];
};

// Calls f with the narrowest position that holds the game, as std::integral_constant<int, W>.
template <class F> decltype(auto) with_width(const Tables &tables, F &&f) {
    if (tables.widest <= 4) return f(std::integral_constant<int, 4>{});
    if (tables.widest <= 32) return f(std::integral_constant<int, 32>{});
    return f(std::integral_constant<int, kMostWords>{});
}

}  // namespace taiji
