// Random play to the end of the game, uniform over placements; a swap is never chosen.
#pragma once

#include <array>

#include "position.hpp"
#include "random.hpp"

namespace taiji {

// The actions of a playout in their order.
struct Trace {
    int length = 0;
    std::array<uint16_t, kMostPlies> actions;
};

template <int W> class Playout {
public:
    // Plays the position to its end.
    static void run(Position<W> &p, Random &random, Trace &trace) {
        while (!p.over_) {
            if (p.rules_->plain) run_plain(p, random, trace);
            else run_stage(p, random, trace, 1, [](const Position<W> &, uint32_t) { return 0; });
        }
    }

    // The same, but every move outside of plain stages is the one of `candidates` random moves with the highest
    // taste(position, action) for the player to move.
    template <class Taste>
    static void run(Position<W> &p, Random &random, Trace &trace, int candidates, Taste &&taste) {
        while (!p.over_) {
            if (p.rules_->plain) run_plain(p, random, trace);
            else run_stage(p, random, trace, candidates, taste);
        }
    }

private:
    // Only overlap kills and the supply lasts: the live sites stay in registers.
    static void run_plain(Position<W> &p, Random &random, Trace &trace) {
        switch (p.rules_->words) {
            case 1: return run_words<1>(p, random, trace);
            case 2: return run_words<2>(p, random, trace);
            case 3: return run_words<3>(p, random, trace);
            case 4: return run_words<4>(p, random, trace);
            default: return run_stage(p, random, trace, 1, [](const Position<W> &, uint32_t) { return 0; });
        }
    }

    template <int N> static void run_words(Position<W> &p, Random &rng, Trace &trace) {
        Random random = rng;
        const Stage &rules = *p.rules_;
        const Face *face_of = p.tables_->faces.data();
        const uint64_t *kill = rules.kill.data();
        const size_t stride = size_t(rules.stride);
        const uint32_t faces = uint32_t(rules.classes[0].faces);
        const uint32_t first = uint32_t(rules.first_action);
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

    // Writes back what the quick loop did not keep.
    static void finish(Position<W> &p, Mask light, Mask dark, const Trace &trace, int begin) {
        int laid = trace.length - begin;
        p.light_ = light;
        p.dark_ = dark;
        p.ply_ = uint16_t(p.ply_ + laid);
        p.placed_here_ = uint16_t(p.placed_here_ + laid);
        p.last_ = uint8_t(p.rules_->first ^ ((p.placed_here_ - 1) & 1) ^ int(p.swapped_));
        for (int i = 0; i < p.rules_->words; i++) p.live_[i] = 0;
        // Who asks for the covered cells? The next stage, or a count of uncovered symbols.
        if (p.stage_ + 1 < int(p.tables_->stages.size()) || p.rules_->scoring.rule == Rule::Uncovered)
            for (int i = begin; i < trace.length; i++) p.covered_ |= p.tables_->actions[trace.actions[i]].cells;
        p.settle();
    }

    // Any rules: classes of pieces are weighed by the faces that the supply still offers.
    template <class Taste>
    static void run_stage(Position<W> &p, Random &random, Trace &trace, int candidates, Taste &&taste) {
        const Stage &rules = *p.rules_;
        const int classes = int(rules.classes.size());
        while (true) {
            int counts[kMostClasses];
            uint32_t total = 0;
            for (int c = 0; c < classes; c++) {
                counts[c] = p.weight_[c] ? p.live_of_class(rules.classes[c]) : 0;
                total += uint32_t(counts[c]) * p.weight_[c];
            }
            if (!total) break;
            uint32_t action = draw(p, counts, random.below(total));
            if (candidates > 1 && total > 1) {
                auto best = taste(p, action);
                for (int i = 1; i < candidates; i++) {
                    uint32_t other = draw(p, counts, random.below(total));
                    auto value = taste(p, other);
                    if (value > best) {
                        best = value;
                        action = other;
                    }
                }
            }
            trace.actions[trace.length++] = uint16_t(action);
            p.ply_++;
            p.last_ = uint8_t(p.mover());
            p.lay(p.tables_->actions[action]);
        }
        p.settle();
    }

    // The placement of this number among all that may be made; `counts` are the live sites of each class.
    static uint32_t draw(const Position<W> &p, const int *counts, uint32_t pick) {
        const Stage &rules = *p.rules_;
        int c = 0;
        while (pick >= uint32_t(counts[c]) * p.weight_[c]) pick -= uint32_t(counts[c]) * p.weight_[c++];
        uint32_t rank = pick / p.weight_[c], face = pick % p.weight_[c];
        int w = rules.classes[c].word_begin;
        for (uint32_t here; rank >= (here = uint32_t(count(p.live_[w]))); w++) rank -= here;
        const Site &site = rules.site[w * 64 + select_bit(p.live_[w], int(rank))];
        return p.weight_[c] == rules.classes[c].faces ? site.first_action + face : stocked(p, site, face);
    }

    // The action of this rank among those of the site that the supply still offers.
    static uint32_t stocked(const Position<W> &p, const Site &site, uint32_t rank) {
        uint32_t action = site.first_action;
        while (true) {
            if (p.supply_[p.tables_->actions[action].slot] && rank-- == 0) return action;
            action++;
        }
    }
};

}  // namespace taiji
