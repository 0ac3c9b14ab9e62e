#include "any_position.hpp"

#include <atomic>
#include <chrono>
#include <functional>

#include "interrupt.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kClockCheckInterval = 64;  // playouts between two clock reads

template <int W>
PlayoutTotals play_out(const Position<W> &from, uint64_t count, uint64_t seed, int stream,
                       const std::function<bool()> &is_over) {
    PlayoutTotals totals;
    Random random(seed, uint64_t(stream));
    Trace trace;
    while (totals.playouts < count) {
        if (totals.playouts % kClockCheckInterval == 0 && is_over()) break;
        Position<W> p = from;
        trace.length = 0;
        Playout<W>::run(p, random, trace);
        int64_t half_points[2];
        p.scores(half_points);
        totals.wins[p.winner(half_points)]++;
        totals.margin += half_points[0] - half_points[1];
        totals.plies += uint64_t(trace.length);
        totals.playouts++;
    }
    return totals;
}

}  // namespace

std::unique_ptr<AnyPosition> AnyPosition::start(CompiledGamePtr game) {
    return with_width(*game, [&](auto width) -> std::unique_ptr<AnyPosition> {
        return std::make_unique<PositionImpl<width.value>>(game);
    });
}

uint64_t AnyPosition::random_games_hash(uint64_t first_seed, uint64_t count) const {
    uint64_t state = 0;
    auto add = [&](int64_t number) {
        state ^= uint64_t(number);
        state = splitmix(state);
    };
    for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
        std::unique_ptr<AnyPosition> position = clone();
        for (int action : random_game(seed)) {
            for (int legal : position->legal()) add(legal);
            add(position->scores().first);
            add(position->scores().second);
            position->play(action);
        }
        add(position->scores().first);
        add(position->scores().second);
        add(position->winner());
        add(position->is_over());
    }
    return state;
}

template <int W>
PlayoutTotals PositionImpl<W>::playouts(uint64_t count, double seconds, int threads, uint64_t seed) const {
    auto start = Clock::now();
    auto deadline = Clock::time_point::max();
    if (seconds > 0)
        deadline = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (!kHasThreads) threads = 1;
    std::vector<PlayoutTotals> parts(static_cast<size_t>(threads));
    std::vector<Thread> workers;
    std::atomic<bool> stop{false};
    auto is_over = [&] { return stop.load(std::memory_order_relaxed) || Clock::now() >= deadline; };
    auto work = [&](int i, const std::function<bool()> &is_over) {
        uint64_t share = count / uint64_t(threads) + (uint64_t(i) < count % uint64_t(threads));
        parts[size_t(i)] = play_out(position_, share, seed, i, is_over);
    };
    auto join = [&] {
        for (Thread &worker : workers) worker.join();
    };
    InterruptPoll poll;
    if constexpr (kHasThreads)
        for (int i = 1; i < threads; i++) workers.emplace_back(work, i, is_over);
    try {
        work(0, [&] { return poll(), is_over(); });
    } catch (...) {
        stop = true;
        join();
        throw;
    }
    join();
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

template class PositionImpl<4>;
template class PositionImpl<32>;
template class PositionImpl<kMaxWords>;

}  // namespace taiji
