#include "handle.hpp"

#include <chrono>
#include <thread>

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPlayoutsBetweenLooks = 64;  // at the clock

template <int W>
PlayoutTotals play_out(const Position<W> &from, uint64_t number, Clock::time_point deadline, uint64_t seed,
                       int stream) {
    PlayoutTotals totals;
    Random random(seed, uint64_t(stream));
    Trace trace;
    while (totals.playouts < number) {
        if (totals.playouts % kPlayoutsBetweenLooks == 0 && Clock::now() >= deadline) break;
        Position<W> p = from;
        trace.length = 0;
        Playout<W>::run(p, random, trace);
        int64_t halves[2];
        p.scores(halves);
        totals.wins[p.winner(halves)]++;
        totals.margin += halves[0] - halves[1];
        totals.plies += uint64_t(trace.length);
        totals.playouts++;
    }
    return totals;
}

}  // namespace

std::unique_ptr<Handle> Handle::start(SharedTables tables) {
    return with_width(*tables, [&](auto width) -> std::unique_ptr<Handle> {
        return std::make_unique<HandleOf<width.value>>(tables);
    });
}

template <int W>
PlayoutTotals HandleOf<W>::playouts(uint64_t number, double seconds, int threads, uint64_t seed) const {
    auto start = Clock::now();
    auto deadline = Clock::time_point::max();
    if (seconds > 0) deadline = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<PlayoutTotals> parts(static_cast<size_t>(threads));
    std::vector<std::thread> workers;
    auto work = [&](int i) {
        uint64_t share = number / uint64_t(threads) + (uint64_t(i) < number % uint64_t(threads));
        parts[size_t(i)] = play_out(position_, share, deadline, seed, i);
    };
    for (int i = 1; i < threads; i++) workers.emplace_back(work, i);
    work(0);
    for (std::thread &worker : workers) worker.join();
    PlayoutTotals sum;
    for (const PlayoutTotals &part : parts) {
        sum.playouts += part.playouts;
        sum.plies += part.plies;
        sum.margin += part.margin;
        for (int i = 0; i < 3; i++) sum.wins[i] += part.wins[i];
    }
    sum.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return sum;
}

template class HandleOf<4>;
template class HandleOf<32>;
template class HandleOf<kMostWords>;

}  // namespace taiji
