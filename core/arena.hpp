// Zeroed memory handed out in units of a cache line and given back all at once. It is reserved as address space and only
// takes memory where it is written.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace taiji {

class Arena {
public:
    static constexpr size_t kUnit = 64, kFine = 16;
    static constexpr size_t kMost = kFine << 32;
    using Ref = uint32_t;  // in units; 0 is nowhere

    explicit Arena(size_t bytes) : capacity_(bytes / kUnit * kUnit) { map(); }
    Arena(Arena &&other) noexcept { swap(other); }
    Arena &operator=(Arena &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Arena() {
        if (base_) munmap(base_, capacity_);
    }

    // Takes everything back. A little is zeroed here and now, which is quicker than asking for it again; much is given
    // back to the system.
    void clear() {
        if (used() <= kZeroed) {
            std::memset(base_, 0, used());
        } else {
            munmap(base_, capacity_);
            map();
        }
        used_.store(kUnit);
    }

    // A zeroed piece, or 0 where it would pass `limit` bytes.
    Ref allocate(size_t bytes, size_t limit) {
        size_t size = (bytes + kUnit - 1) / kUnit * kUnit;
        size_t at = used_.load(std::memory_order_relaxed);
        do {
            if (at + size > limit || at + size > capacity_) return 0;
        } while (!used_.compare_exchange_weak(at, at + size, std::memory_order_relaxed));
        return Ref(at / kUnit);
    }

    template <class T> T *at(Ref ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kUnit); }
    // References to parts of a piece, in units of 16 bytes.
    template <class T> T *at_fine(uint32_t ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kFine); }
    uint32_t fine(const void *p) const { return uint32_t((static_cast<const char *>(p) - base_) / kFine); }

    size_t used() const { return used_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t kZeroed = size_t(16) << 20;

    void map() {
        void *p = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        base_ = static_cast<char *>(p);
#if defined(MADV_HUGEPAGE)
        madvise(base_, capacity_, MADV_HUGEPAGE);
#endif
    }

    void swap(Arena &other) {
        std::swap(base_, other.base_);
        std::swap(capacity_, other.capacity_);
        size_t used = used_.load();
        used_.store(other.used_.load());
        other.used_.store(used);
    }

    char *base_ = nullptr;
    size_t capacity_ = 0;
    std::atomic<size_t> used_{kUnit};  // the first unit is nowhere
};

}  // namespace taiji
