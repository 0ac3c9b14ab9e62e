// A position of a frame, reduced to what the rest of the game depends on: the cells that can still be covered, each
// group adjacent to them (its size and those neighbours), and the sizes of the other groups. Placing a piece updates
// the groups; nothing is filled again.
#pragma once

#include "scoring.hpp"
#include "solver_frame.hpp"

namespace taiji {

constexpr int kMaxGroups = 64;  // groups of one colour that can still grow
constexpr int kMaxRanks = 4;    // largest groups that a score may depend on, if not on all

// Returns whether a stage's positions can be reduced to group states.
inline bool has_group_states(const Stage &stage) {
    return stage.overlap_only && stage.tiebreak.empty() && !stage.score.symbols && stage.score.join != Join::None &&
           stage.score.last <= kMaxRanks && (stage.score.last || stage.score.first == 1);
}

// The sizes of the largest groups of a colour in descending order, or a fold of all sizes.
struct Sizes {
    uint8_t n = 0;  // groups that are kept
    bool any = false;
    std::array<uint8_t, kMaxRanks> largest{};
    int64_t total = 0;  // if the score depends on all groups

    void add(const Tally &tally, int size) {
        if (!tally.last) {
            const int64_t value = tally.value[size_t(size)];
            if (tally.fold == Fold::Product) total = any ? total * value : value;
            else total += value;
            any = true;
            return;
        }
        int at = n;
        if (n < tally.last) n++;
        else if (largest[size_t(--at)] >= size) return;
        for (; at > 0 && largest[size_t(at - 1)] < size; at--) largest[size_t(at)] = largest[size_t(at - 1)];
        largest[size_t(at)] = uint8_t(size);
    }
    int64_t score(const Tally &tally) const { return tally.last ? fold_ranks(tally, largest, n) : total; }
    // Returns the size of this rank, or 0.
    int rank(int r) const { return r <= n ? largest[size_t(r - 1)] : 0; }
    bool operator==(const Sizes &) const = default;
};

template <class M, int W> class GroupState {
public:
    using Board = Frame<M, W>;

    template <int PW> static GroupState make(const Board &frame, const Position<PW> &p, int64_t lead);
    // Copies the groups that there are, not the room for more.
    GroupState(const GroupState &other)
        : sites(other.sites), live(other.live), base(other.base), colour(other.colour), swapped(other.swapped) {
        for (int c = 0; c < 2; c++) {
            n[c] = other.n[c];
            settled[c] = other.settled[c];
            std::copy_n(other.around[c], n[c], around[c]);
            std::copy_n(other.size[c], n[c], size[c]);
        }
    }
    GroupState &operator=(const GroupState &) = delete;

    bool is_over() const { return !sites.any(); }
    int seat_to_move() const { return colour ^ int(swapped); }

    void play(const Board &frame, int face) {
        const auto &f = frame.faces[size_t(face)];
        const auto &site = frame.sites[size_t(f.site)];
        live = live_after(frame, f.site);
        sites.remove(site.kills);
        for (M left = f.light; left; left &= left - 1) add_square(frame, 0, first_cell(left));
        for (M left = f.dark; left; left &= left - 1) add_square(frame, 1, first_cell(left));
        settle(frame);
        colour ^= 1;
    }

    // Returns the cells that can still be covered after a piece at a site.
    M live_after(const Board &frame, int site) const {
        const auto &placed = frame.sites[size_t(site)];
        SiteSet<W> free = sites;
        free.remove(placed.kills);
        M left = live & ~placed.cells;
        for (M near = placed.adjacent & left; near; near &= near - 1) {
            const int c = first_cell(near);
            if (!free.meets(frame.covers[size_t(c)])) left &= ~(M(1) << c);
        }
        return left;
    }

    // Returns the points of a colour if no more pieces were placed.
    int64_t score(const Tally &tally, int c) const {
        Sizes all = settled[c];
        for (int i = 0; i < n[c]; i++) all.add(tally, size[c][i]);
        return all.score(tally);
    }

    SiteSet<W> sites;         // that are free
    M live = 0;               // their cells
    int64_t base = 0;         // first seat's lead in half points without this stage
    uint8_t colour = 0;       // to move
    bool swapped = false;     // the first seat has the dark colour
    uint8_t n[2] = {0, 0};    // groups by colour that can still grow
    Sizes settled[2];         // the other groups
    M around[2][kMaxGroups];  // live neighbours of each group
    uint8_t size[2][kMaxGroups];

private:
    GroupState() = default;

    void add_square(const Board &frame, int c, int cell) {
        M joined = frame.neighbours[size_t(cell)];
        int total = 1, kept = 0;
        for (int i = 0; i < n[c]; i++) {
            if (around[c][i] >> cell & 1) {
                joined |= around[c][i];
                total += size[c][i];
            } else {
                around[c][kept] = around[c][i];
                size[c][kept++] = size[c][i];
            }
        }
        around[c][kept] = joined;
        size[c][kept++] = uint8_t(total);
        n[c] = uint8_t(kept);
    }

    // Sets aside the groups that cannot grow any more.
    void settle(const Board &frame) {
        for (int c = 0; c < 2; c++) {
            int kept = 0;
            for (int i = 0; i < n[c]; i++) {
                const M touched = around[c][i] & live;
                if (!touched) {
                    settled[c].add(frame.stage->score, size[c][i]);
                    continue;
                }
                around[c][kept] = touched;
                size[c][kept++] = size[c][i];
            }
            n[c] = uint8_t(kept);
        }
    }
};

template <class M, int W>
template <int PW>
GroupState<M, W> GroupState<M, W>::make(const Board &frame, const Position<PW> &p, int64_t lead) {
    const Stage &stage = *frame.stage;
    GroupState state;
    for (size_t s = 0; s < frame.sites.size(); s++) {
        const int action = frame.faces[size_t(frame.sites[s].first_face)].action;
        if (!p.is_legal(action)) continue;
        state.sites.add(int(s));
        state.live |= frame.sites[s].cells;
    }
    state.base = p.banked_lead() + lead;
    state.colour = uint8_t(p.colour_to_move());
    state.swapped = p.swapped();
    const bool king = stage.score.join == Join::King;
    for (int c = 0; c < 2; c++)
        for (Mask left = c ? p.dark() : p.light(); left;) {
            Mask group = left & (~left + 1), border = 0;
            for (Mask grown = group;; group = grown) {
                border = neighbours(stage.width, stage.height, king, group);
                grown |= border & left;
                if (grown == group) break;
            }
            left &= ~group;
            M touched = 0;
            for_each(border, [&](int cell) {
                if (frame.cell_of[size_t(cell)] >= 0) touched |= M(1) << frame.cell_of[size_t(cell)];
            });
            touched &= state.live;
            if (!touched) {
                state.settled[c].add(stage.score, count(group));
            } else {
                state.around[c][state.n[c]] = touched;
                state.size[c][state.n[c]++] = uint8_t(count(group));
            }
        }
    return state;
}

}  // namespace taiji
