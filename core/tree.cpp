#include "tree.hpp"

#include <algorithm>
#include <cstring>
#include <queue>

namespace taiji {

Tree::Tree(size_t memory, std::vector<size_t> table_bytes)
    : memory_(memory), table_bytes_(std::move(table_bytes)), arena_(memory),
      copy_target_(kReservesAddresses ? memory : memory / 4) {}

void Tree::clear() {
    arena_.clear();
    nodes_.store(0);
}

Arena::Ref Tree::new_node(int seat, int colour, int stage) {
    Arena::Ref ref = allocate(sizeof(Node));
    if (!ref) return 0;
    Node *node = at<Node>(ref);
    node->seat = uint8_t(seat);
    node->colour = uint8_t(colour);
    node->stage = uint8_t(stage);
    nodes_.fetch_add(1, std::memory_order_relaxed);
    return ref;
}

bool Tree::add_move(Node &node, int action, uint16_t prior) {
    int index = node.move_count.load(std::memory_order_relaxed);
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
    node.move_count.store(uint16_t(index + 1), std::memory_order_release);
    return true;
}

void Tree::set_shortlist(Node &node, Move *const *moves) {
    Arena::Ref ref = node.shortlist.load(std::memory_order_relaxed);
    bool fresh = !ref;
    if (fresh) ref = allocate(sizeof(Shortlist));
    if (!ref) return;
    Shortlist &shortlist = *at<Shortlist>(ref);
    for (int i = 0; i < Shortlist::kMoves; i++)
        shortlist.moves[i].store(arena_.fine(moves[i]), std::memory_order_relaxed);
    if (fresh) node.shortlist.store(ref, std::memory_order_release);
}

Arena::Ref Tree::retain_subtree(Arena::Ref root) {
    struct Job {
        uint32_t visits;
        Arena::Ref from;
        std::atomic<Arena::Ref> *link;
        bool operator<(const Job &other) const {
            return visits != other.visits ? visits < other.visits : from > other.from;
        }
    };
    const size_t budget = std::min(memory_ / 4, kMaxRetainedBytes);
    std::atomic<Arena::Ref> new_root{0};
    uint64_t kept = 0;
    std::priority_queue<Job> jobs;
    jobs.push({at<Node>(root)->visits.load(), root, &new_root});
    while (!jobs.empty()) {
        Job job = jobs.top();
        jobs.pop();
        Arena::Ref copy = copy_node(copy_target_, *at<Node>(job.from), budget);
        job.link->store(copy);
        if (!copy) continue;
        kept++;
        each_move(copy_target_, *copy_target_.at<Node>(copy), [&](Move &move) {
            Arena::Ref child = move.node.load();
            move.node.store(0);
            if (child) jobs.push({at<Node>(child)->visits.load(), child, &move.node});
            return true;
        });
    }
    arena_.take_over(copy_target_);
    nodes_.store(kept);
    return new_root.load();
}

Arena::Ref Tree::copy_node(Arena &to, const Node &from, size_t budget) const {
    Arena::Ref ref = to.allocate(sizeof(Node), budget);
    if (!ref) return 0;
    Node &copy = *to.at<Node>(ref);
    copy.seat = from.seat;
    copy.colour = from.colour;
    copy.stage = from.stage;
    copy.complete = from.complete;
    copy.visits.store(from.visits.load());
    copy.widen_at_visits.store(0);  // widen again, which also rebuilds the shortlist
    std::atomic<Arena::Ref> *link = &copy.next;
    Move *moves = copy.moves;
    int capacity = Node::kMoves, i = 0, n = 0;
    for_each_move(from, [&](Move &move) {
        if (i == capacity) {
            Arena::Ref block = to.allocate(sizeof(MoveBlock), budget);
            if (!block) {
                copy.complete = false;
                return false;
            }
            link->store(block);
            link = &to.at<MoveBlock>(block)->next;
            moves = to.at<MoveBlock>(block)->moves;
            capacity = MoveBlock::kMoves;
            i = 0;
        }
        moves[i].stats.store(move.stats.load());
        moves[i].node.store(move.node.load());
        moves[i].action = move.action;
        moves[i++].prior = move.prior;
        n++;
        return true;
    });
    copy.move_count.store(uint16_t(n));
    if (Arena::Ref table = from.table.load()) {
        size_t bytes = table_bytes_[from.stage];
        Arena::Ref moved = to.allocate(bytes, budget);
        if (moved) std::memcpy(to.at<char>(moved), at<char>(table), bytes);
        copy.table.store(moved);
    }
    return ref;
}

}  // namespace taiji
