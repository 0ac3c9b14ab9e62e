// What a net sees of a position and where it speaks of each action; src/taiji/nets/planes.py is the reference.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "position.hpp"

namespace taiji {

// What the Python side says of a net and one of its games.
struct NetViewSpec {
    int planes = 0, globals = 0, kinds = 1;
    int rule = 0, rules = 1;           // which of the net's ways to score this game has
    int depth = 0;                     // how many of the largest groups count; 0: all
    bool groups = true;                // squares form groups; symbols do not
    bool ratio = false;                // margins are counted in quarter octaves
    int policy = 0;                    // planes of the policy
    bool swap = false;                 // the net has a logit for the swap
    MaskWords board{0, 0};             // the cells that can be covered
    std::vector<int> places;           // by colour and action: where the flat policy speaks of it
    std::vector<int> slot_order;       // the order in which dark sees the supply; empty where it is not shown
    std::vector<int> slot_counts;      // the full supply
};

class NetView {
public:
    static constexpr double kLeadUnit = 10, kMostLead = 4, kSideUnit = 11;

    NetView(const Tables &tables, NetViewSpec spec) : tables_(tables), spec_(std::move(spec)) {
        const Stage &stage = tables.stages[0];
        size_t actions = size_t(tables.action_count);
        int planes = 3 + (spec_.groups ? 4 : 0) + (spec_.kinds > 1 ? spec_.kinds : 0) + spec_.kinds;
        int numbers = 5 + spec_.rules + int(spec_.slot_order.size());
        if (tables.stages.size() != 1) throw std::invalid_argument("a net sees games of one stage");
        if (planes != spec_.planes || numbers != spec_.globals || spec_.places.size() != 2 * actions ||
            spec_.kinds > kMostKinds || spec_.slot_order.size() != spec_.slot_counts.size())
            throw std::invalid_argument("the net does not see this game");
        int places = spec_.policy * stage.cells + int(spec_.swap);
        for (int place : spec_.places)
            if (place < 0 || place >= places) throw std::invalid_argument("the net does not speak of every move");
        for (int slot : spec_.slot_order)
            if (slot < 0 || slot >= int(stage.supply.size())) throw std::invalid_argument("no such slot");
        board_ = mask(spec_.board.first, spec_.board.second);
        for (int x = 0; x < stage.cells; x += stage.width) first_column_ |= bit(x);
        last_column_ = first_column_ << (stage.width - 1);
    }

    static constexpr int kMostKinds = 8;
    const NetViewSpec &spec() const { return spec_; }
    size_t plane_floats() const { return size_t(spec_.planes) * size_t(tables_.stages[0].cells); }
    int place(int colour, int action) const { return spec_.places[size_t(colour * tables_.action_count + action)]; }

    // The whole board, every cell moved as the symmetry of this number does.
    template <int W>
    void see(const Position<W> &p, const Mask *kinds, int symmetry, float *planes, float *numbers) const {
        const Stage &stage = p.rules();
        const int *image = tables_.cell_images[size_t(symmetry)].data();
        const int cells = stage.cells;
        std::fill(planes, planes + plane_floats(), 0.f);
        float *plane = planes;
        auto mark = [&](Mask m) {
            for_each(m, [&](int cell) { plane[image[cell]] = 1; });
            plane += cells;
        };
        const Mask own[2] = {p.own(p.to_move()), p.own(1 ^ p.to_move())};
        mark(board_);
        mark(own[0]);
        mark(own[1]);
        if (spec_.groups) {
            for (int side = 0; side < 2; side++)
                show_groups(stage.scoring.king, stage.width, own[side], image, plane + side * cells,
                            plane + (2 + side) * cells);
            plane += 4 * cells;
        }
        if (spec_.kinds > 1)
            for (int k = 0; k < spec_.kinds; k++) mark(kinds[k]);
        Mask reach[kMostKinds] = {};
        if (!p.over())
            for (size_t c = 0; c < stage.classes.size(); c++) {
                if (!p.weight(int(c))) continue;
                for (int w = stage.classes[c].word_begin; w < stage.classes[c].word_end; w++)
                    for (uint64_t left = p.live()[w]; left; left &= left - 1) {
                        size_t s = size_t(w * 64 + std::countr_zero(left));
                        reach[stage.site[s].kind] |= stage.site_cells[s];
                    }
            }
        for (int k = 0; k < spec_.kinds; k++) mark(reach[k]);
        tell(p, stage, numbers);
    }

private:
    template <int W> void tell(const Position<W> &p, const Stage &stage, float *numbers) const {
        const int dark = p.to_move(), cells = count(board_);
        double own = double(p.points(stage.scoring, dark)), other = double(p.points(stage.scoring, 1 ^ dark));
        double lead = spec_.ratio ? 4 * (std::log2(own + 1) - std::log2(other + 1)) : own - other;
        *numbers++ = float(dark);
        *numbers++ = p.can_swap();
        *numbers++ = float(double(count(p.covered())) / cells);
        *numbers++ = float(std::sqrt(double(cells)) / kSideUnit);
        *numbers++ = float(std::clamp(lead / kLeadUnit, -kMostLead, kMostLead));
        for (int rule = 0; rule < spec_.rules; rule++) *numbers++ = rule == spec_.rule;
        for (size_t i = 0; i < spec_.slot_order.size(); i++) {
            int slot = dark ? spec_.slot_order[i] : int(i);
            *numbers++ = float(double(p.supply(slot)) / std::max(1, spec_.slot_counts[i]));
        }
    }

    void show_groups(bool king, int width, Mask own, const int *image, float *sizes, float *counting) const {
        Mask groups[kMostCells];
        int n = 0, largest[kMostCells];
        while (own) {
            Mask group = own & (~own + 1), before = 0;
            while (group != before) {
                before = group;
                Mask sides = ((group & ~last_column_) << 1) | ((group & ~first_column_) >> 1);
                Mask row = king ? sides | group : group;
                group |= (sides | (row << width) | (row >> width)) & own;
            }
            largest[n] = count(group);
            groups[n++] = group;
            own ^= group;
        }
        int enough = 1;
        if (spec_.depth > 0 && spec_.depth <= n) {
            int sorted[kMostCells];
            std::copy(largest, largest + n, sorted);
            std::nth_element(sorted, sorted + spec_.depth - 1, sorted + n, std::greater<>());
            enough = sorted[spec_.depth - 1];
        }
        for (int g = 0; g < n; g++)
            for_each(groups[g], [&](int cell) {
                sizes[image[cell]] = float(largest[g]);
                counting[image[cell]] = largest[g] >= enough;
            });
    }

    const Tables &tables_;
    NetViewSpec spec_;
    Mask board_ = 0, first_column_ = 0, last_column_ = 0;
};

}  // namespace taiji
