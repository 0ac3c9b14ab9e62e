// Searches positions of a stage that has site states.
#pragma once

#include "any_frame.hpp"
#include "site_rules.hpp"

namespace taiji {

template <int FW, int W> class SiteSearch final : public ReducedSearch<W> {
public:
    using State = SiteState<FW>;

    SiteSearch(const SiteFrame<FW> &frame, SolverThread &thread, TieRule tie, int64_t lead, int plies)
        : frame_(frame), lead_(lead), search_(SiteRules<FW>(frame, tie), thread, thread.shared().group_history, plies) {
    }

    // The first placement is another matter: it need not touch, but may have rules of its own.
    bool accepts(const Position<W> &p) const override {
        return &p.current_stage() == frame_.stage && !p.is_over() && p.covered() && !p.moves_to_swap() &&
               !p.must_name_komi();
    }
    int64_t search(const Position<W> &p, int64_t beta, int ply) override {
        return search_.search(State::make(frame_, p, lead_), beta, ply);
    }
    PositionKey key(const Position<W> &p) override { return search_.key(State::make(frame_, p, lead_)); }
    int stored_move(const Position<W> &p) override {
        const uint16_t face = search_.stored_move(State::make(frame_, p, lead_));
        return face == kNoMove ? -1 : int(frame_.faces[face].action);
    }

private:
    const SiteFrame<FW> &frame_;
    int64_t lead_;
    SolverSearch<SiteRules<FW>> search_;
};

template <int FW, int W> class SiteFrameHolder final : public AnyFrame<W> {
public:
    explicit SiteFrameHolder(SiteFrame<FW> frame) : frame_(std::move(frame)) {}
    bool contains(const Position<W> &p) const override { return frame_.contains(p); }
    std::unique_ptr<ReducedSearch<W>> make_search(SolverThread &thread, TieRule tie, int64_t lead,
                                                  int plies) const override {
        return std::make_unique<SiteSearch<FW, W>>(frame_, thread, tie, lead, plies);
    }

private:
    SiteFrame<FW> frame_;
};

// Returns the smallest frame of site states that a position fits, or nothing. A browser has one kind alone,
// because each is a part of its code.
template <int W> std::unique_ptr<AnyFrame<W>> make_site_frame(const Position<W> &p) {
    const bool last = p.stage_index() + 1 == int(p.game().stages.size());
    if (!last || p.is_over() || !has_site_states(p.current_stage())) return nullptr;
    int sites = 0;
    for_each_site(reachable_sites(p), [&](int) { sites++; });
    std::unique_ptr<AnyFrame<W>> result;
    auto fits = [&](auto words) {
        constexpr int kWords = decltype(words)::value;
        if (sites > SiteFrame<kWords>::kMaxFrameSites || result) return;
        if (auto frame = SiteFrame<kWords>::make(p))
            result = std::make_unique<SiteFrameHolder<kWords, W>>(std::move(*frame));
    };
    if constexpr (kHasThreads) fits(std::integral_constant<int, 4>{});
    fits(std::integral_constant<int, 8>{});
    if constexpr (kHasThreads) fits(std::integral_constant<int, 16>{});
    return result;
}

}  // namespace taiji
