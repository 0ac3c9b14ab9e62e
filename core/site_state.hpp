// A position of a site frame: the sites that are open and live, in the numbers of the frame.
#pragma once

#include "site_groups.hpp"

namespace taiji {

// Returns whether a stage's positions can be reduced to site states: no rule counts cells.
inline bool has_site_states(const Stage &stage) { return !stage.overlap_only && stage.count_tests.empty(); }

template <int W> class SiteState {
public:
    using Board = SiteFrame<W>;

    template <int PW> static SiteState make(const Board &frame, const Position<PW> &p, int64_t lead) {
        SiteState state;
        for_each_site(reachable_sites(p), [&](int s) {
            const int first = int(frame.stage->site[size_t(s)].first_action) - frame.stage->first_action;
            const int site = int(frame.faces[size_t(frame.face_of[size_t(first)])].site);
            state.open.add(site);
            if (p.live()[s / 64] >> s % 64 & 1) state.live.add(site);
        });
        state.covered = p.covered();
        state.squares[0] = p.light();
        state.squares[1] = p.dark();
        state.base = p.banked_lead() + lead;
        state.colour = uint8_t(p.colour_to_move());
        state.swapped = p.swapped();
        for (size_t slot = 0; slot < kMaxSlots; slot++)
            state.supply[slot] = slot < frame.stage->supply.size() ? uint8_t(p.supply(int(slot))) : 0;
        state.drop_unsupplied(frame);
        if (frame.has_groups)
            for (int c = 0; c < 2; c++)
                for_each(state.squares[c],
                         [&](int cell) { state.groups.add_square(c, cell, frame.neighbours[size_t(cell)]); });
        state.reach(frame);
        return state;
    }

    bool is_over() const { return !live.any(); }
    int seat_to_move() const { return colour ^ int(swapped); }
    Mask scoring_cells(const Board &frame, const Tally &tally, int c) const {
        return tally.symbols ? frame.symbols[c] & ~covered : squares[c];
    }

    bool can_place(const Board &frame, int face) const {
        const auto &f = frame.faces[size_t(face)];
        return live.has(f.site) && supply[f.slot];
    }

    void play(const Board &frame, int face) {
        const auto &f = frame.faces[size_t(face)];
        place_at(frame, f.site);
        if (--supply[f.slot] == 0) drop_unsupplied(frame);
        if (frame.has_groups) {
            for_each(f.light, [&](int cell) { groups.add_square(0, cell, frame.neighbours[size_t(cell)]); });
            for_each(f.dark, [&](int cell) { groups.add_square(1, cell, frame.neighbours[size_t(cell)]); });
        } else {
            squares[0] |= f.light;
            squares[1] |= f.dark;
        }
        reach(frame);
        colour ^= 1;
    }

    // Updates all that depends on the site of a piece alone.
    void place_at(const Board &frame, int s) {
        const auto &site = frame.sites[size_t(s)];
        covered |= site.cells;
        open.remove(site.kills);
        if (frame.has_blocks) kill_block_fillers(frame, site);
        if (!frame.has_wakes) {
            live = open;
            return;
        }
        for (int i = 0; i < W; i++) live.words[i] = (live.words[i] | site.wakes.words[i]) & open.words[i];
    }

    SiteSet<W> open, live;         // sites that are live or can become live, and those that are
    Mask cells = 0;                // of open sites
    int8_t least_gain, most_gain;  // of Light's lead in symbols by one of them
    Mask covered = 0;
    Mask squares[2] = {0, 0};  // unless there are groups
    SiteGroups groups;
    int64_t base = 0;      // first seat's lead in half points without this stage
    uint8_t colour = 0;    // to move
    bool swapped = false;  // the first seat has the dark colour
    uint8_t supply[kMaxSlots];

private:
    // Keeps open what is live or can become live: what pieces on such sites wake.
    void reach(const Board &frame) {
        cells = 0;
        least_gain = kMaxCells - 1;
        most_gain = 1 - kMaxCells;
        SiteSet<W> reached = live;
        for (SiteSet<W> added = live; added.any();) {
            SiteSet<W> woken;
            added.for_each([&](int s) {
                const auto &site = frame.sites[size_t(s)];
                cells |= site.cells;
                least_gain = std::min(least_gain, site.gain);
                most_gain = std::max(most_gain, site.gain);
                for (int i = 0; i < W; i++) woken.words[i] |= site.wakes.words[i];
            });
            for (int i = 0; i < W; i++) {
                added.words[i] = woken.words[i] & open.words[i] & ~reached.words[i];
                reached.words[i] |= added.words[i];
            }
        }
        open = reached;
        if (frame.has_groups) groups.settle(frame.ranks, cells);
    }

    // Kills every site that would fill a forbidden block which overlaps this site.
    void kill_block_fillers(const Board &frame, const Board::FrameSite &site) {
        for (uint32_t b = site.blocks_begin; b < site.blocks_end; b++) {
            Mask left = frame.blocks[frame.near_blocks[b]] & ~covered;
            SiteSet<W> filling = open;
            for (; left; left &= left - 1) {
                const SiteSet<W> &covering = frame.covers[size_t(lowest(left))];
                for (int i = 0; i < W; i++) filling.words[i] &= covering.words[i];
            }
            open.remove(filling);
        }
    }

    // Removes the sites for which no piece is left.
    void drop_unsupplied(const Board &frame) {
        for (size_t c = 0; c < frame.class_of.size(); c++) {
            bool supplied = false;
            for (auto [slot, n] : frame.stage->classes[c].slots) supplied = supplied || supply[slot];
            if (supplied) continue;
            open.remove(frame.class_of[c]);
            live.remove(frame.class_of[c]);
        }
    }
};

}  // namespace taiji
