// Reports of the tree search: the moves at the root and the principal variation.
#pragma once

#include "search_impl.hpp"

namespace taiji {

constexpr uint32_t kPvMinVisits = 2;  // minimum visits of the moves of a principal variation

template <int W> SearchInfo SearchImpl<W>::info() const {
    Guard guard(mutex_);
    SearchInfo info;
    if (!root_) return info;
    info.playouts = playouts_.load();
    info.nodes = tree_.nodes();
    info.memory = tree_.used();
    auto end = running_.load() ? Clock::now() : ended_;
    info.seconds = std::chrono::duration<double>(end - began_).count();
    const Node &root = *tree_.template at<Node>(root_);
    tree_.for_each_move(root, [&](Move &move) {
        int64_t n = margin_counts_[move.action].load();
        double margin = n ? double(margins_[move.action].load()) / double(n) / 2 : 0;
        info.moves.push_back({move.action, move.visits(), move.mean(), root.seat == 0 ? margin : -margin});
        return true;
    });
    std::stable_sort(info.moves.begin(), info.moves.end(), [](const MoveInfo &a, const MoveInfo &b) {
        return a.visits != b.visits ? a.visits > b.visits : a.win_prob > b.win_prob;
    });
    if (!info.moves.empty()) {
        info.win_prob = info.moves[0].win_prob;
        info.margin = info.moves[0].margin;
    }
    Arena::Ref ref = root_;
    while (ref) {
        const Move *most = nullptr;
        tree_.for_each_move(*tree_.template at<Node>(ref), [&](Move &move) {
            uint32_t visits = move.visits(), others = most ? most->visits() : 0;
            if (!most || visits > others || (visits == others && move.mean() > most->mean())) most = &move;
            return true;
        });
        if (!most || (most->visits() < kPvMinVisits && !info.pv.empty())) break;
        info.pv.push_back(most->action);
        ref = most->node.load(std::memory_order_acquire);
    }
    if (swap_is_symmetric() && !info.moves.empty()) resolve_swap(info);
    info.depth = int(info.pv.size());
    return info;
}

// The tree without a swap has valued the colours; the seat that may swap takes the better one.
template <int W> void SearchImpl<W>::resolve_swap(SearchInfo &info) const {
    if (root_position_->offers_swap()) {
        for (MoveInfo &move : info.moves) {
            if (move.win_prob <= 0.5) continue;
            if (&move == &info.moves[0]) info.pv = {move.action, game_->swap_action};
            move.win_prob = 1 - move.win_prob;
            move.margin = -move.margin;
        }
    } else if (root_position_->can_swap()) {
        const MoveInfo best = info.moves[0];
        const bool better = best.win_prob < 0.5;
        info.moves.insert(better ? info.moves.begin() : info.moves.end(),
                          {game_->swap_action, better ? best.visits : 0, 1 - best.win_prob, -best.margin});
        if (better) info.pv.insert(info.pv.begin(), game_->swap_action);
    }
    info.win_prob = info.moves[0].win_prob;
    info.margin = info.moves[0].margin;
}

}  // namespace taiji
