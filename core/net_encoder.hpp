// Encodes positions as inputs of a net and maps actions to policy outputs; src/taiji/nets/planes.py is the reference.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "elementary.hpp"
#include "position.hpp"

namespace taiji {

// The Python description of a net's inputs and outputs for one game.
struct NetEncoderSpec {
    int planes = 0, globals = 0, kinds = 1;
    int rule = 0, rules = 1;        // index of this game's scoring among those of the net
    int depth = 0;                  // number of largest groups that score; 0: all
    bool groups = true;             // whether there are planes for groups (not with symbols)
    bool ratio = false;             // whether margins are in quarter octaves instead of points
    int policy = 0;                 // number of policy planes
    bool swap = false;              // whether the net has a swap logit
    bool by_margin = false;         // whether the margins decide, as the game has another komi or tie rule than the net
    MaskWords board{0, 0};          // the cells that can be covered
    std::vector<int> policy_index;  // by colour and action: index into the flat policy
    std::vector<int> slot_order;    // order of the supply as Dark sees it; empty if not encoded
    std::vector<int> slot_counts;   // the full supply
};

class NetEncoder {
public:
    static constexpr double kLeadUnit = 10, kLeadClip = 4, kSideUnit = 11;
    static constexpr double kLog2E = 1.4426950408889634;

    NetEncoder(const CompiledGame &game, NetEncoderSpec spec) : game_(game), spec_(std::move(spec)) {
        const Stage &stage = game.stages[0];
        size_t actions = size_t(game.action_count);
        int planes = 3 + (spec_.groups ? 4 : 0) + (spec_.kinds > 1 ? spec_.kinds : 0) + spec_.kinds;
        int global_count = 5 + spec_.rules + int(spec_.slot_order.size());
        if (game.stages.size() != 1) throw std::invalid_argument("a net supports games of one stage only");
        if (planes != spec_.planes || global_count != spec_.globals || spec_.policy_index.size() != 2 * actions ||
            spec_.kinds > kMaxKinds || spec_.slot_order.size() != spec_.slot_counts.size())
            throw std::invalid_argument("the inputs of the net do not fit this game");
        int policy_size = spec_.policy * stage.cells + 1;  // the last for a swap and a named komi
        for (int index : spec_.policy_index)
            if (index < 0 || index >= policy_size)
                throw std::invalid_argument("the net's policy does not cover every action");
        for (int slot : spec_.slot_order)
            if (slot < 0 || slot >= int(stage.supply.size())) throw std::invalid_argument("invalid supply slot");
        board_ = mask(spec_.board.first, spec_.board.second);
        for (int x = 0; x < stage.cells; x += stage.width) first_column_ |= bit(x);
        last_column_ = first_column_ << (stage.width - 1);
    }

    static constexpr int kMaxKinds = 8;
    const NetEncoderSpec &spec() const { return spec_; }
    size_t plane_floats() const { return size_t(spec_.planes) * size_t(game_.stages[0].cells); }
    int policy_index(int colour, int action) const {
        return spec_.policy_index[size_t(colour * game_.action_count + action)];
    }

    // Writes the inputs of the net, with every cell moved by a symmetry.
    template <int W>
    void encode(const Position<W> &p, const Mask *kinds, int symmetry, float *planes, float *globals) const {
        const Stage &stage = p.current_stage();
        const int *image = game_.cell_images[size_t(symmetry)].data();
        const int cells = stage.cells;
        std::fill(planes, planes + plane_floats(), 0.f);
        float *plane = planes;
        auto mark = [&](Mask m) {
            for_each(m, [&](int cell) { plane[image[cell]] = 1; });
            plane += cells;
        };
        const Mask own[2] = {p.scoring_cells(p.colour_to_move()), p.scoring_cells(1 ^ p.colour_to_move())};
        mark(board_);
        mark(own[0]);
        mark(own[1]);
        if (spec_.groups) {
            for (int side = 0; side < 2; side++)
                show_groups(stage.score.join == Join::King, stage.width, own[side], image, plane + side * cells,
                            plane + (2 + side) * cells);
            plane += 4 * cells;
        }
        if (spec_.kinds > 1)
            for (int k = 0; k < spec_.kinds; k++) mark(kinds[k]);
        Mask reachable[kMaxKinds] = {};
        if (!p.is_over())
            for (size_t c = 0; c < stage.classes.size(); c++) {
                if (!p.weight(int(c))) continue;
                for (int w = stage.classes[c].word_begin; w < stage.classes[c].word_end; w++)
                    for (uint64_t left = p.live()[w]; left; left &= left - 1) {
                        size_t s = size_t(w * 64 + std::countr_zero(left));
                        reachable[stage.site[s].kind] |= stage.site_cells[s];
                    }
            }
        for (int k = 0; k < spec_.kinds; k++) mark(reachable[k]);
        encode_globals(p, stage, globals);
    }

private:
    template <int W> void encode_globals(const Position<W> &p, const Stage &stage, float *globals) const {
        const int dark = p.colour_to_move(), cells = count(board_);
        double own = double(p.points(stage.score, dark)), other = double(p.points(stage.score, 1 ^ dark));
        double lead = spec_.ratio ? 4 * (natural_log(own + 1) - natural_log(other + 1)) * kLog2E : own - other;
        *globals++ = float(dark);
        *globals++ = spec_.swap && p.can_swap();  // a net without a swap logit never saw one
        *globals++ = float(double(count(p.covered())) / cells);
        *globals++ = float(std::sqrt(double(cells)) / kSideUnit);
        *globals++ = float(std::clamp(lead / kLeadUnit, -kLeadClip, kLeadClip));
        for (int rule = 0; rule < spec_.rules; rule++) *globals++ = rule == spec_.rule;
        for (size_t i = 0; i < spec_.slot_order.size(); i++) {
            int slot = dark ? spec_.slot_order[i] : int(i);
            *globals++ = float(double(p.supply(slot)) / std::max(1, spec_.slot_counts[i]));
        }
    }

    void show_groups(bool king, int width, Mask own, const int *image, float *sizes, float *counting) const {
        Mask groups[kMaxCells];
        int n = 0, largest[kMaxCells];
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
            int sorted[kMaxCells];
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

    const CompiledGame &game_;
    NetEncoderSpec spec_;
    Mask board_ = 0, first_column_ = 0, last_column_ = 0;
};

}  // namespace taiji
