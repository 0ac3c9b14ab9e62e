// The solver's transposition table: bounds of values and best moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

namespace taiji {

constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max() / 4;

struct TTEntry {
    uint64_t verification_hash = 0;
    int64_t lower = -kInfinity, upper = kInfinity;
    uint16_t move = 0xFFFF;
    uint8_t depth = 0;  // pieces that could still be placed; deeper entries are kept
    uint8_t used = 0;
};

class TranspositionTable {
public:
    explicit TranspositionTable(size_t bytes) {
        size_t n = 1;
        while (2 * n * sizeof(TTEntry) <= bytes) n *= 2;
        size_ = n < 2 ? 2 : n;
        // calloc pages take no memory until they are touched; most solvers never fill their table.
        entries_.reset(static_cast<TTEntry *>(std::calloc(size_, sizeof(TTEntry))));
        if (!entries_) throw std::bad_alloc();
    }

    TTEntry *find(uint64_t key, uint64_t verification_hash) {
        TTEntry *pair = pair_of(key);
        for (int i = 0; i < 2; i++)
            if (pair[i].used && pair[i].verification_hash == verification_hash) return pair + i;
        return nullptr;
    }

    // Returns the entry of a position; if missing, replaces the shallower entry of its pair.
    TTEntry &find_or_replace(uint64_t key, uint64_t verification_hash, int depth) {
        if (TTEntry *known = find(key, verification_hash)) return *known;
        TTEntry *pair = pair_of(key);
        TTEntry &slot = !pair[0].used || (pair[1].used && depth >= pair[0].depth) ? pair[0] : pair[1];
        slot = TTEntry{};
        slot.verification_hash = verification_hash;
        slot.depth = uint8_t(depth > 255 ? 255 : depth);
        slot.used = 1;
        return slot;
    }

    void clear() { std::fill_n(entries_.get(), size_, TTEntry{}); }

private:
    TTEntry *pair_of(uint64_t key) { return &entries_[(key & (size_ - 1)) & ~size_t(1)]; }

    struct Free {
        void operator()(TTEntry *entries) const { std::free(entries); }
    };
    size_t size_ = 0;
    std::unique_ptr<TTEntry[], Free> entries_;
};

}  // namespace taiji
