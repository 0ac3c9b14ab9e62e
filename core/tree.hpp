// The search tree. A node knows only the moves it has admitted: those it tried and the next candidates. Whatever else is
// legal costs no memory until it looks promising.
//
// Moves are never taken out and never change place, so threads may read a node while another admits a move to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <queue>
#include <utility>

#include "arena.hpp"

namespace taiji {

// Visits in the upper 28 bits, the sum of results in the lower 36, in units of 1/256: one addition for both.
constexpr int kVisitShift = 36;
constexpr uint64_t kOneVisit = uint64_t(1) << kVisitShift;
constexpr uint64_t kResultMask = kOneVisit - 1;
constexpr uint32_t kWin = 256;

struct alignas(16) Move {
    std::atomic<uint64_t> stats;  // results are for the player who makes the move
    std::atomic<Arena::Ref> node;
    uint16_t action;
    uint16_t prior;  // for an evaluator's policy, in units of 1/65535

    uint32_t visits() const { return uint32_t(stats.load(std::memory_order_relaxed) >> kVisitShift); }
    double mean() const {
        uint64_t s = stats.load(std::memory_order_relaxed);
        return s >> kVisitShift ? double(s & kResultMask) / kWin / double(s >> kVisitShift) : 0;
    }
};

// Statistics of an action wherever it was played later: how often in the upper half, results for Light in the lower,
// in units of 1/2.
struct Elsewhere {
    std::atomic<uint64_t> both;

    // A lost update does no harm; what matters is that these additions are cheap.
    void add(uint64_t amount) {
        both.store(both.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }
    // How often, and how often with success for a colour.
    std::pair<float, float> of(int colour) const {
        uint64_t b = both.load(std::memory_order_relaxed);
        float n = float(uint32_t(b >> 32)), light = float(uint32_t(b)) * 0.5f;
        return {n, colour == 0 ? light : n - light};
    }
};

// All that a node has seen played later, by action of its stage.
struct alignas(Arena::kUnit) Table {
    static constexpr int kTop = 40;
    std::atomic<uint32_t> ranked;  // visits of the node when `top` was made; 0: never
    std::atomic<uint16_t> length[2];
    std::atomic<uint16_t> top[2][kTop];  // by colour: the most successful actions, best first
    Elsewhere entries[];

    static size_t bytes(int actions) { return sizeof(Table) + size_t(actions) * sizeof(Elsewhere); }
};

struct alignas(Arena::kUnit) MoveBlock {
    static constexpr int kMoves = 7;
    std::atomic<Arena::Ref> next;
    uint32_t unused[3];
    Move moves[kMoves];
};

// The moves of a node that may be chosen until candidates are looked for again, as references in units of a move.
struct alignas(Arena::kUnit) HotList {
    static constexpr int kMoves = 16;
    std::atomic<uint32_t> moves[kMoves];
};

struct alignas(Arena::kUnit) Node {
    static constexpr int kMoves = 6;
    std::atomic<uint32_t> visits;
    std::atomic<uint32_t> rescan;       // visits at which new candidates are looked for
    std::atomic<Arena::Ref> table;      // what was seen played later
    std::atomic<Arena::Ref> next;       // more moves
    std::atomic<Arena::Ref> hot;        // a HotList, where there are more moves than it holds
    std::atomic<uint16_t> admitted;
    std::atomic<uint8_t> lock;
    uint8_t mover, colour, stage;  // who plays here: seat and colour
    bool complete;                 // every legal move has been admitted
    Move moves[kMoves];
};

static_assert(sizeof(Move) == 16 && sizeof(Node) == 128 && sizeof(MoveBlock) == 128 && sizeof(HotList) == 64);

class Tree {
public:
    explicit Tree(size_t memory) : memory_(memory), arena_(memory) {}

    static constexpr size_t kSmallest = size_t(1) << 20;

