// The tree of a search by priors: a node has its moves beside it, the likeliest first, in a bounded arena.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "arena.hpp"

namespace taiji {

// Who wins for certain, if that is known.
enum class Proof : uint8_t { None, First, Draw, Second };

inline Proof proof_of(int winner) { return winner == 0 ? Proof::First : winner == 1 ? Proof::Second : Proof::Draw; }
inline double first_wins(Proof proof) { return proof == Proof::First ? 1 : proof == Proof::Second ? 0 : 0.5; }

struct PuctEdge {
    double sum = 0;     // of results, for the player who makes the move
    double margin = 0;  // of margins in points, for the first seat
    float prior = 0;
    uint32_t visits = 0;
    Arena::Ref child = 0;
    uint16_t action = 0;
    uint8_t pending = 0;  // descents on their way through here
    Proof proof = Proof::None;
};

struct alignas(16) PuctNode {
    double sum;  // of results, for the player to move
    uint32_t visits;
    uint16_t edges;
    uint16_t pending;
    uint8_t mover;   // a seat
    bool complete;   // every legal move has an edge
    Proof proof;

    PuctEdge *begin() { return reinterpret_cast<PuctEdge *>(this + 1); }
    PuctEdge *end() { return begin() + edges; }
    const PuctEdge *begin() const { return reinterpret_cast<const PuctEdge *>(this + 1); }
    const PuctEdge *end() const { return begin() + edges; }
    static size_t bytes(size_t edges) { return sizeof(PuctNode) + edges * sizeof(PuctEdge); }

    // Takes from the edges what they prove; tells whether that is news.
    bool conclude() {
        if (proof != Proof::None) return false;
        const Proof win = mover == 0 ? Proof::First : Proof::Second;
        bool known = complete && edges, draw = false;
        for (const PuctEdge &edge : *this) {
            if (edge.proof == win) return proof = win, true;
            known &= edge.proof != Proof::None;
            draw |= edge.proof == Proof::Draw;
        }
        if (known) proof = draw ? Proof::Draw : mover == 0 ? Proof::Second : Proof::First;
        return known;
    }
};

static_assert(sizeof(PuctEdge) == 32 && sizeof(PuctNode) == 32);

class PuctTree {
public:
    explicit PuctTree(size_t memory) : memory_(memory), arena_(memory), spare_(memory) {}

    PuctNode *at(Arena::Ref ref) const { return arena_.at<PuctNode>(ref); }
    size_t used() const { return arena_.used(); }
    uint64_t nodes() const { return nodes_; }

    // A new node without visits; 0 where memory has run out.
    Arena::Ref add(int mover, const std::vector<PuctEdge> &edges, bool complete) {
        Arena::Ref ref = arena_.allocate(PuctNode::bytes(edges.size()), memory_ / 4 * 3);
        if (!ref) return 0;
        PuctNode &node = *at(ref);
        node = PuctNode{0, 0, uint16_t(edges.size()), 0, uint8_t(mover), complete, Proof::None};
        std::copy(edges.begin(), edges.end(), node.begin());
        nodes_++;
        return ref;
    }

    // Keeps what hangs below a node. Nothing is moved as long as less than half of the memory is taken.
    Arena::Ref keep(Arena::Ref root) {
        if (arena_.used() < memory_ / 2) return root;
        nodes_ = 0;
        Arena::Ref copy = copy_below(root);
        std::swap(arena_, spare_);
        spare_.clear();
        return copy;
    }

    void clear() {
        arena_.clear();
        nodes_ = 0;
    }

private:
    Arena::Ref copy_below(Arena::Ref from) {
        const PuctNode &old = *at(from);
        Arena::Ref ref = spare_.allocate(PuctNode::bytes(old.edges), memory_ / 4);
        if (!ref) return 0;
        PuctNode &node = *spare_.at<PuctNode>(ref);
        std::memcpy(static_cast<void *>(&node), &old, PuctNode::bytes(old.edges));
        nodes_++;
        for (PuctEdge &edge : node)
            if (edge.child) edge.child = copy_below(edge.child);
        return ref;
    }

    size_t memory_;
    Arena arena_, spare_;
    uint64_t nodes_ = 0;
};

}  // namespace taiji
