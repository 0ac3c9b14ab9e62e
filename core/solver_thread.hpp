// What the threads of a solver share, and what each has for itself.
//
// All threads search the same position with the same null window, or, for the set of best moves, the positions after
// different moves of the root. They share the transposition table, so that one finds
// what another has done, and the list of positions that are being searched: a thread takes a move to one of them last,
// when it is mostly known. A thread that works below a position which another has decided gives up and returns to it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "interrupt.hpp"
#include "solver.hpp"
#include "solver_history.hpp"
#include "transposition_table.hpp"

namespace taiji {

// The positions that threads are searching right now; one may be missing if two share a place, or once the thread that
// added it has left it. Positions, not moves:
// most positions are reached by many orders of moves.
class BusyPositions {
public:
    bool contains(PositionKey key) const { return at(key).load(std::memory_order_relaxed) == hash(key); }
    void add(PositionKey key) { at(key).store(hash(key), std::memory_order_relaxed); }
    void remove(PositionKey key) {
        if (contains(key)) at(key).store(0, std::memory_order_relaxed);
    }
    void clear() {
        for (std::atomic<uint64_t> &place : places_) place.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr int kBits = 14;
    static uint64_t hash(PositionKey key) { return key.verification | 1; }  // 0: an empty place
    const std::atomic<uint64_t> &at(PositionKey key) const { return places_[hash(key) >> (64 - kBits)]; }
    std::atomic<uint64_t> &at(PositionKey key) { return places_[hash(key) >> (64 - kBits)]; }

    std::vector<std::atomic<uint64_t>> places_ = std::vector<std::atomic<uint64_t>>(size_t(1) << kBits);
};

struct SharedSearch {
    SharedSearch(size_t table_bytes, bool for_threads) : table(table_bytes, for_threads) {}

    TranspositionTable table;
    BusyPositions busy;
    SharedHistory group_history{0}, position_history{0};
    SolveLimits limits;
    std::chrono::steady_clock::time_point deadline;
    std::atomic<bool> stop{false};     // at a limit, or asked for
    std::atomic<bool> decided{false};  // a thread has finished the search that is under way
    bool parallel = false;             // more than one thread at work
    uint64_t seed = 0;                 // of hashes; values for another objective or another frame have another one
    // All threads write this one; the line around it holds nothing that they read.
    alignas(64) std::atomic<uint64_t> nodes{0};
};

// One thread's part of a search with a null window.
class SolverThread {
public:
    SolverThread(SharedSearch &shared, int plies) : shared_(shared), path_(size_t(plies)) {}

    SharedSearch &shared() const { return shared_; }
    TranspositionTable &table() const { return shared_.table; }
    bool is_parallel() const { return shared_.parallel; }

    // Begins a search at a ply for a value of at least `beta`. Only the calling thread polls for interrupts. With
    // `most` the search is given up after that many positions.
    void begin(int64_t beta, int ply, InterruptPoll *poll, uint64_t most) {
        beta_ = beta;
        first_ply_ = ply;
        poll_ = poll;
        return_to_ = kNowhere;
        give_up_at_ = most ? searched_ + most : std::numeric_limits<uint64_t>::max();
    }

    // Counts a position; returns false if the thread is to return to an earlier one.
    bool tick(int ply) {
        if (++searched_ % kCheckInterval == 0) check(ply);
        return return_to_ == kNowhere;
    }

    // Returns whether the history is to be exchanged with other threads now.
    bool exchanges_history() {
        if (searched_ < exchange_at_) return false;
        exchange_at_ = searched_ + kExchangeInterval;
        return true;
    }

    PositionKey seeded(PositionKey key) const {
        return {key.index + shared_.seed * 0xA24BAED4963EE407u, key.verification + shared_.seed * 0x9FB21C651E98DF25u};
    }

    // Remembers the position at a ply, so that the thread notices if another decides it.
    void enter(int ply, PositionKey key) { path_[size_t(ply)] = key; }

    bool is_returning() const { return return_to_ != kNowhere; }
    // Returns whether this ply is the one to return to, and ends the return there.
    bool arrives(int ply) {
        if (return_to_ != ply) return false;
        return_to_ = kNowhere;
        return true;
    }

    // Adds the positions that have not been counted yet to the total.
    void flush() {
        shared_.nodes.fetch_add(searched_ - counted_, std::memory_order_relaxed);
        counted_ = searched_;
    }

private:
    static constexpr int kNowhere = std::numeric_limits<int>::max(), kOut = -1;
    static constexpr uint64_t kCheckInterval = 256, kExchangeInterval = 1024;

    void check(int ply) {
        flush();
        const SolveLimits &limits = shared_.limits;
        if (limits.nodes && shared_.nodes.load(std::memory_order_relaxed) >= limits.nodes) shared_.stop = true;
        if (poll_) (*poll_)();
        if (limits.seconds > 0 && std::chrono::steady_clock::now() > shared_.deadline) shared_.stop = true;
        if (shared_.stop || shared_.decided || searched_ >= give_up_at_) return_to_ = kOut;
        TTEntry known;
        for (int i = first_ply_; is_parallel() && i < ply && return_to_ == kNowhere; i++)
            if (table().find(path_[size_t(i)], known) && (known.lower >= beta_ || known.upper < beta_)) return_to_ = i;
    }

    SharedSearch &shared_;
    std::vector<PositionKey> path_;
    InterruptPoll *poll_ = nullptr;
    int64_t beta_ = 0;
    int first_ply_ = 0, return_to_ = kNowhere;
    uint64_t searched_ = 0, counted_ = 0, give_up_at_ = 0, exchange_at_ = 0;
};

}  // namespace taiji
