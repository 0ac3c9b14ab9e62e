// A bump allocator of zeroed memory in units of a cache line; everything is freed at once. The capacity is reserved as
// address space, so untouched pages take no memory.
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
    static constexpr size_t kUnit = 64, kFineUnit = 16;
    static constexpr size_t kMaxBytes = kFineUnit << 32;
    using Ref = uint32_t;  // index in units; 0 is null

    explicit Arena(size_t bytes) : capacity_(bytes / kUnit * kUnit) { map(); }
    Arena(Arena &&other) noexcept { swap(other); }
    Arena &operator=(Arena &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Arena() {
        if (base_) munmap(base_, capacity_);
    }

    // Frees everything. Up to kMemsetLimit bytes are zeroed in place, which is faster than mapping them again; more
    // are returned to the system.
    void clear() {
        if (used() <= kMemsetLimit) {
            std::memset(base_, 0, used());
        } else {
            munmap(base_, capacity_);
            map();
        }
        used_.store(kUnit);
    }

    // Returns a zeroed block, or 0 if it would end beyond `limit` bytes.
    Ref allocate(size_t bytes, size_t limit) {
        size_t size = (bytes + kUnit - 1) / kUnit * kUnit;
        size_t at = used_.load(std::memory_order_relaxed);
        do {
            if (at + size > limit || at + size > capacity_) return 0;
        } while (!used_.compare_exchange_weak(at, at + size, std::memory_order_relaxed));
        return Ref(at / kUnit);
    }

    template <class T> T *at(Ref ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kUnit); }
    // References to parts of a block, in units of 16 bytes.
    template <class T> T *at_fine(uint32_t ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kFineUnit); }
    uint32_t fine(const void *p) const { return uint32_t((static_cast<const char *>(p) - base_) / kFineUnit); }

    size_t used() const { return used_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t kMemsetLimit = size_t(16) << 20;

    void map() {
        void *p = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        base_ = static_cast<char *>(p);
#if defined(MADV_HUGEPAGE)
        madvise(base_, capacity_, MADV_HUGEPAGE);
#endif
    }

    void swap(Arena &other) noexcept {
        std::swap(base_, other.base_);
        std::swap(capacity_, other.capacity_);
        size_t used = used_.load();
        used_.store(other.used_.load());
        other.used_.store(used);
    }

    char *base_ = nullptr;
    size_t capacity_ = 0;
    std::atomic<size_t> used_{kUnit};  // the first unit stands for null
};

}  // namespace taiji
