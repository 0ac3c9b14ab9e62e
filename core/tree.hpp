// The search tree: nodes in a bounded arena.
#pragma once

#include <vector>

#include "node.hpp"

namespace taiji {

class Tree {
public:
    // `table_bytes`: size of an AMAF table, by stage.
    Tree(size_t memory, std::vector<size_t> table_bytes);

    static constexpr size_t kMinBytes = size_t(1) << 20;

    template <class T> T *at(Arena::Ref ref) const { return arena_.at<T>(ref); }
    template <class T> T *at_fine(uint32_t ref) const { return arena_.at_fine<T>(ref); }
    size_t used() const { return arena_.used(); }
    uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // Returns zeroed memory, or 0 if memory has run out. A quarter stays free for the subtree kept after a move.
    Arena::Ref allocate(size_t bytes) { return arena_.allocate(bytes, memory_ / 4 * 3); }
    // Returns an AMAF table, or 0 once tables and nodes fill half of the memory.
    Arena::Ref new_amaf_table(int stage) { return arena_.allocate(table_bytes_[size_t(stage)], memory_ / 2); }

    // Returns a new node, or 0 if memory has run out.
    Arena::Ref new_node(int seat, int colour, int stage);

    // Calls f(move) for every move of the node, oldest first, until it returns false.
    template <class F> void for_each_move(const Node &node, F &&f) const { each_move(arena_, node, f); }
    // Returns the shortlist, or null if there is none.
    const Shortlist *shortlist(const Node &node) const {
        Arena::Ref ref = node.shortlist.load(std::memory_order_acquire);
        return ref ? at<Shortlist>(ref) : nullptr;
    }
    // Calls f(move) for the moves of the shortlist, or for all moves if there is none.
    template <class F> void for_each_shortlisted(const Node &node, F &&f) const;

    // Adds a move; the caller holds the node's lock. Returns false if memory has run out.
    bool add_move(Node &node, int action, uint16_t prior = 0);
    // Replaces the shortlist; the caller holds the node's lock. Does nothing if memory has run out.
    void set_shortlist(Node &node, Move *const *moves);

    // Keeps the subtree of `root`, most visited nodes first, up to a quarter of the memory, and drops the rest. Returns
    // the new root. No thread may be searching.
    Arena::Ref retain_subtree(Arena::Ref root);
    void clear();

private:
    static constexpr size_t kMaxRetainedBytes = size_t(64) << 20;  // copies within tens of milliseconds

    template <class F> static void each_move(const Arena &arena, const Node &node, F &&f);
    Arena::Ref copy_node(Arena &to, const Node &from, size_t budget) const;

    size_t memory_;
    std::vector<size_t> table_bytes_;
    Arena arena_, copy_target_;
    std::atomic<uint64_t> nodes_{0};
};

template <class F> void Tree::each_move(const Arena &arena, const Node &node, F &&f) {
    int left = node.move_count.load(std::memory_order_acquire);
    const Move *moves = node.moves;
    int capacity = Node::kMoves;
    Arena::Ref next = node.next.load(std::memory_order_relaxed);
    while (true) {
        for (int i = 0; i < capacity && i < left; i++)
            if (!f(const_cast<Move &>(moves[i]))) return;
        if ((left -= capacity) <= 0) return;
        const MoveBlock *block = arena.at<MoveBlock>(next);
        next = block->next.load(std::memory_order_relaxed);
        moves = block->moves;
        capacity = MoveBlock::kMoves;
    }
}

template <class F> void Tree::for_each_shortlisted(const Node &node, F &&f) const {
    Arena::Ref ref = node.shortlist.load(std::memory_order_acquire);
    if (!ref) {
        for_each_move(node, [&](Move &move) { return f(move), true; });
        return;
    }
    const Shortlist &shortlist = *at<Shortlist>(ref);
    for (int i = 0; i < Shortlist::kMoves; i++)
        f(*arena_.at_fine<Move>(shortlist.moves[i].load(std::memory_order_relaxed)));
}

}  // namespace taiji
