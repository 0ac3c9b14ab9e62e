// The search tree: nodes in a bounded arena.
#pragma once

#include <vector>

#include "node.hpp"

namespace taiji {

class Tree {
public:
    // `table_bytes` is the size of a stage's table.
    Tree(size_t memory, std::vector<size_t> table_bytes);

    static constexpr size_t kSmallest = size_t(1) << 20;

    template <class T> T *at(Arena::Ref ref) const { return arena_.at<T>(ref); }
    size_t used() const { return arena_.used(); }
    uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // Zeroed memory, or 0 where there is no more. A quarter of it all stays free, for what is kept when a move is played.
    Arena::Ref allocate(size_t bytes) { return arena_.allocate(bytes, memory_ / 4 * 3); }
    // A table for a node, as long as half of the memory is left for nodes.
    Arena::Ref new_table(int stage) { return arena_.allocate(table_bytes_[size_t(stage)], memory_ / 2); }

    // A new node; 0 where memory has run out.
    Arena::Ref new_node(int mover, int colour, int stage);

    // Calls f(move) for every admitted move, in the order of admission, until it returns false.
    template <class F> void for_each_move(const Node &node, F &&f) const { each_move(arena_, node, f); }
    // Calls f(move) for the moves worth a look now.
    template <class F> void for_each_hot(const Node &node, F &&f) const;

    // Adds a move; the caller holds the node's lock. False where memory has run out.
    bool admit(Node &node, int action, uint16_t prior = 0);
    // Makes these the moves of the hot list; the caller holds the node's lock. Nothing changes where memory has run out.
    void heat(Node &node, Move *const (&moves)[HotList::kMoves]);

    // Keeps what hangs below `root`, the most visited nodes first as far as a quarter of the memory goes, and drops all
    // else. Returns where the root is now. No thread may be at work.
    Arena::Ref keep(Arena::Ref root);
    void clear();

private:
    static constexpr size_t kMostKept = size_t(64) << 20;  // so that it takes some hundredths of a second at most

    template <class F> static void each_move(const Arena &arena, const Node &node, F &&f);
    Arena::Ref copy_node(Arena &to, const Node &from, size_t budget) const;

    size_t memory_;
    std::vector<size_t> table_bytes_;
    Arena arena_, spare_;
    std::atomic<uint64_t> nodes_{0};
};

template <class F> void Tree::each_move(const Arena &arena, const Node &node, F &&f) {
    int left = node.admitted.load(std::memory_order_acquire);
    const Move *moves = node.moves;
    int here = Node::kMoves;
    Arena::Ref next = node.next.load(std::memory_order_relaxed);
    while (true) {
        for (int i = 0; i < here && i < left; i++)
            if (!f(const_cast<Move &>(moves[i]))) return;
        if ((left -= here) <= 0) return;
        const MoveBlock *block = arena.at<MoveBlock>(next);
        next = block->next.load(std::memory_order_relaxed);
        moves = block->moves;
        here = MoveBlock::kMoves;
    }
}

template <class F> void Tree::for_each_hot(const Node &node, F &&f) const {
    Arena::Ref ref = node.hot.load(std::memory_order_acquire);
    if (!ref) {
        for_each_move(node, [&](Move &move) { return f(move), true; });
        return;
    }
    const HotList &hot = *at<HotList>(ref);
    for (int i = 0; i < HotList::kMoves; i++) f(*arena_.at_fine<Move>(hot.moves[i].load(std::memory_order_relaxed)));
}

}  // namespace taiji
