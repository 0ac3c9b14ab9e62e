// The solver's transposition table: bounds of values and best moves, shared by all of its threads without locks.
//
// A slot is four words that are read and written one by one. Its first word is the verification hash combined with the
// three others by exclusive or: a slot that two threads have written at once does not verify, and counts as missing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include "platform.hpp"

namespace taiji {

constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max() / 4;
constexpr uint16_t kNoMove = 0xFFFF;

// Two independent hashes of a position.
struct PositionKey {
    uint64_t index = 0, verification = 0;
};

struct TTEntry {
    int64_t lower = -kInfinity, upper = kInfinity;
    uint16_t move = kNoMove;
};

class TranspositionTable {
public:
    // A table for several threads is small until `widen`.
    TranspositionTable(size_t bytes, bool for_threads) {
        size_t n = 2;
        while (2 * n * sizeof(Slot) <= bytes) n *= 2;
        size_ = n;
        in_use_ = for_threads ? std::min(size_, kNarrow) : size_;
        if (for_threads) {
            reserved_ = static_cast<Slot *>(reserve_memory(size_ * sizeof(Slot)));
            slots_ = reserved_;
            return;
        }
        // calloc pages take no memory until they are touched; most solvers never fill their table. A pair of slots is
        // one cache line.
        size_t room = size_ * sizeof(Slot) + kLine;
        memory_ = std::calloc(room, 1);
        if (!memory_) throw std::bad_alloc();
        void *line = memory_;
        slots_ = static_cast<Slot *>(std::align(kLine, size_ * sizeof(Slot), line, room));
    }
    ~TranspositionTable() {
        if (reserved_) release_memory(reserved_, size_ * sizeof(Slot));
        std::free(memory_);
    }
    TranspositionTable(const TranspositionTable &) = delete;
    TranspositionTable &operator=(const TranspositionTable &) = delete;

    // Lets all of the table be used from now on; most entries stored before are lost. Returns whether it was not.
    bool widen() {
        const bool was_narrow = in_use_ < size_;
        in_use_ = size_;
        return was_narrow;
    }

    // Writes to every page of one of `parts` parts of the table, and changes nothing. A page that is read first and
    // written later is mapped twice, and the second time interrupts all threads.
    void touch(size_t part, size_t parts) {
        for (size_t i = size_ / parts * part; i < size_ / parts * (part + 1); i += kPage / sizeof(Slot)) {
            uint64_t empty = 0;
            slots_[i].check.compare_exchange_strong(empty, 0, std::memory_order_relaxed);
        }
    }

    // Lets entries stored from now on replace all earlier ones.
    void start_generation() { generation_ = (generation_ + 1) % 256; }

    bool find(PositionKey key, TTEntry &entry) const {
        const Slot *pair = pair_of(key);
        for (int i = 0; i < 2; i++) {
            uint64_t rest;
            if (!read(pair[i], key, entry, rest)) continue;
            entry.move = uint16_t(rest);
            return true;
        }
        return false;
    }

    // Stores bounds and a move; bounds known before are kept where they are tighter. A new position replaces the
    // shallower slot of its pair. `depth`: pieces that could still be placed.
    void store(PositionKey key, int depth, int64_t lower, int64_t upper, uint16_t move) {
        Slot *pair = pair_of(key);
        Slot *slot = nullptr;
        TTEntry known;
        uint64_t rest;
        for (int i = 0; i < 2 && !slot; i++)
            if (read(pair[i], key, known, rest)) slot = pair + i;
        if (slot) {
            lower = std::max(lower, known.lower);
            upper = std::min(upper, known.upper);
            if (move == kNoMove) move = uint16_t(rest);
        } else {
            slot = worth(pair[0]) <= std::min(worth(pair[1]), depth) ? pair : pair + 1;
        }
        rest = uint64_t(move) | uint64_t(std::min(depth, 255)) << kDepthShift | generation_ << kGenerationShift | kUsed;
        slot->lower.store(uint64_t(lower), std::memory_order_relaxed);
        slot->upper.store(uint64_t(upper), std::memory_order_relaxed);
        slot->rest.store(rest, std::memory_order_relaxed);
        slot->check.store(key.verification ^ uint64_t(lower) ^ uint64_t(upper) ^ rest, std::memory_order_relaxed);
    }

private:
    static constexpr size_t kLine = 64, kPage = 4096;
    static constexpr size_t kNarrow = size_t(1) << 16;  // slots of a table for threads before they start
    static constexpr int kDepthShift = 16, kGenerationShift = 24;
    static constexpr uint64_t kUsed = uint64_t(1) << 32;

    struct Slot {
        std::atomic<uint64_t> check, lower, upper, rest;
    };

    static bool read(const Slot &slot, PositionKey key, TTEntry &entry, uint64_t &rest) {
        const uint64_t lower = slot.lower.load(std::memory_order_relaxed);
        const uint64_t upper = slot.upper.load(std::memory_order_relaxed);
        rest = slot.rest.load(std::memory_order_relaxed);
        const uint64_t check = slot.check.load(std::memory_order_relaxed);
        if (!(rest & kUsed) || (check ^ lower ^ upper ^ rest) != key.verification) return false;
        entry.lower = int64_t(lower);
        entry.upper = int64_t(upper);
        return true;
    }

    // Returns the depth of a slot, or -1 if it is empty or of an earlier generation.
    int worth(const Slot &slot) const {
        const uint64_t rest = slot.rest.load(std::memory_order_relaxed);
        const bool current = (rest & kUsed) && (rest >> kGenerationShift & 0xFF) == generation_;
        return current ? int(rest >> kDepthShift & 0xFF) : -1;
    }

    Slot *pair_of(PositionKey key) const { return slots_ + ((key.index & (in_use_ - 1)) & ~size_t(1)); }

    size_t size_ = 0, in_use_ = 0;
    uint64_t generation_ = 0;
    void *memory_ = nullptr;
    Slot *reserved_ = nullptr, *slots_ = nullptr;
};

}  // namespace taiji
