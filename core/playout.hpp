// Random games, uniform over placements; a playout never swaps, and names a random komi if it has to.
#pragma once

#include <array>

#include "position.hpp"
#include "random.hpp"

namespace taiji {

// The actions of a playout, in order.
struct Trace {
    static constexpr int kSpare = 8;  // may be read behind the last action
    int length = 0;
    std::array<uint16_t, kMaxPlies + kSpare> actions;
};

template <int W> class Playout {
public:
    // Plays the position to the end of the game.
    static void run(Position<W> &p, Random &random, Trace &trace) {
        if (p.must_name_komi_) name_komi(p, random, trace);
        while (!p.is_over_) {
            if (p.stage_->overlap_only) run_overlap_only(p, random, trace);
            else run_stage(p, random, trace, 1, [](const Position<W> &, uint32_t) { return 0; });
        }
    }

    // The same, but outside overlap-only stages each move is the best of `candidates` random moves by
    // move_value(position, action).
    template <class MoveValue>
    static void run(Position<W> &p, Random &random, Trace &trace, int candidates, MoveValue &&move_value) {
        if (p.must_name_komi_) name_komi(p, random, trace);
        while (!p.is_over_) {
            if (p.stage_->overlap_only) run_overlap_only(p, random, trace);
            else run_stage(p, random, trace, candidates, move_value);
        }
    }

private:
    static void name_komi(Position<W> &p, Random &random, Trace &trace) {
        int action = p.game_->swap_action + 1 + int(random.below(uint32_t(p.game_->komi_names.size())));
        trace.actions[trace.length++] = uint16_t(action);
        p.play(action);
    }

    // Only overlap forbids placements and the supply is ample: keep the live sites in registers.
    static void run_overlap_only(Position<W> &p, Random &random, Trace &trace) {
        switch (p.stage_->words) {
            case 1: return run_words<1>(p, random, trace);
            case 2: return run_words<2>(p, random, trace);
            case 3: return run_words<3>(p, random, trace);
            case 4: return run_words<4>(p, random, trace);
            default: return run_stage(p, random, trace, 1, [](const Position<W> &, uint32_t) { return 0; });
        }
    }

    template <int N> static void run_words(Position<W> &p, Random &rng, Trace &trace) {
        Random random = rng;
        const Stage &stage = *p.stage_;
        const Face *face_of = p.game_->faces.data();
        const uint64_t *kill = stage.kill.data();
        const size_t stride = size_t(stage.stride);
        const uint32_t faces = uint32_t(stage.classes[0].faces);
        const uint32_t first = uint32_t(stage.first_action);
        uint64_t live[N];
        for (int i = 0; i < N; i++) live[i] = p.live_[i];
        Mask light = p.light_, dark = p.dark_;
        int begin = trace.length, n = begin;
        while (true) {
            int upto[N];
            int sum = 0;
            for (int i = 0; i < N; i++) upto[i] = sum += count(live[i]);
            if (!sum) break;
            uint32_t pick = random.below(uint32_t(sum) * faces);
            int rank = int(pick / faces);
            uint32_t face = pick - uint32_t(rank) * faces;
            uint64_t word = live[0];
            int base = 0, before = 0;
            for (int i = 1; i < N; i++) {
                bool beyond = rank >= upto[i - 1];
                word = beyond ? live[i] : word;
                before = beyond ? upto[i - 1] : before;
                base = beyond ? i * 64 : base;
            }
            int site = base + select_bit(word, rank - before);
            uint32_t action = first + uint32_t(site) * faces + face;
            const uint64_t *kills = kill + size_t(site) * stride;
            for (int i = 0; i < N; i++) live[i] &= ~kills[i];
            light |= face_of[action].light;
            dark |= face_of[action].dark;
            trace.actions[n++] = uint16_t(action);
        }
        trace.length = n;
        rng = random;
        finish(p, light, dark, trace, begin);
    }

    // Writes back the state that the fast loop did not maintain.
    static void finish(Position<W> &p, Mask light, Mask dark, const Trace &trace, int begin) {
        int placed = trace.length - begin;
        p.light_ = light;
        p.dark_ = dark;
        p.ply_ = uint16_t(p.ply_ + placed);
        p.placed_here_ = uint16_t(p.placed_here_ + placed);
        p.last_seat_ = uint8_t(p.stage_->first ^ ((p.placed_here_ - 1) & 1) ^ int(p.swapped_));
        for (int i = 0; i < p.stage_->words; i++) p.live_[i] = 0;
        // Only a following stage and symbol scoring read the covered cells.
        if (p.stage_index_ + 1 < int(p.game_->stages.size()) || p.stage_->scores_symbols)
            for (int i = begin; i < trace.length; i++) p.covered_ |= p.game_->actions[trace.actions[i]].cells;
        p.advance_stage();
    }

    // Any rules: weight each class by the faces left in the supply.
    template <class MoveValue>
    static void run_stage(Position<W> &p, Random &random, Trace &trace, int candidates, MoveValue &&move_value) {
        const Stage &stage = *p.stage_;
        const int classes = int(stage.classes.size());
        while (true) {
            int counts[kMaxClasses];
            uint32_t total = 0;
            for (int c = 0; c < classes; c++) {
                counts[c] = p.weight_[c] ? p.live_of_class(stage.classes[c]) : 0;
                total += uint32_t(counts[c]) * p.weight_[c];
            }
            if (!total) break;
            uint32_t action = draw(p, counts, random.below(total));
            if (candidates > 1 && total > 1) {
                auto best = move_value(p, action);
                for (int i = 1; i < candidates; i++) {
                    uint32_t other = draw(p, counts, random.below(total));
                    auto value = move_value(p, other);
                    if (value > best) {
                        best = value;
                        action = other;
                    }
                }
            }
            trace.actions[trace.length++] = uint16_t(action);
            p.ply_++;
            p.last_seat_ = uint8_t(p.seat_to_move());
            p.place(p.game_->actions[action]);
        }
        p.advance_stage();
    }

    // Returns the legal placement of index `pick`; `counts` are the live sites per class.
    static uint32_t draw(const Position<W> &p, const int *counts, uint32_t pick) {
        const Stage &stage = *p.stage_;
        int c = 0;
        for (uint32_t offered; pick >= (offered = uint32_t(counts[c]) * p.weight_[c]); c++) pick -= offered;
        uint32_t rank = pick / p.weight_[c], face = pick % p.weight_[c];
        int w = stage.classes[c].word_begin;
        for (uint32_t sites; rank >= (sites = uint32_t(count(p.live_[w]))); w++) rank -= sites;
        const Site &site = stage.site[w * 64 + select_bit(p.live_[w], int(rank))];
        return p.weight_[c] == stage.classes[c].faces ? site.first_action + face : nth_in_supply(p, site, face);
    }

    // Returns the action of this rank among those of the site that are left in the supply.
    static uint32_t nth_in_supply(const Position<W> &p, const Site &site, uint32_t rank) {
        uint32_t action = site.first_action;
        while (true) {
            if (p.supply_[p.game_->actions[action].slot] && rank-- == 0) return action;
            action++;
        }
    }
};

}  // namespace taiji
