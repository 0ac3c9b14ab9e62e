// Ctrl-C during long calculations. The bindings install a check that throws; without one a poll costs a comparison.
#pragma once

#include <chrono>

namespace taiji {

// Calls the check at most every 50 ms. One object per calculation, for its calling thread only.
class InterruptPoll {
public:
    static inline void (*check)() = nullptr;

    void operator()() {
        if (!check) return;
        auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(50);
        check();
    }

private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

}  // namespace taiji
