// Searches positions of a stage that has group states.
#pragma once

#include <memory>

#include "any_frame.hpp"
#include "group_rules.hpp"

namespace taiji {

template <class M, int FW, int W> class GroupSearch final : public ReducedSearch<W> {
public:
    GroupSearch(const Frame<M, FW> &frame, SolverThread &thread, TieRule tie, int64_t lead, int plies)
        : frame_(frame), lead_(lead),
          search_(GroupRules<M, FW>(frame, tie), thread, thread.shared().group_history, plies) {}

    bool accepts(const Position<W> &p) const override {
        return &p.current_stage() == frame_.stage && !p.is_over() && !p.moves_to_swap() && !p.must_name_komi();
    }
    int64_t search(const Position<W> &p, int64_t beta, int ply) override {
        return search_.search(GroupState<M, FW>::make(frame_, p, lead_), beta, ply);
    }
    PositionKey key(const Position<W> &p) override { return search_.key(GroupState<M, FW>::make(frame_, p, lead_)); }
    int stored_move(const Position<W> &p) override {
        const uint16_t face = search_.stored_move(GroupState<M, FW>::make(frame_, p, lead_));
        return face == kNoMove ? -1 : int(frame_.faces[face].action);
    }

private:
    const Frame<M, FW> &frame_;
    int64_t lead_;
    SolverSearch<GroupRules<M, FW>> search_;
};

template <class FrameType, int W> class FrameHolder;

template <class M, int FW, int W> class FrameHolder<Frame<M, FW>, W> final : public AnyFrame<W> {
public:
    explicit FrameHolder(Frame<M, FW> frame) : frame_(std::move(frame)) {}
    bool contains(const Position<W> &p) const override { return frame_.contains(p); }
    std::unique_ptr<ReducedSearch<W>> make_search(SolverThread &thread, TieRule tie, int64_t lead,
                                                  int plies) const override {
        return std::make_unique<GroupSearch<M, FW, W>>(frame_, thread, tie, lead, plies);
    }

private:
    Frame<M, FW> frame_;
};

// Returns whether the rest of a position's game is one of group states.
template <int W> bool ends_in_groups(const Position<W> &p) {
    const bool last = p.stage_index() + 1 == int(p.game().stages.size());
    return last && !p.is_over() && has_group_states(p.current_stage());
}

// Returns whether no position of the frame has more groups than a group state holds.
template <class M, int FW, int W> bool holds_groups(const Frame<M, FW> &frame, const Position<W> &p) {
    const int pieces = int(frame.cell.size()) / frame.min_cells;
    return count(p.light()) + pieces * frame.most[0] <= kMaxGroups &&
           count(p.dark()) + pieces * frame.most[1] <= kMaxGroups;
}

// A browser takes small frames alone: large ones would be a tenth of its code, for positions that are beyond its reach.
using SmallFrame = Frame<uint64_t, kHasThreads ? 1 : 2>;
using LargeFrame = Frame<Mask, 4>;

// Returns the smallest frame of group states that a position fits, or nothing.
template <int W> std::unique_ptr<AnyFrame<W>> make_group_frame(const Position<W> &p) {
    if (!ends_in_groups(p)) return nullptr;
    auto held = [&]<class FrameType>(FrameType &frame) -> std::unique_ptr<AnyFrame<W>> {
        if (!holds_groups(frame, p)) return nullptr;
        return std::make_unique<FrameHolder<FrameType, W>>(std::move(frame));
    };
    if (auto small = SmallFrame::make(p)) return held(*small);
    if constexpr (kHasThreads)
        if (auto large = LargeFrame::make(p)) return held(*large);
    return nullptr;
}

// See Solver::mirror_win.
template <int W> int mirror_win(const Position<W> &p, TieRule tie, int64_t lead) {
    if (!ends_in_groups(p) || p.moves_to_swap() || p.must_name_komi()) return -1;
    auto within = [&]<class M, int FW>(const Frame<M, FW> &frame) {
        if (frame.mirrors.empty() || !holds_groups(frame, p)) return -1;
        const uint16_t face = GroupRules<M, FW>(frame, tie).mirror_win(GroupState<M, FW>::make(frame, p, lead));
        return face == kNoFace ? -1 : int(frame.faces[face].action);
    };
    if (const auto small = SmallFrame::make(p)) return within(*small);
    if constexpr (kHasThreads)
        if (const auto large = LargeFrame::make(p)) return within(*large);
    return -1;
}

}  // namespace taiji