    template <class T> T *at(Arena::Ref ref) const { return arena_.at<T>(ref); }
    size_t used() const { return arena_.used(); }
    uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // A quarter of the memory stays free, for the part of the tree that is kept when a move is played.
    Arena::Ref allocate(size_t bytes) { return arena_.allocate(bytes, memory_ / 4 * 3); }

    Arena::Ref new_node(int mover, int colour, int stage) {
        Arena::Ref ref = allocate(sizeof(Node));
        if (!ref) return 0;
        nodes_.fetch_add(1, std::memory_order_relaxed);
        Node *node = at<Node>(ref);
        node->mover = uint8_t(mover);
        node->colour = uint8_t(colour);
        node->stage = uint8_t(stage);
        return ref;
    }

    // Calls f(move) for every admitted move, in the order of admission, until it returns false.
    template <class F> void for_each_move(const Node &node, F &&f) const {
        int left = node.admitted.load(std::memory_order_acquire);
        const Move *moves = node.moves;
        int here = Node::kMoves;
        Arena::Ref next = node.next.load(std::memory_order_relaxed);
        while (true) {
            for (int i = 0; i < here && i < left; i++)
                if (!f(const_cast<Move &>(moves[i]))) return;
            if ((left -= here) <= 0) return;
            const MoveBlock *block = at<MoveBlock>(next);
            next = block->next.load(std::memory_order_relaxed);
            moves = block->moves;
            here = MoveBlock::kMoves;
        }
    }

    // Calls f(move) for the moves worth a look now.
    template <class F> void for_each_hot(const Node &node, F &&f) const {
        Arena::Ref ref = node.hot.load(std::memory_order_acquire);
        if (!ref) {
            for_each_move(node, [&](Move &move) { return f(move), true; });
            return;
        }
        const HotList &hot = *at<HotList>(ref);
        for (int i = 0; i < HotList::kMoves; i++) f(*arena_.at_fine<Move>(hot.moves[i].load(std::memory_order_relaxed)));
    }

    // Makes these the moves of the hot list; the caller holds the node's lock. Nothing changes where memory has run out.
    void heat(Node &node, Move *const (&moves)[HotList::kMoves]) {
        Arena::Ref ref = node.hot.load(std::memory_order_relaxed);
        bool fresh = !ref;
        if (fresh) ref = allocate(sizeof(HotList));
        if (!ref) return;
        HotList &hot = *at<HotList>(ref);
        for (int i = 0; i < HotList::kMoves; i++)
            hot.moves[i].store(arena_.fine(moves[i]), std::memory_order_relaxed);
        if (fresh) node.hot.store(ref, std::memory_order_release);
    }

    // Adds a move; the caller holds the node's lock. False where memory has run out.
    bool admit(Node &node, int action, uint16_t prior = 0) {
        int index = node.admitted.load(std::memory_order_relaxed);
        Move *move = nullptr;
        if (index < Node::kMoves) {
            move = &node.moves[index];
        } else {
            std::atomic<Arena::Ref> *link = &node.next;
            int rest = index - Node::kMoves;
            for (; rest >= MoveBlock::kMoves; rest -= MoveBlock::kMoves)
                link = &at<MoveBlock>(link->load(std::memory_order_relaxed))->next;
            if (!link->load(std::memory_order_relaxed)) {
                Arena::Ref block = allocate(sizeof(MoveBlock));
                if (!block) return false;
                link->store(block, std::memory_order_relaxed);
            }
            move = &at<MoveBlock>(link->load(std::memory_order_relaxed))->moves[rest];
        }
        move->action = uint16_t(action);
        move->prior = prior;
        node.admitted.store(uint16_t(index + 1), std::memory_order_release);
        return true;
    }

