// One playout of the PUCT search: selection, evaluation of the leaf, backup.
#pragma once

#include "elementary.hpp"
#include "puct_impl.hpp"

namespace taiji {

constexpr int kMaxVirtualVisits = 200;  // concurrent descents through one node

// Descends to a position without an evaluation; positions with a known value are backed up at once.
template <int W> auto PuctImpl<W>::descend(Leaf &leaf) -> Descent {
    Arena::Ref ref = root_;
    bool unknown = !root_;
    if (unknown && root_asked_) return Descent::Blocked;
    while (!unknown) {
        PuctNode &node = *tree_.at(ref);
        int chosen = select(node);
        PuctEdge &edge = node.begin()[chosen];
        if ((edge.virtual_visits && !edge.child) || node.virtual_visits > kMaxVirtualVisits) {
            undo_virtual_visits(leaf);
            return Descent::Blocked;
        }
        leaf.path.push_back({ref, chosen});
        node.virtual_visits++;
        edge.virtual_visits++;
        leaf.cursor.play(*game_, edge.action);
        if (leaf.cursor.position.is_over()) {
            Value value = result_of(leaf.cursor.position);
            edge.proof = value.proof;
            backup(leaf, value);
            return Descent::Done;
        }
        if (edge.proof != Proof::None) {
            double mean = edge.visits ? edge.margin / edge.visits : 0;
            backup(leaf, {first_wins(edge.proof), mean, edge.proof});
            return Descent::Done;
        }
        ref = edge.child;
        unknown = !ref;
    }
    leaf.symmetry = leaf.cursor.canonical_symmetry(*game_);
    if (options_.cache)
        if (const NetEvaluation *evaluation = cache_.find(leaf.cursor.hashes[leaf.symmetry])) {
            cache_hits_++;
            expand_and_backup(leaf, *evaluation);
            return Descent::Done;
        }
    if (leaf.path.empty()) root_asked_ = true;
    return Descent::Leaf;
}

template <int W> int PuctImpl<W>::select(const PuctNode &node) const {
    const double visits = double(node.visits + node.virtual_visits);
    const double weight = (options_.cpuct + options_.cpuct_factor * natural_log(1 + visits / options_.cpuct_base)) *
                          std::sqrt(std::max(1.0, visits));
    const Proof lost = node.seat == 0 ? Proof::Second : Proof::First;
    const double own = node.visits ? node.sum / node.visits : 0.5;
    double seen = 0, best = -1e9;
    int chosen = -1;
    for (const PuctEdge &edge : node) {
        double n = double(edge.visits + edge.virtual_visits), score;
        if (edge.proof == lost) {
            if (chosen < 0 && best < -1e8) chosen = int(&edge - node.begin());  // if every move loses, take the first
            seen += edge.prior;
            continue;
        }
        if (n == 0) {
            // Edges are sorted by prior: no later unvisited edge can have a higher score.
            double first = std::max(0.0, own - options_.fpu_reduction * std::sqrt(seen));
            score = first + weight * edge.prior;
        } else {
            double value = edge.proof == Proof::None ? edge.sum / n : edge.proof == Proof::Draw ? 0.5 : 1.0;
            score = value + weight * edge.prior / (1 + n);
            seen += edge.prior;
        }
        if (score > best) best = score, chosen = int(&edge - node.begin());
        if (n == 0) break;
    }
    return chosen;
}

template <int W> auto PuctImpl<W>::result_of(const Position<W> &end) const -> Value {
    int64_t half_points[2];
    end.scores(half_points);
    double margin = double(half_points[0] - half_points[1]) / 2;
    int64_t total = half_points[0] - half_points[1] + objective_.lead;
    int winner = total ? (total > 0 ? 0 : 1) : objective_.tie_winner;
    if (objective_.tie_winner == Objective::kGameRule) {
        half_points[0] += objective_.lead;
        winner = end.winner(half_points);
    }
    Proof proof = proof_of(winner);
    return {first_wins(proof), margin, proof};
}

// Returns the share that a seat has of equal totals.
template <int W> double PuctImpl<W>::tie_share(const Position<W> &p, int seat) const {
    int winner = objective_.tie_winner;
    if (winner == Objective::kGameRule && encoder_.spec().by_margin) {
        if (game_->tie == Tie::Light) winner = int(p.swapped());
        if (game_->tie == Tie::Dark) winner = 1 ^ int(p.swapped());
    }
    return winner == 0 || winner == 1 ? winner == seat : 0.5;
}

// Returns the win probability. With a lead carried into the game or a komi that the net does not know, it is the
// probability to win by more than that. A seat that may swap takes the better colour, if the net has no swap logit.
template <int W> auto PuctImpl<W>::value_of(const Position<W> &p, const NetEvaluation &evaluation) const -> Value {
    if (p.must_name_komi()) return {0.5, 0};
    const int seat = p.seat_to_move();
    const bool game_only =
        objective_.lead == 0 && objective_.tie_winner == Objective::kGameRule && !encoder_.spec().by_margin;
    const int half = kMarginBins / 2;
    double win = evaluation.win, margin = 0, ahead = 0, equal = 0;
    const double komi = double(seat == 0 ? p.banked_lead() : -p.banked_lead()) / 2;
    double lead = komi + double(seat == 0 ? objective_.lead : -objective_.lead) / 2;
    for (int i = 0; i < kMarginBins; i++) {
        double points = i - half;
        margin += points * evaluation.margins[i];
        if (points + lead > 0) ahead += evaluation.margins[i];
        else if (points + lead == 0) equal += evaluation.margins[i];
    }
    if (!game_only) win = ahead + tie_share(p, seat) * equal;
    margin += komi;
    if (win < 0.5 && p.can_swap() && !encoder_.spec().swap) win = 1 - win, margin = -margin;
    return {seat == 0 ? win : 1 - win, seat == 0 ? margin : -margin};
}

template <int W> void PuctImpl<W>::backup(const Leaf &leaf, const Value &value) {
    playouts_++;
    bool proving = value.proof != Proof::None;
    double first = value.first;
    for (size_t i = leaf.path.size(); i-- > 0;) {
        PuctNode &node = *tree_.at(leaf.path[i].node);
        PuctEdge &edge = node.begin()[leaf.path[i].edge];
        double own = node.seat == 0 ? first : 1 - first;
        node.visits++;
        node.sum += own;
        node.virtual_visits--;
        edge.visits++;
        edge.sum += own;
        edge.margin += value.margin;
        edge.virtual_visits--;
        proving = proving && node.update_proof();
        if (proving && i > 0) {
            tree_.at(leaf.path[i - 1].node)->begin()[leaf.path[i - 1].edge].proof = node.proof;
            first = first_wins(node.proof);
        }
    }
}

template <int W> void PuctImpl<W>::undo_virtual_visits(const Leaf &leaf) {
    for (const Step &step : leaf.path) {
        PuctNode &node = *tree_.at(step.node);
        node.virtual_visits--;
        node.begin()[step.edge].virtual_visits--;
    }
}

template <int W> Arena::Ref PuctImpl<W>::expand(const Leaf &leaf, const NetEvaluation &evaluation) {
    // Map the actions of the evaluated image back to this board.
    const std::vector<uint16_t> &back = back_[size_t(leaf.symmetry)];
    std::vector<PuctEdge> edges(evaluation.choices.size());
    for (size_t i = 0; i < edges.size(); i++) {
        edges[i].action = back[evaluation.choices[i].action];
        edges[i].prior = evaluation.choices[i].prior;
    }
    return tree_.add(leaf.cursor.position.seat_to_move(), edges, evaluation.complete);
}

template <int W> void PuctImpl<W>::expand_and_backup(const Leaf &leaf, const NetEvaluation &evaluation) {
    Value value = value_of(leaf.cursor.position, evaluation);
    Arena::Ref ref = expand(leaf, evaluation);
    if (ref) {
        PuctNode &node = *tree_.at(ref);
        node.visits = 1;
        node.sum = node.seat == 0 ? value.first : 1 - value.first;
        if (leaf.path.empty()) root_ = ref;
        else tree_.at(leaf.path.back().node)->begin()[leaf.path.back().edge].child = ref;
    }
    backup(leaf, value);
}

}  // namespace taiji
