// One playout of the tree search: selection, expansion, simulation, backup.
#pragma once

#include <cstring>

#include "search_impl.hpp"

namespace taiji {

template <int W> void SearchImpl<W>::playout(Worker &worker) {
    Position<W> p = *root_position_;
    worker.depth = 0;
    worker.trace.length = 0;
    const AmafTable *table = nullptr;
    int table_stage = -1;
    Arena::Ref next = root_;
    while (next) {
        // Step 1: visit the node. With enough visits its AMAF statistics guide selection from here on (GRAVE).
        Node &node = *tree_.template at<Node>(next);
        const uint32_t visits = add(node.visits, 1) + 1;
        if (options_.method == Method::Grave && visits >= options_.amaf_min_visits) {
            const AmafTable *own = ensure_amaf_table(node, visits, worker);
            if (own && (visits >= options_.grave_ref || worker.depth == 0 || table_stage != node.stage)) {
                table = own;
                table_stage = node.stage;
            }
        }
        // Step 2: select a move. Its visit counts at once, as a virtual loss until the result is known.
        Move *move = worker.selector.choose(node, p, table_stage == node.stage ? table : nullptr, worker.random);
        if (!move) break;
        add(move->stats, kOneVisit);
        worker.nodes[worker.depth] = &node;
        worker.moves[worker.depth++] = move;
        worker.trace.actions[worker.trace.length++] = move->action;
        p.play(move->action);
        if (p.is_over()) break;
        // Step 3: continue if the move has a node, or expand it after enough visits.
        next = move->node.load(std::memory_order_acquire);
        if (!next && move->visits() > options_.expand_visits) next = expand(*move, p);
    }
    // Step 4: simulate.
    if (!p.is_over()) finish_playout(worker, p);
    // Step 5: back up the result.
    backup(worker, p);
}

template <int W> void SearchImpl<W>::finish_playout(Worker &worker, Position<W> &p) const {
    if (options_.playout_candidates <= 1) return Playout<W>::run(p, worker.random, worker.trace);
    if (!options_.amaf_playouts) {
        auto gain = [](const Position<W> &at, uint32_t action) {
            int light = at.gain(int(action));
            return at.colour_to_move() == 0 ? light : -light;
        };
        return Playout<W>::run(p, worker.random, worker.trace, options_.playout_candidates, gain);
    }
    const Node &root = *tree_.template at<Node>(root_);
    const Stage &stage = game_->stages[root.stage];
    const int base = stage.first_action;
    Arena::Ref ref = root.table.load(std::memory_order_acquire);
    const AmafStats *entries = ref ? tree_.template at<AmafTable>(ref)->entries : nullptr;
    const int known = ref ? stage.actions : 0;
    const float amaf_prior = float(options_.amaf_prior) + 1;  // never 0, so that an unseen action has an even result
    auto success = [=](const Position<W> &at, uint32_t action) {
        int index = int(action) - base;
        if (index < 0 || index >= known) return 0.5f;
        auto [n, won] = entries[index].of(at.colour_to_move());
        return (won + amaf_prior / 2) / (n + amaf_prior);
    };
    Playout<W>::run(p, worker.random, worker.trace, options_.playout_candidates, success);
}

template <int W> Arena::Ref SearchImpl<W>::expand(Move &move, const Position<W> &p) {
    Arena::Ref fresh = tree_.new_node(p.seat_to_move(), p.colour_to_move(), p.stage_index());
    if (!fresh) return 0;
    Arena::Ref none = 0;
    return move.node.compare_exchange_strong(none, fresh, std::memory_order_acq_rel) ? fresh : none;
}

template <int W> const AmafTable *SearchImpl<W>::ensure_amaf_table(Node &node, uint32_t visits, Worker &worker) {
    Arena::Ref ref = node.table.load(std::memory_order_acquire);
    if (!ref) {
        Arena::Ref fresh = tree_.new_amaf_table(node.stage);
        if (!fresh) return nullptr;
        if (node.table.compare_exchange_strong(ref, fresh, std::memory_order_acq_rel)) ref = fresh;
    }
    AmafTable *table = tree_.template at<AmafTable>(ref);
    if (visits >= options_.grave_ref) {
        const uint32_t due = table->rank_beyond_visits.load(std::memory_order_relaxed);
        if (visits > due && !node.lock.exchange(1, std::memory_order_acquire)) {
            worker.selector.rank(*table, game_->stages[node.stage].actions, visits);
            node.lock.store(0, std::memory_order_release);
        }
    }
    return table;
}

template <int W> uint32_t SearchImpl<W>::result_for_first(const Position<W> &end, int64_t &margin) const {
    int64_t half_points[2];
    end.scores(half_points);
    margin = half_points[0] - half_points[1];
    int64_t total = margin + objective_.lead;
    int winner;
    if (objective_.tie_winner == Objective::kGameRule) {
        half_points[0] += objective_.lead;
        winner = end.winner(half_points);
    } else {
        winner = total ? (total > 0 ? 0 : 1) : objective_.tie_winner;
    }
    return winner == 0 ? kWin : winner == 1 ? 0 : kWin / 2;
}

// Writes the AMAF entries of the trace from this depth on, and returns where the stage ends in it.
template <int W> int SearchImpl<W>::find_entries(Worker &worker, const Stage &stage, int depth) const {
    constexpr int kBlock = AmafTable::kBlock;
    typedef uint16_t Block __attribute__((vector_size(kBlock * sizeof(uint16_t))));
    const uint16_t *trace = worker.trace.actions.data();
    const uint16_t first = uint16_t(stage.first_action), actions = uint16_t(stage.actions);
    int end = worker.trace.length;
    if (game_->stages.size() > 1) {
        const auto is_later = [&](int action) { return action >= first + actions && game_->is_placement(action); };
        end = int(std::find_if(trace + depth, trace + end, is_later) - trace);
    }
    const Block most = Block{} + actions;  // a swap and a named komi share the entry behind the last action
    for (int i = depth; i < end; i += kBlock) {
        Block block;
        std::memcpy(&block, trace + i, sizeof block);
        block -= first;
        block = block < most ? block : most;
        std::memcpy(worker.entries + i, &block, sizeof block);
    }
    // The last block is filled up with entries that differ, so that no addition waits for another.
    const Block behind = Block{0, 1, 2, 3, 4, 5, 6, 7} + actions;
    std::memcpy(worker.entries + end, &behind, sizeof behind);
    return end;
}

template <int W> void SearchImpl<W>::backup(Worker &worker, const Position<W> &end) {
    int64_t margin;
    const uint32_t first = result_for_first(end, margin);
    const uint32_t light = end.swapped() ? kWin - first : first;
    const uint64_t seen = (uint64_t(1) << 32) + light / (kWin / 2);
    int stage = -1, end_of_stage = 0;
    for (int d = 0; d < worker.depth; d++) {
        Node &node = *worker.nodes[d];
        add(worker.moves[d]->stats, node.seat == 0 ? first : kWin - first);
        Arena::Ref ref = node.table.load(std::memory_order_acquire);
        if (!ref) continue;
        if (node.stage != stage) end_of_stage = find_entries(worker, game_->stages[stage = node.stage], d);
        // Whole blocks, because their number is easier to predict than that of actions.
        AmafTable &table = *tree_.template at<AmafTable>(ref);
        for (int i = d; i < end_of_stage; i += AmafTable::kBlock) table.add(worker.entries + i, seen);
    }
    if (worker.depth) {
        add(margins_[worker.moves[0]->action], margin);
        add(margin_counts_[worker.moves[0]->action], 1);
    }
}

}  // namespace taiji