    // Keeps what hangs below `root`, the most visited nodes first as far as a quarter of the memory goes, and drops all
    // else. `table_bytes(stage)` is the size of a stage's table. Returns where the root is now.
    template <class F> Arena::Ref keep(Arena::Ref root, F &&table_bytes) {
        struct Job {
            uint32_t visits;
            Arena::Ref from;
            std::atomic<Arena::Ref> *link;
            bool operator<(const Job &other) const {
                return visits != other.visits ? visits < other.visits : from > other.from;
            }
        };
        Arena fresh(memory_);
        const size_t budget = std::min(memory_ / 4, kMostKept);
        std::atomic<Arena::Ref> new_root{0};
        uint64_t kept = 0;
        std::priority_queue<Job> jobs;
        jobs.push({at<Node>(root)->visits.load(), root, &new_root});
        while (!jobs.empty()) {
            Job job = jobs.top();
            jobs.pop();
            Arena::Ref copy = copy_node(fresh, *at<Node>(job.from), budget, table_bytes);
            job.link->store(copy);
            if (!copy) continue;
            kept++;
            for_each_copied(fresh, *fresh.at<Node>(copy), [&](Move &move) {
                Arena::Ref child = move.node.load();
                move.node.store(0);
                if (child) jobs.push({at<Node>(child)->visits.load(), child, &move.node});
            });
        }
        arena_ = std::move(fresh);
        nodes_.store(kept);
        return new_root.load();
    }

    void clear() {
        arena_ = Arena(memory_);
        nodes_.store(0);
    }

private:
    static constexpr size_t kMostKept = size_t(64) << 20;  // so that it takes some hundredths of a second at most

    template <class F>
    Arena::Ref copy_node(Arena &to, const Node &from, size_t budget, F &&table_bytes) const {
        Arena::Ref ref = to.allocate(sizeof(Node), budget);
        if (!ref) return 0;
        Node &copy = *to.at<Node>(ref);
        copy.mover = from.mover;
        copy.colour = from.colour;
        copy.stage = from.stage;
        copy.complete = from.complete;
        copy.visits.store(from.visits.load());
        // Candidates, and the hot list with them, are looked for anew.
        copy.rescan.store(0);
        std::atomic<Arena::Ref> *link = &copy.next;
        Move *moves = copy.moves;
        int here = Node::kMoves, i = 0, n = 0;
        for_each_move(from, [&](Move &move) {
            if (i == here) {
                Arena::Ref block = to.allocate(sizeof(MoveBlock), budget);
                if (!block) {
                    copy.complete = false;
                    return false;
                }
                link->store(block);
                link = &to.at<MoveBlock>(block)->next;
                moves = to.at<MoveBlock>(block)->moves;
                here = MoveBlock::kMoves;
                i = 0;
            }
            moves[i].stats.store(move.stats.load());
            moves[i].node.store(move.node.load());
            moves[i].action = move.action;
            moves[i++].prior = move.prior;
            n++;
            return true;
        });
        copy.admitted.store(uint16_t(n));
        if (Arena::Ref table = from.table.load()) {
            size_t bytes = table_bytes(from.stage);
            Arena::Ref moved = to.allocate(bytes, budget);
            // No thread is at work: the table may be copied as bytes.
            if (moved) std::memcpy(to.at<char>(moved), at<char>(table), bytes);
            copy.table.store(moved);
        }
        return ref;
    }

    template <class F> void for_each_copied(Arena &arena, Node &node, F &&f) const {
        int left = node.admitted.load();
        Move *moves = node.moves;
        int here = Node::kMoves;
        Arena::Ref next = node.next.load();
        while (left > 0) {
            for (int i = 0; i < here && i < left; i++) f(moves[i]);
            if ((left -= here) <= 0) return;
            MoveBlock *block = arena.at<MoveBlock>(next);
            next = block->next.load();
            moves = block->moves;
            here = MoveBlock::kMoves;
        }
    }

    size_t memory_;
    Arena arena_;
    std::atomic<uint64_t> nodes_{0};
};

}  // namespace taiji
