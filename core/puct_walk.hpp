// One descent of a search by priors: which way it goes, what a leaf is worth, and what the way up learns of it.
#pragma once

#include "puct_of.hpp"

namespace taiji {

constexpr int kMostPending = 200;  // descents through a node that wait for the net

// Goes down to a position that nobody has judged; what is known already is settled on the way.
template <int W> auto PuctOf<W>::descend(Leaf &leaf) -> Descent {
    Arena::Ref ref = root_;
    bool unknown = !root_;
    if (unknown && root_asked_) return Descent::Blocked;
    while (!unknown) {
        PuctNode &node = *tree_.at(ref);
        int chosen = select(node);
        PuctEdge &edge = node.begin()[chosen];
        if ((edge.pending && !edge.child) || node.pending > kMostPending) {
            unwind(leaf);
            return Descent::Blocked;
        }
        leaf.path.push_back({ref, chosen});
        node.pending++;
        edge.pending++;
        leaf.at.play(*tables_, edge.action);
        if (leaf.at.position.over()) {
            Value value = result_of(leaf.at.position);
            edge.proof = value.proof;
            settle(leaf, value);
            return Descent::Done;
        }
        if (edge.proof != Proof::None) {
            double mean = edge.visits ? edge.margin / edge.visits : 0;
            settle(leaf, {first_wins(edge.proof), mean, edge.proof});
            return Descent::Done;
        }
        ref = edge.child;
        unknown = !ref;
    }
    leaf.symmetry = leaf.at.canonical(*tables_);
    if (options_.cache)
        if (const Judgement *said = cache_.find(leaf.at.hashes[leaf.symmetry])) {
            remembered_++;
            enter(leaf, *said);
            return Descent::Done;
        }
    if (leaf.path.empty()) root_asked_ = true;
    return Descent::Leaf;
}

template <int W> int PuctOf<W>::select(const PuctNode &node) const {
    const double visits = double(node.visits + node.pending);
    const double weight = (options_.exploration + options_.growth * std::log1p(visits / options_.horizon)) *
                          std::sqrt(std::max(1.0, visits));
    const Proof lost = node.mover == 0 ? Proof::Second : Proof::First;
    const double own = node.visits ? node.sum / node.visits : 0.5;
    double seen = 0, best = -1e9;
    int chosen = -1;
    for (const PuctEdge &edge : node) {
        double n = double(edge.visits + edge.pending), score;
        if (edge.proof == lost) {
            if (chosen < 0 && best < -1e8) chosen = int(&edge - node.begin());  // where all is lost, any will do
            seen += edge.prior;
            continue;
        }
        if (n == 0) {
            // The likeliest of those not visited yet: no other of them can have a higher score.
            double first = std::max(0.0, own - options_.reduction * std::sqrt(seen));
            score = first + weight * edge.prior;
        } else {
            double value = edge.proof == Proof::None ? edge.sum / n
                           : edge.proof == Proof::Draw ? 0.5 : 1.0;
            score = value + weight * edge.prior / (1 + n);
            seen += edge.prior;
        }
        if (score > best) best = score, chosen = int(&edge - node.begin());
        if (n == 0) break;
    }
    return chosen;
}

template <int W> auto PuctOf<W>::result_of(const Position<W> &end) const -> Value {
    int64_t halves[2];
    end.scores(halves);
    double margin = double(halves[0] - halves[1]) / 2;
    int64_t total = halves[0] - halves[1] + objective_.lead;
    int winner = total ? (total > 0 ? 0 : 1) : objective_.equal_totals;
    if (objective_.equal_totals == Objective::kGameRule) {
        halves[0] += objective_.lead;
        winner = end.winner(halves);
    }
    Proof proof = proof_of(winner);
    return {first_wins(proof), margin, proof};
}

// The chance to win, or to win by enough where a lead is carried in.
template <int W> auto PuctOf<W>::value_of(const Position<W> &p, const Judgement &said) const -> Value {
    const int mover = p.mover();
    const bool plain = objective_.lead == 0 && objective_.equal_totals == Objective::kGameRule;
    const int half = kMargins / 2;
    double win = said.win, margin = 0, ahead = 0, level = 0;
    double lead = double(mover == 0 ? objective_.lead : -objective_.lead) / 2;
    for (int i = 0; i < kMargins; i++) {
        double points = i - half;
        margin += points * said.margins[i];
        if (points + lead > 0) ahead += said.margins[i];
        else if (points + lead == 0) level += said.margins[i];
    }
    if (!plain) {
        double share = 0.5;
        if (objective_.equal_totals == 0 || objective_.equal_totals == 1) share = objective_.equal_totals == mover;
        win = ahead + share * level;
    }
    return {mover == 0 ? win : 1 - win, mover == 0 ? margin : -margin};
}

template <int W> void PuctOf<W>::settle(const Leaf &leaf, const Value &value) {
    playouts_++;
    bool proving = value.proof != Proof::None;
    double first = value.first;
    for (size_t i = leaf.path.size(); i-- > 0;) {
        PuctNode &node = *tree_.at(leaf.path[i].node);
        PuctEdge &edge = node.begin()[leaf.path[i].edge];
        double own = node.mover == 0 ? first : 1 - first;
        node.visits++;
        node.sum += own;
        node.pending--;
        edge.visits++;
        edge.sum += own;
        edge.margin += value.margin;
        edge.pending--;
        proving = proving && node.conclude();
        if (proving && i > 0) {
            tree_.at(leaf.path[i - 1].node)->begin()[leaf.path[i - 1].edge].proof = node.proof;
            first = first_wins(node.proof);
        }
    }
}

template <int W> void PuctOf<W>::unwind(const Leaf &leaf) {
    for (const Step &step : leaf.path) {
        PuctNode &node = *tree_.at(step.node);
        node.pending--;
        node.begin()[step.edge].pending--;
    }
}

template <int W> Arena::Ref PuctOf<W>::expand(const Leaf &leaf, const Judgement &said) {
    // Back from the image that the net saw to the board as it lies.
    const std::vector<uint16_t> &back = back_[size_t(leaf.symmetry)];
    std::vector<PuctEdge> edges(said.choices.size());
    for (size_t i = 0; i < edges.size(); i++) {
        edges[i].action = back[said.choices[i].action];
        edges[i].prior = said.choices[i].prior;
    }
    return tree_.add(leaf.at.position.mover(), edges, said.complete);
}

template <int W> void PuctOf<W>::enter(const Leaf &leaf, const Judgement &said) {
    Value value = value_of(leaf.at.position, said);
    Arena::Ref ref = expand(leaf, said);
    if (ref) {
        PuctNode &node = *tree_.at(ref);
        node.visits = 1;
        node.sum = node.mover == 0 ? value.first : 1 - value.first;
        if (leaf.path.empty()) root_ = ref;
        else tree_.at(leaf.path.back().node)->begin()[leaf.path.back().edge].child = ref;
    }
    settle(leaf, value);
}

}  // namespace taiji
