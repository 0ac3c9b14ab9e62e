// The sites of a stage that can still be used, renumbered: what the solver's site states are made of. It exists for
// last stages in which more than overlap forbids placements: pieces must touch, some kinds must not, blocks must not
// fill up. All positions that follow one of its positions fit the frame, so their hashes can be compared.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "solver_frame.hpp"

namespace taiji {

// W: words of a set of sites.
template <int W> struct SiteFrame {
    static constexpr int kMaxFrameSites = 64 * W, kMaxFrameGroups = 64, kMaxFrameRanks = 4;

    struct FrameSite {
        Mask cells = 0;
        SiteSet<W> kills, wakes;
        uint16_t first_face = 0, faces = 0;
        int8_t gain = 0;                            // what Light's lead in symbols grows by
        uint32_t blocks_begin = 0, blocks_end = 0;  // into near_blocks
    };
    struct FrameFace {
        Mask light = 0, dark = 0;
        uint16_t action = 0, site = 0;
        uint8_t slot = 0;
    };

    const CompiledGame *game = nullptr;
    const Stage *stage = nullptr;
    Mask symbols[2] = {0, 0};
    std::vector<FrameSite> sites;
    std::vector<FrameFace> faces;
    std::vector<int> face_of;          // by action of the stage: its face, or -1
    std::vector<SiteSet<W>> covers;    // by cell: the sites that cover it
    std::vector<SiteSet<W>> class_of;  // by class of the stage: its sites
    std::vector<Mask> blocks;          // that can still fill up
    std::vector<uint16_t> near_blocks;
    bool has_wakes = false, has_blocks = false, small_blocks = true;
    bool counts_symbols = false;   // the score is the number of uncovered symbols
    bool scores_squares = false;   // the score or a tie-break counts squares
    bool has_groups = false;       // the score and tie-breaks are of the largest groups of squares alone
    Tally ranks;                   // a tally of as many ranks as the score and the tie-breaks depend on
    int min_cells = 1;             // of a piece
    int most[2] = {0, 0};          // squares by colour of a piece
    bool pieces_connect = true;    // the cells of a piece are neighbours, by the score's rule or edge by edge
    std::vector<Mask> neighbours;  // by cell, by the score's rule

    // Returns the words of a set of its sites that can hold one, an even number.
    int words() const { return (int(sites.size()) + 127) / 128 * 2; }

    // Returns the frame of a position, or nothing if it does not fit.
    template <int PW> static std::optional<SiteFrame> make(const Position<PW> &p);

    // Returns whether a position's open sites are all in the frame.
    template <int PW> bool contains(const Position<PW> &p) const;

    // Returns the cells of a board this wide that are at most a step away, diagonals included, and these cells.
    Mask around(Mask cells) const {
        const Mask rows = cells | (cells & ~last_column) << 1 | (cells & ~first_column) >> 1;
        return rows | rows << stage->width | rows >> stage->width;
    }
    // Returns these cells with those next to them, by the rule that joins groups.
    Mask joined(Mask cells) const {
        const Mask sides = cells | (cells & ~last_column) << 1 | (cells & ~first_column) >> 1;
        const Mask row = stage->score.join == Join::King ? sides : cells;
        return sides | row << stage->width | row >> stage->width;
    }

    Mask first_column = 0, last_column = 0;
    Mask first_covered = 0, coverable = 0;  // cells that are covered, and that can be, in the first position

private:
    void add_sites(const std::vector<uint64_t> &reachable);
    void add_rows();
    void add_blocks(Mask covered);
    template <int PW> void choose_scores(const Position<PW> &p);
};

// Returns the sites of a position that are live or can become live: those that pieces on such sites wake.
template <int PW> std::vector<uint64_t> reachable_sites(const Position<PW> &p) {
    const Stage &stage = p.current_stage();
    const size_t words = size_t(stage.words);
    if (!p.covered() || !stage.has_wakes) return {p.open(), p.open() + words};
    std::vector<uint64_t> reached(p.live(), p.live() + words), added = reached;
    for (bool any = true; any;) {
        std::vector<uint64_t> woken(words);
        for (size_t s = 0; s < 64 * words; s++)
            if (added[s / 64] >> s % 64 & 1)
                for (size_t w = 0; w < words; w++) woken[w] |= stage.wakes(int(s))[w];
        any = false;
        for (size_t w = 0; w < words; w++) {
            added[w] = woken[w] & p.open()[w] & ~reached[w];
            reached[w] |= added[w];
            any = any || added[w];
        }
    }
    return reached;
}

// Calls f with the number of each site of a row.
template <class F> void for_each_site(const std::vector<uint64_t> &row, F &&f) {
    for (size_t w = 0; w < row.size(); w++)
        for (uint64_t left = row[w]; left; left &= left - 1) f(int(w) * 64 + std::countr_zero(left));
}

template <int W> template <int PW> std::optional<SiteFrame<W>> SiteFrame<W>::make(const Position<PW> &p) {
    const std::vector<uint64_t> reachable = reachable_sites(p);
    int n = 0;
    for_each_site(reachable, [&](int) { n++; });
    if (n > kMaxFrameSites) return {};
    SiteFrame frame;
    frame.game = &p.game();
    frame.stage = &p.current_stage();
    frame.has_wakes = frame.stage->has_wakes;
    for (int c = 0; c < 2; c++) frame.symbols[c] = p.symbols(c);
    for (int cell = 0; cell < frame.stage->cells; cell++) {
        if (cell % frame.stage->width == 0) frame.first_column |= bit(cell);
        if (cell % frame.stage->width == frame.stage->width - 1) frame.last_column |= bit(cell);
    }
    frame.add_sites(reachable);
    frame.add_rows();
    frame.add_blocks(p.covered());
    frame.choose_scores(p);
    return frame;
}

template <int W> template <int PW> void SiteFrame<W>::choose_scores(const Position<PW> &p) {
    const CompiledTally &score = stage->score;
    counts_symbols = score.symbols && score.join == Join::None && score.linear && score.first == 1 && !score.last;
    scores_squares = !score.symbols;
    ranks.last = score.last;
    has_groups = true;
    auto add_tally = [&](const CompiledTally &tally) {
        scores_squares = scores_squares || !tally.symbols;
        has_groups = has_groups && !tally.symbols && tally.join == score.join && tally.join != Join::None &&
                     tally.last >= 1 && tally.last <= kMaxFrameRanks;
        ranks.last = std::max(ranks.last, tally.last);
    };
    add_tally(score);
    for (const CompiledTally &tally : stage->tiebreak) add_tally(tally);
    for (int cell = 0; cell < stage->cells; cell++)
        neighbours.push_back(taiji::neighbours(stage->width, stage->height, score.join == Join::King, bit(cell)));
    const int pieces = count(coverable) / min_cells;
    has_groups = has_groups && count(p.light()) + pieces * most[0] <= kMaxFrameGroups &&
                 count(p.dark()) + pieces * most[1] <= kMaxFrameGroups;
}

template <int W> void SiteFrame<W>::add_sites(const std::vector<uint64_t> &reachable) {
    face_of.assign(size_t(stage->actions), -1);
    class_of.assign(stage->classes.size(), {});
    covers.assign(size_t(stage->cells), {});
    min_cells = kMaxCells;
    for_each_site(reachable, [&](int s) {
        const Site &from = stage->site[size_t(s)];
        FrameSite site;
        site.cells = stage->site_cells[size_t(s)];
        site.gain = int8_t(count(site.cells & symbols[1]) - count(site.cells & symbols[0]));
        site.first_face = uint16_t(faces.size());
        site.faces = from.faces;
        min_cells = std::min(min_cells, count(site.cells));
        for (uint32_t a = from.first_action; a < from.first_action + from.faces; a++) {
            const Action &action = game->actions[a];
            face_of[size_t(a) - size_t(stage->first_action)] = int(faces.size());
            most[0] = std::max(most[0], count(action.light));
            most[1] = std::max(most[1], count(action.dark));
            faces.push_back({action.light, action.dark, uint16_t(a), uint16_t(sites.size()), action.slot});
        }
        class_of[from.face_class].add(int(sites.size()));
        Mask group = bit(lowest(site.cells));
        for (Mask grown = joined(group) & site.cells; grown != group; grown = joined(group) & site.cells) group = grown;
        pieces_connect = pieces_connect && group == site.cells;
        for_each(site.cells, [&](int cell) { covers[size_t(cell)].add(int(sites.size())); });
        sites.push_back(site);
    });
}

template <int W> void SiteFrame<W>::add_rows() {
    auto original = [&](const FrameSite &site) { return int(game->actions[faces[site.first_face].action].site); };
    for (FrameSite &site : sites) {
        const uint64_t *kills = stage->kills(original(site));
        const uint64_t *wakes = has_wakes ? stage->wakes(original(site)) : nullptr;
        for (size_t other = 0; other < sites.size(); other++) {
            const int s = original(sites[other]);
            if (kills[s / 64] >> s % 64 & 1) site.kills.add(int(other));
            if (wakes && (wakes[s / 64] >> s % 64 & 1)) site.wakes.add(int(other));
        }
    }
}

// Keeps the blocks whose empty cells can all be covered.
template <int W> void SiteFrame<W>::add_blocks(Mask covered) {
    first_covered = covered;
    for (const FrameSite &site : sites) coverable |= site.cells;
    for (Mask block : stage->blocks) {
        if (block & ~covered & ~coverable) continue;
        blocks.push_back(block);
    }
    has_blocks = !blocks.empty();
    for (FrameSite &site : sites) {
        site.blocks_begin = uint32_t(near_blocks.size());
        for (size_t b = 0; b < blocks.size(); b++)
            if (blocks[b] & site.cells) near_blocks.push_back(uint16_t(b));
        site.blocks_end = uint32_t(near_blocks.size());
    }
    // Whether blocks span at most two rows and two columns decides how far away a covered cell matters.
    for (Mask block : blocks)
        for_each(block, [&](int cell) { small_blocks = small_blocks && !(block & ~around(bit(cell))); });
}

template <int W> template <int PW> bool SiteFrame<W>::contains(const Position<PW> &p) const {
    if (&p.current_stage() != stage || p.is_over() || p.symbols(0) != symbols[0] || p.symbols(1) != symbols[1])
        return false;
    bool all = !(first_covered & ~p.covered()) && !(p.covered() & ~first_covered & ~coverable);
    for_each_site(reachable_sites(p), [&](int s) {
        all = all && face_of[size_t(int(stage->site[size_t(s)].first_action) - stage->first_action)] >= 0;
    });
    return all;
}

}  // namespace taiji
