// The solver's memory of positions: bounds of their values and the move that was best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

namespace taiji {

constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max() / 4;

struct SolverEntry {
    uint64_t check = 0;
    int64_t lower = -kInfinite, upper = kInfinite;
    uint16_t move = 0xFFFF;
    uint8_t depth = 0;  // how many pieces could still be placed: larger is worth more
    uint8_t used = 0;
};

class SolverTable {
public:
    explicit SolverTable(size_t bytes) {
        size_t n = 1;
        while (2 * n * sizeof(SolverEntry) <= bytes) n *= 2;
        size_ = n < 2 ? 2 : n;
        // Zeros that cost nothing until they are touched: most solvers never fill their table.
        entries_.reset(static_cast<SolverEntry *>(std::calloc(size_, sizeof(SolverEntry))));
        if (!entries_) throw std::bad_alloc();
    }

    SolverEntry *find(uint64_t key, uint64_t check) {
        SolverEntry *pair = pair_of(key);
        for (int i = 0; i < 2; i++)
            if (pair[i].used && pair[i].check == check) return pair + i;
        return nullptr;
    }

    // The entry for a position, a fresh one in place of the lesser of two where it is not there.
    SolverEntry &claim(uint64_t key, uint64_t check, int depth) {
        if (SolverEntry *known = find(key, check)) return *known;
        SolverEntry *pair = pair_of(key);
        SolverEntry &slot = !pair[0].used || (pair[1].used && depth >= pair[0].depth) ? pair[0] : pair[1];
        slot = SolverEntry{};
        slot.check = check;
        slot.depth = uint8_t(depth > 255 ? 255 : depth);
        slot.used = 1;
        return slot;
    }

    void clear() { std::fill_n(entries_.get(), size_, SolverEntry{}); }

private:
    SolverEntry *pair_of(uint64_t key) { return &entries_[(key & (size_ - 1)) & ~size_t(1)]; }

    struct Free {
        void operator()(SolverEntry *entries) const { std::free(entries); }
    };
    size_t size_ = 0;
    std::unique_ptr<SolverEntry[], Free> entries_;
};

}  // namespace taiji
