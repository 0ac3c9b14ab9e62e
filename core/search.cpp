#include "search.hpp"

#include "search_playout.hpp"
#include "search_report.hpp"

namespace taiji {
namespace {

constexpr int kClockCheckInterval = 64;  // playouts between two clock reads
constexpr int kMaxReusePlies = 4;        // maximum plies between the roots of two runs
constexpr uint64_t kRunStreams = 1024;   // random streams per run: more than there are threads

}  // namespace

template <int W> void SearchImpl<W>::start(const AnyPosition &any, const SearchLimits &limits,
                                           const Objective &objective) {
    if (any.is_over()) throw std::invalid_argument("the game is over: nothing to search");
    if (any.game().get() != game_.get()) throw std::invalid_argument("the position belongs to another game");
    if (running_.load()) throw std::invalid_argument("a search is already running");
    join();
    began_ = Clock::now();
    const Position<W> &position = static_cast<const PositionImpl<W> &>(any).position();
    bool same_objective = objective.lead == tree_objective_.lead && objective.tie_winner == tree_objective_.tie_winner;
    Arena::Ref reused = options_.reuse && same_objective ? find_reusable_root(any) : 0;
    if (reused && reused != root_) {
        reused = tree_.retain_subtree(reused);
    } else if (!reused) {
        tree_.clear();
    }
    {
        Guard guard(mutex_);
        root_ = reused ? reused
                       : tree_.new_node(position.seat_to_move(), position.colour_to_move(), position.stage_index());
        root_position_ = position;
    }
    root_history_ = any.history();
    objective_ = tree_objective_ = objective;
    limits_ = limits;
    margins_ = std::vector<std::atomic<int64_t>>(size_t(game_->action_count));
    margin_counts_ = std::vector<std::atomic<int64_t>>(size_t(game_->action_count));
    deadline_ = Clock::time_point::max();
    if (limits.seconds > 0)
        deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    stop_.store(false);
    playouts_.store(0);
    claimed_playouts_.store(0);
    running_.store(options_.threads);
    if constexpr (kHasThreads)
        for (int i = 0; i < options_.threads; i++) threads_.emplace_back(&SearchImpl::work, this, i, runs_);
    else caller_ = std::make_unique<Worker>(*this, tree_, runs_ * kRunStreams);
    runs_++;
}

template <int W> bool SearchImpl<W>::wait(double seconds) {
    const std::chrono::duration<double> time(seconds);
    bool done = running_.load() == 0;
#if TAIJI_HAS_THREADS
    std::unique_lock lock(mutex_);
    done = finished_.wait_for(lock, time, [&] { return running_.load() == 0; });
    lock.unlock();
#else
    if (!done) done = play_until(*caller_, Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
    if (done && running_.load()) end_work();
#endif
    if (done) join();
    return done;
}

template <int W> void SearchImpl<W>::join() {
    for (Thread &thread : threads_) thread.join();
    threads_.clear();
    caller_.reset();
}

template <int W> void SearchImpl<W>::reset() {
    if (running_.load()) throw std::invalid_argument("a search is already running");
    join();
    root_ = 0;
    root_position_.reset();
    runs_ = 0;
    tree_.clear();
}

template <int W> void SearchImpl<W>::work(int index, uint64_t run) {
    Worker worker(*this, tree_, run * kRunStreams + uint64_t(index));
    play_until(worker, Clock::time_point::max());
    end_work();
}

// Runs playouts; returns true at the end of the search and false at `until`.
template <int W> bool SearchImpl<W>::play_until(Worker &worker, Clock::time_point until) {
    for (;; worker.playouts++) {
        // Run one playout even after the deadline, so that there is a move to choose.
        if (worker.playouts && stop_.load(std::memory_order_relaxed)) return true;
        if (worker.playouts && worker.playouts % kClockCheckInterval == 0) {
            const Clock::time_point now = Clock::now();
            if (now >= deadline_) return true;
            if (now >= until) return false;
        }
        if (limits_.playouts && add(claimed_playouts_, 1) >= limits_.playouts) return true;
        playout(worker);
        add(playouts_, 1);
    }
}

template <int W> void SearchImpl<W>::end_work() {
    Guard guard(mutex_);
    if (running_.fetch_sub(1) != 1) return;
    ended_ = Clock::now();
#if TAIJI_HAS_THREADS
    finished_.notify_all();
#endif
}

// Returns the node of a position a few plies below the root, or 0 if the tree does not hold it.
template <int W> Arena::Ref SearchImpl<W>::find_reusable_root(const AnyPosition &any) const {
    if (!root_ || !root_position_) return 0;
    std::vector<uint16_t> before = root_history_, after = any.history();
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (!std::includes(after.begin(), after.end(), before.begin(), before.end())) return 0;
    std::vector<uint16_t> missing;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(missing));
    if (missing.size() > kMaxReusePlies) return 0;
    Arena::Ref best = 0;
    uint32_t most = 0;
    auto seek = [&](auto &self, Arena::Ref ref, const Position<W> &p) -> void {
        const Node &node = *tree_.template at<Node>(ref);
        if (p.hash() == any.hash() && size_t(p.ply()) == after.size()) {
            if (!best || node.visits.load() > most) best = ref, most = node.visits.load();
            return;
        }
        tree_.for_each_move(node, [&](Move &move) {
            Arena::Ref child = move.node.load();
            if (child && std::find(missing.begin(), missing.end(), move.action) != missing.end()) {
                Position<W> next = p;
                next.play(move.action);
                self(self, child, next);
            }
            return true;
        });
    };
    seek(seek, root_, *root_position_);
    return best;
}

namespace {

void check(const SearchOptions &options) {
    if (options.threads < 1 || options.threads > 256) throw std::invalid_argument("threads: expected 1 to 256");
    if (options.memory < Tree::kMinBytes) throw std::invalid_argument("memory: expected at least 1 MiB");
    if (uint64_t(options.memory) > Arena::kMaxBytes) throw std::invalid_argument("memory: expected at most 64 GiB");
    if (!(options.exploration >= 0) || !(options.rave_bias >= 0) || !(options.widening_factor >= 1))
        throw std::invalid_argument("exploration and rave_bias must not be negative, widening_factor at least 1");
    if (options.playout_candidates < 1 || options.playout_candidates > 1000)
        throw std::invalid_argument("playout_candidates: invalid (expected 1 to 1,000)");
}

}  // namespace

std::unique_ptr<Search> Search::make(CompiledGamePtr game, const SearchOptions &options) {
    check(options);
    return with_width(*game, [&](auto width) -> std::unique_ptr<Search> {
        return std::make_unique<SearchImpl<width.value>>(game, options);
    });
}

}  // namespace taiji
