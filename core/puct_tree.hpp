// The PUCT tree in a bounded arena: each node is followed in memory by its edges, highest prior first.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "arena.hpp"

namespace taiji {

// The proven winner, if known.
enum class Proof : uint8_t { None, First, Draw, Second };

inline Proof proof_of(int winner) { return winner == 0 ? Proof::First : winner == 1 ? Proof::Second : Proof::Draw; }
inline double first_wins(Proof proof) { return proof == Proof::First ? 1 : proof == Proof::Second ? 0 : 0.5; }

struct PuctEdge {
    double sum = 0;     // sum of results for the player who makes the move
    double margin = 0;  // sum of the first seat's margins in points
    float prior = 0;
    uint32_t visits = 0;
    Arena::Ref child = 0;
    uint16_t action = 0;
    uint8_t virtual_visits = 0;  // descents through this edge that wait for the net
    Proof proof = Proof::None;
};

struct alignas(16) PuctNode {
    double sum;  // sum of results for the seat to move
    uint32_t visits;
    uint16_t edges;
    uint16_t virtual_visits;
    uint8_t seat;   // to move
    bool complete;  // every legal move has an edge
    Proof proof;

    PuctEdge *begin() { return reinterpret_cast<PuctEdge *>(this + 1); }
    PuctEdge *end() { return begin() + edges; }
    const PuctEdge *begin() const { return reinterpret_cast<const PuctEdge *>(this + 1); }
    const PuctEdge *end() const { return begin() + edges; }
    static size_t bytes(size_t edges) { return sizeof(PuctNode) + edges * sizeof(PuctEdge); }

    // Derives the proof from the edges; returns whether it is new.
    bool update_proof() {
        if (proof != Proof::None) return false;
        const Proof win = seat == 0 ? Proof::First : Proof::Second;
        bool known = complete && edges, draw = false;
        for (const PuctEdge &edge : *this) {
            if (edge.proof == win) return proof = win, true;
            known &= edge.proof != Proof::None;
            draw |= edge.proof == Proof::Draw;
        }
        if (known) proof = draw ? Proof::Draw : seat == 0 ? Proof::Second : Proof::First;
        return known;
    }
};

static_assert(sizeof(PuctEdge) == 32 && sizeof(PuctNode) == 32);

class PuctTree {
public:
    explicit PuctTree(size_t memory)
        : memory_(memory), arena_(memory), copy_target_(kReservesAddresses ? memory : memory / 4) {}

    PuctNode *at(Arena::Ref ref) const { return arena_.at<PuctNode>(ref); }
    size_t used() const { return arena_.used(); }
    uint64_t nodes() const { return nodes_; }

    // Returns a new node without visits, or 0 if memory has run out.
    Arena::Ref add(int seat, const std::vector<PuctEdge> &edges, bool complete) {
        Arena::Ref ref = arena_.allocate(PuctNode::bytes(edges.size()), memory_ / 4 * 3);
        if (!ref) return 0;
        PuctNode &node = *at(ref);
        node = PuctNode{0, 0, uint16_t(edges.size()), 0, uint8_t(seat), complete, Proof::None};
        std::copy(edges.begin(), edges.end(), node.begin());
        nodes_++;
        return ref;
    }

    // Keeps the subtree of a node and returns its new root. Copies nothing while less than half of the memory is used.
    Arena::Ref retain_subtree(Arena::Ref root) {
        if (arena_.used() < memory_ / 2) return root;
        nodes_ = 0;
        Arena::Ref copy = copy_below(root);
        arena_.take_over(copy_target_);
        return copy;
    }

    void clear() {
        arena_.clear();
        nodes_ = 0;
    }

private:
    Arena::Ref copy_below(Arena::Ref from) {
        const PuctNode &old = *at(from);
        Arena::Ref ref = copy_target_.allocate(PuctNode::bytes(old.edges), memory_ / 4);
        if (!ref) return 0;
        PuctNode &node = *copy_target_.at<PuctNode>(ref);
        std::memcpy(static_cast<void *>(&node), &old, PuctNode::bytes(old.edges));
        nodes_++;
        for (PuctEdge &edge : node)
            if (edge.child) edge.child = copy_below(edge.child);
        return ref;
    }

    size_t memory_;
    Arena arena_, copy_target_;
    uint64_t nodes_ = 0;
};

}  // namespace taiji
