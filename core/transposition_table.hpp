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
#include <utility>

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

// The table starts small and grows as it fills: memory that is used for the first time costs more than a search of as
// many positions, and a small table stays in the processor's cache.
class TranspositionTable {
public:
    TranspositionTable(size_t bytes, bool for_threads) {
        size_t n = 2;
        while (2 * n * sizeof(Slot) <= bytes) n *= 2;
        size_ = n;
        narrow();
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

    // Lets several threads use all of the table from now on. Returns whether they never have.
    bool widen() {
        grows_ = false;
        if (in_use_ < size_) grow(size_);
        return !std::exchange(was_wide_, true);
    }

    // Writes to every page of one of `parts` parts of the table, and changes nothing. A page that is read first and
    // written later is mapped twice, and the second time interrupts all threads.
    void touch(size_t part, size_t parts) {
        for (size_t i = size_ / parts * part; i < size_ / parts * (part + 1); i += kPage / sizeof(Slot)) {
            uint64_t empty = 0;
            slots_[i].check.compare_exchange_strong(empty, 0, std::memory_order_relaxed);
        }
    }

    // Lets entries stored from now on replace all earlier ones, which no key may find any more.
    void start_generation() {
        generation_ = (generation_ + 1) % 256;
        narrow();
    }

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
            if (grows_ && ++stored_ > in_use_ / kRoom && in_use_ < size_) {
                grow(2 * in_use_);
                pair = pair_of(key);
            }
            slot = worth(pair[0]) <= std::min(worth(pair[1]), depth) ? pair : pair + 1;
        }
        rest = uint64_t(move) | uint64_t(std::min(depth, 255)) << kDepthShift | generation_ << kGenerationShift |
               kUsed | (key.index >> 1) << kIndexShift;
        slot->lower.store(uint64_t(lower), std::memory_order_relaxed);
        slot->upper.store(uint64_t(upper), std::memory_order_relaxed);
        slot->rest.store(rest, std::memory_order_relaxed);
        slot->check.store(key.verification ^ uint64_t(lower) ^ uint64_t(upper) ^ rest, std::memory_order_relaxed);
    }

private:
    static constexpr size_t kLine = 64, kPage = 4096;
    static constexpr size_t kNarrow = size_t(1) << 10;  // slots in use at first
    static constexpr size_t kRoom = 4;                  // slots in use for each entry
    static constexpr int kDepthShift = 16, kGenerationShift = 24, kIndexShift = 33;
    static constexpr uint64_t kUsed = uint64_t(1) << 32;
    static constexpr uint64_t kMaxGrown = uint64_t(1) << (64 - kIndexShift);  // slots whose index an entry holds

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

    void narrow() {
        grows_ = size_ <= kMaxGrown;
        in_use_ = grows_ ? std::min(size_, kNarrow) : size_;
        stored_ = 0;
    }

    // Uses more slots, and moves the entries to their new places.
    void grow(size_t slots) {
        const size_t before = in_use_;
        in_use_ = slots;
        for (size_t i = 0; i < before; i++) {
            const uint64_t rest = slots_[i].rest.load(std::memory_order_relaxed);
            if (worth(slots_[i]) < 0) continue;
            Slot *pair = pair_of({rest >> kIndexShift << 1, 0});
            if (pair == slots_ + (i & ~size_t(1))) continue;
            Slot &to = worth(pair[0]) <= worth(pair[1]) ? pair[0] : pair[1];
            to.lower.store(slots_[i].lower.load(std::memory_order_relaxed), std::memory_order_relaxed);
            to.upper.store(slots_[i].upper.load(std::memory_order_relaxed), std::memory_order_relaxed);
            to.check.store(slots_[i].check.load(std::memory_order_relaxed), std::memory_order_relaxed);
            to.rest.store(rest, std::memory_order_relaxed);
            slots_[i].rest.store(0, std::memory_order_relaxed);
        }
    }

    // Returns the depth of a slot, or -1 if it is empty or of an earlier generation.
    int worth(const Slot &slot) const {
        const uint64_t rest = slot.rest.load(std::memory_order_relaxed);
        const bool current = (rest & kUsed) && (rest >> kGenerationShift & 0xFF) == generation_;
        return current ? int(rest >> kDepthShift & 0xFF) : -1;
    }

    Slot *pair_of(PositionKey key) const { return slots_ + ((key.index & (in_use_ - 1)) & ~size_t(1)); }

    size_t size_ = 0, in_use_ = 0, stored_ = 0;
    bool grows_ = true, was_wide_ = false;
    uint64_t generation_ = 0;
    void *memory_ = nullptr;
    Slot *reserved_ = nullptr, *slots_ = nullptr;
};

}  // namespace taiji
