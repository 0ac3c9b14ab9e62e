// Reports of a PUCT search: the moves at the root and the principal variation.
#pragma once

#include <algorithm>
#include <vector>

#include "puct_tree.hpp"
#include "puct_types.hpp"

namespace taiji {

// Writes the moves of a node, best first, and the principal variation from there.
inline void describe(const PuctTree &tree, Arena::Ref from, PuctInfo &info) {
    const PuctNode &root = *tree.at(from);
    info.proven = root.proof != Proof::None;
    auto rank = [](const PuctNode &node, const PuctEdge &edge) {
        double own = node.seat == 0 ? first_wins(edge.proof) : 1 - first_wins(edge.proof);
        return edge.proof == Proof::None || own == 0.5 ? 1 : own > 0.5 ? 2 : 0;
    };
    auto mean = [](const PuctNode &node, const PuctEdge &edge) {
        if (edge.proof != Proof::None) return node.seat == 0 ? first_wins(edge.proof) : 1 - first_wins(edge.proof);
        return edge.visits ? edge.sum / edge.visits : node.visits ? node.sum / node.visits : 0.5;
    };
    auto better = [&](const PuctNode &node, const PuctEdge &a, const PuctEdge &b) {
        if (rank(node, a) != rank(node, b)) return rank(node, a) > rank(node, b);
        if (a.visits != b.visits) return a.visits > b.visits;
        return a.visits ? mean(node, a) > mean(node, b) : a.prior > b.prior;
    };
    std::vector<const PuctEdge *> edges;
    for (const PuctEdge &edge : root)
        if (edge.visits || edges.empty()) edges.push_back(&edge);
    std::stable_sort(edges.begin(), edges.end(), [&](auto *a, auto *b) { return better(root, *a, *b); });
    for (const PuctEdge *edge : edges) {
        double margin = edge->visits ? edge->margin / edge->visits : 0;
        info.moves.push_back({edge->action, edge->visits, mean(root, *edge), root.seat == 0 ? margin : -margin});
    }
    if (!info.moves.empty()) info.win_prob = info.moves[0].win_prob, info.margin = info.moves[0].margin;
    Arena::Ref ref = from;
    while (ref) {
        const PuctNode &node = *tree.at(ref);
        const PuctEdge *best = nullptr;
        for (const PuctEdge &edge : node)
            if ((edge.visits || ref == from) && (!best || better(node, edge, *best))) best = &edge;
        if (!best) break;
        info.pv.push_back(best->action);
        ref = best->child;
    }
    info.depth = int(info.pv.size());
}

}  // namespace taiji
