// What the core takes from the system below it: threads and memory. No other file includes a header of the system, so
// a port changes this one only. In a browser there are no threads (a search works while its caller waits), and no
// address space to reserve.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__wasm__)
#define TAIJI_HAS_THREADS 0
#else
#define TAIJI_HAS_THREADS 1

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#if defined(_WIN32)
// Declared here: windows.h defines macros with names of ours.
extern "C" __declspec(dllimport) void *__stdcall VirtualAlloc(void *, size_t, unsigned long, unsigned long);
extern "C" __declspec(dllimport) int __stdcall VirtualFree(void *, size_t, unsigned long);
#else
#include <sys/mman.h>
#endif
#endif

namespace taiji {

constexpr bool kHasThreads = TAIJI_HAS_THREADS;

// A set of up to 128 cells.
__extension__ typedef unsigned __int128 UInt128;

#if TAIJI_HAS_THREADS

using Mutex = std::mutex;
using Condition = std::condition_variable;
using Thread = std::thread;

inline void sleep_briefly() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

// Whether memory is zeroed when it is reserved, and takes none of the machine's until it is touched.
constexpr bool kReservesAddresses = true;

#if defined(_WIN32)

// Windows counts all of it against its limit of committed memory, but takes none before it is touched either.
inline void *reserve_memory(size_t bytes) {
    constexpr unsigned long kReserveAndCommit = 0x3000, kReadWrite = 0x04;
    void *p = VirtualAlloc(nullptr, bytes, kReserveAndCommit, kReadWrite);
    if (!p) throw std::bad_alloc();
    return p;
}

inline void release_memory(void *p, size_t) {
    constexpr unsigned long kRelease = 0x8000;
    VirtualFree(p, 0, kRelease);
}

#else

inline void *reserve_memory(size_t bytes) {
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

inline void release_memory(void *p, size_t bytes) { munmap(p, bytes); }

#endif

#else

struct Mutex {
    void lock() {}
    void unlock() {}
};
struct Condition {};
struct Thread {
    void join() {}
};

inline void sleep_briefly() {}

constexpr bool kReservesAddresses = false;

// Aligned by hand: an aligned allocation takes twice its size here.
inline void *reserve_memory(size_t bytes) {
    constexpr size_t kLine = 64;
    char *p = static_cast<char *>(std::malloc(bytes + kLine));
    if (!p) throw std::bad_alloc();
    char *aligned = p + (kLine - reinterpret_cast<size_t>(p) % kLine);
    aligned[-1] = char(aligned - p);
    return aligned;
}

inline void release_memory(void *p, size_t) {
    char *aligned = static_cast<char *>(p);
    std::free(aligned - aligned[-1]);
}

#endif

// Holds a mutex for a block; `std::lock_guard` needs threads.
class Guard {
public:
    explicit Guard(Mutex &mutex) : mutex_(mutex) { mutex_.lock(); }
    ~Guard() { mutex_.unlock(); }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

private:
    Mutex &mutex_;
};

}  // namespace taiji
