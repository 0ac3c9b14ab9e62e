// A bump allocator of zeroed memory in units of a cache line; everything is freed at once. Where the system allows it,
// the capacity is reserved as address space, so untouched pages take no memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "platform.hpp"

namespace taiji {

class Arena {
public:
    static constexpr size_t kUnit = 64, kFineUnit = 16;
    static constexpr uint64_t kMaxBytes = uint64_t(kFineUnit) << 32;
    using Ref = uint32_t;  // index in units; 0 is null

    explicit Arena(size_t bytes) : capacity_(bytes / kUnit * kUnit) { reserve(); }
    Arena(Arena &&other) noexcept { swap(other); }
    Arena &operator=(Arena &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Arena() {
        if (base_) release_memory(base_, capacity_);
    }

    // Frees everything. Up to kMemsetLimit bytes are zeroed in place, which is faster than reserving them again; more
    // are returned to the system.
    void clear() {
        if (kReservesAddresses && used() <= kMemsetLimit) {
            std::memset(base_, 0, used());
        } else if (kReservesAddresses) {
            release_memory(base_, capacity_);
            reserve();
        }
        used_.store(kUnit);
    }

    // Takes over the blocks of another arena, which must fit here, and clears that one. References stay valid.
    void take_over(Arena &other) {
        if (kReservesAddresses) {
            swap(other);
        } else {
            std::memcpy(base_, other.base_, other.used());
            used_.store(other.used());
        }
        other.clear();
    }

    // Returns a zeroed block, or 0 if it would end beyond `limit` bytes.
    Ref allocate(size_t bytes, size_t limit) {
        size_t size = (bytes + kUnit - 1) / kUnit * kUnit;
        size_t at = used_.load(std::memory_order_relaxed);
        do {
            if (at + size > limit || at + size > capacity_) return 0;
        } while (!used_.compare_exchange_weak(at, at + size, std::memory_order_relaxed));
        if (!kReservesAddresses) std::memset(base_ + at, 0, size);
        return Ref(at / kUnit);
    }

    template <class T> T *at(Ref ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kUnit); }
    // References to parts of a block, in units of 16 bytes.
    template <class T> T *at_fine(uint32_t ref) const { return reinterpret_cast<T *>(base_ + size_t(ref) * kFineUnit); }
    uint32_t fine(const void *p) const { return uint32_t((static_cast<const char *>(p) - base_) / kFineUnit); }

    size_t used() const { return used_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t kMemsetLimit = size_t(16) << 20;

    void reserve() { base_ = static_cast<char *>(reserve_memory(capacity_)); }

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
