#include "solver.hpp"

#include <chrono>
#include <deque>

#include "solver_worker.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

struct Stopped : std::exception {};  // a limit was reached

constexpr uint64_t kAloneNodes = 4096;  // positions that one thread searches before others join it

template <int W> class SolverImpl final : public Solver {
public:
    SolverImpl(CompiledGamePtr game, int megabytes, int threads)
        : game_(std::move(game)), shared_(size_t(megabytes) << 20, kHasThreads && threads > 1),
          threads_(kHasThreads ? threads : 1) {}

    SolveResult solve(const AnyPosition &any, const SolveLimits &limits) override {
        const Position<W> &root = static_cast<const PositionImpl<W> &>(any).position();
        begin(root, limits);
        SolveResult result;
        try {
            if (limits.winner_only) {
                find_winner(root, result.best);
                result.solved = true;
            } else {
                const int64_t value = find_value(root);
                result.solved = true;
                if (!root.is_over()) find_best_moves(root, value, result.best);
                find_pv(root, value, result);
            }
        } catch (const Stopped &) {
            const int move = result.best.empty() ? stored_move(root) : -1;
            if (move >= 0) result.best.push_back(move);
        }
        return finished(result);
    }

    SolveResult find_win(const AnyPosition &any, const SolveLimits &limits, const std::vector<int> &first) override {
        const Position<W> &root = static_cast<const PositionImpl<W> &>(any).position();
        begin(root, limits);
        const bool highest = root.seat_to_move() == 0;
        std::vector<int> moves;
        auto add = [&](int action) {
            if (std::find(moves.begin(), moves.end(), action) == moves.end()) moves.push_back(action);
        };
        for (int action : first)
            if (root.is_legal(action)) add(action);
        root.for_each_choice(add);
        SolveResult result;
        try {
            for (size_t i = 0; i < moves.size() && result.best.empty(); i++) {
                if (holds(root, moves[i], highest ? 1 : -1, highest)) result.best.push_back(moves[i]);
                else result.refuted.push_back(moves[i]);
            }
            result.solved = true;
            if (result.best.empty()) (highest ? upper_ : lower_) = 0;
            else (highest ? lower_ : upper_) = highest ? 1 : -1;
        } catch (const Stopped &) {
            result.solved = false;
        }
        return finished(result);
    }

    int mirror_win(const AnyPosition &any, int64_t lead, int tie_winner) const override {
        const Position<W> &root = static_cast<const PositionImpl<W> &>(any).position();
        return taiji::mirror_win(root, TieRule{game_->tie, tie_winner}, lead);
    }

    void stop() override { shared_.stop = true; }
    uint64_t nodes() const override { return shared_.nodes; }

private:
    void begin(const Position<W> &root, const SolveLimits &limits) {
        const bool same_frame = frame_ && frame_->contains(root);
        if (workers_.empty() || !same_frame || limits.lead != lead_ || limits.tie_winner != tie_winner_) {
            workers_.clear();
            lead_ = limits.lead;
            tie_winner_ = limits.tie_winner;
            if (!same_frame) frame_ = AnyFrame<W>::make(root);
            shared_.table.start_generation();
            shared_.seed++;
            shared_.group_history = SharedHistory(size_t(game_->action_count));
            shared_.position_history = SharedHistory(size_t(game_->action_count));
            for (int i = 0; i < threads_; i++)
                workers_.push_back(std::make_unique<SolverWorker<W>>(shared_, *game_, frame_.get(),
                                                                     TieRule{game_->tie, tie_winner_}, lead_));
        }
        shared_.limits = limits;
        shared_.stop = false;
        shared_.nodes = 0;
        start_ = Clock::now();
        shared_.deadline =
            start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
        lower_ = -kInfinity;
        upper_ = kInfinity;
    }

    SolveResult finished(SolveResult &result) {
        result.lower = lower_;
        result.upper = upper_;
        result.nodes = shared_.nodes;
        result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(result);
    }

    // Searches a position with all threads; see SolverSearch::search.
    int64_t search(const Position<W> &p, int64_t beta, int ply) {
        if (shared_.stop) throw Stopped{};
        SolverWorker<W> &own = *workers_.front();
        shared_.decided = false;
        own.thread.begin(beta, ply, &poll_, workers_.size() > 1 ? kAloneNodes : 0);
        const int64_t value = own.search(p, beta, ply);
        if (!own.thread.is_returning()) return value;
        if constexpr (kHasThreads)
            if (!shared_.stop) return search_together(p, beta, ply);
        throw Stopped{};
    }

    int64_t search_together(const Position<W> &p, int64_t beta, int ply) {
        int64_t result = 0;
        run_together([&](size_t i, InterruptPoll *poll) {
            SolverWorker<W> &worker = *workers_[i];
            worker.thread.begin(beta, ply, poll, 0);
            const int64_t value = worker.search(p, beta, ply);
            if (!worker.thread.is_returning() && !shared_.decided.exchange(true)) result = value;
        });
        if (!shared_.decided) throw Stopped{};
        return result;
    }

    // Calls `work` with the number of each worker at once, and with the poll for the calling thread alone.
    template <class F> void run_together(const F &work) {
        const bool touches = shared_.table.widen();
        auto start = [&](size_t i, InterruptPoll *poll) {
            if (touches) shared_.table.touch(i, workers_.size());
            work(i, poll);
        };
        std::vector<Thread> helpers;
        auto join = [&] {
            for (Thread &helper : helpers) helper.join();
            shared_.parallel = false;
        };
        shared_.parallel = true;
        try {
            if constexpr (kHasThreads)
                for (size_t i = 1; i < workers_.size(); i++) helpers.emplace_back(start, i, nullptr);
            start(0, &poll_);
        } catch (...) {  // an interrupt
            shared_.decided = true;
            join();
            shared_.busy.clear();
            throw;
        }
        join();
    }

    // Searches the positions after all moves with one null window. Each thread takes moves that no other has taken,
    // then helps with the rest.
    void search_each(std::deque<RootMove<W>> &moves, int64_t beta) {
        run_together([&](size_t i, InterruptPoll *poll) {
            SolverWorker<W> &worker = *workers_[i];
            for (size_t k = 0; k < 2 * moves.size(); k++) {
                const bool helps = k >= moves.size();
                RootMove<W> &move = moves[(k + (helps ? i : 0)) % moves.size()];
                if (move.known || (!helps && move.taken.exchange(true))) continue;
                worker.thread.begin(beta, 1, poll, 0);
                const int64_t value = worker.search(move.next, beta, 1);
                if (worker.thread.is_returning()) return;
                move.value = value;
                move.known = true;
            }
        });
    }

    // Narrows the value down by null-window searches.
    int64_t find_value(const Position<W> &root) {
        int64_t low = -kInfinity, high = kInfinity, beta = 1;
        while (low < high) {
            const int64_t value = search(root, beta, 0);
            if (value >= beta) low = value;
            else high = value;
            lower_ = low;
            upper_ = high;
            beta = value >= beta ? value + 1 : value;
        }
        return low;
    }

    // Finds who wins, and a move that keeps it: the one that the search has found, if there is one.
    void find_winner(const Position<W> &root, std::vector<int> &best) {
        const bool highest = root.seat_to_move() == 0;
        int move = -1;
        auto reaches = [&](int64_t beta) {
            const bool reached = search(root, beta, 0) >= beta;
            if (reached == highest) move = stored_move(root);
            return reached;
        };
        int64_t sign = 0;
        if (reaches(1)) {
            lower_ = sign = 1;
        } else {
            upper_ = 0;
            if (reaches(0)) lower_ = 0;
            else upper_ = sign = -1;
        }
        if (root.is_over()) return;
        const bool lost = sign == (highest ? -1 : 1);
        // A bound may have decided the last search; the move in the table is then only the best guess of one before.
        if (!lost && (move < 0 || !holds(root, move, sign, highest))) return find_one_best(root, sign, best);
        root.for_each_choice([&](int action) { move = move < 0 ? action : move; });
        best.push_back(move);
    }

    void find_best_moves(const Position<W> &root, int64_t value, std::vector<int> &best) {
        if (!limits().all_best) return find_one_best(root, value, best);
        const bool highest = root.seat_to_move() == 0;
        if constexpr (kHasThreads)
            if (workers_.size() > 1) return find_best_together(root, highest ? value : value + 1, best);
        root.for_each_choice([&](int action) {
            if (holds(root, action, value, highest)) best.push_back(action);
        });
    }

    // Finds the moves that keep the value, those with equal positions after them once.
    void find_best_together(const Position<W> &root, int64_t beta, std::vector<int> &best) {
        const bool highest = root.seat_to_move() == 0;
        std::deque<RootMove<W>> moves;
        std::vector<std::pair<int, const RootMove<W> *>> choices;
        root.for_each_choice([&](int action) {
            moves.emplace_back(root, action);
            moves.back().key = workers_.front()->key(moves.back().next);
            const auto same = std::find_if(moves.begin(), moves.end() - 1, [&](const RootMove<W> &move) {
                return move.key.index == moves.back().key.index &&
                       move.key.verification == moves.back().key.verification;
            });
            choices.emplace_back(action, &*same);
            if (same != moves.end() - 1) moves.pop_back();
        });
        // One thread alone, while that is quick.
        SolverWorker<W> &own = *workers_.front();
        shared_.decided = false;
        own.thread.begin(beta, 1, &poll_, kAloneNodes);
        for (RootMove<W> &move : moves) {
            move.value = own.search(move.next, beta, 1);
            if (own.thread.is_returning()) break;
            move.known = true;
        }
        if (own.thread.is_returning() && !shared_.stop) search_each(moves, beta);
        bool all = true;
        for (const auto &[action, move] : choices) {
            all = all && move->known;
            if (move->known && (move->value >= beta) == highest) best.push_back(action);
        }
        if (!all) throw Stopped{};
    }

    void find_one_best(const Position<W> &root, int64_t value, std::vector<int> &best) {
        const bool highest = root.seat_to_move() == 0;
        const int move = stored_move(root);  // most likely the one that the search has just found
        if (move >= 0 && holds(root, move, value, highest)) return best.push_back(move);
        root.for_each_choice([&](int action) {
            if (best.empty() && holds(root, action, value, highest)) best.push_back(action);
        });
    }

    // Returns whether a move keeps the value of its position.
    bool holds(const Position<W> &p, int action, int64_t value, bool highest) {
        Position<W> next = p;
        next.play(action);
        return highest ? search(next, value, 1) >= value : search(next, value + 1, 1) <= value;
    }

    // Finds the principal variation; each step is proven by a search that mostly hits the table.
    void find_pv(const Position<W> &root, int64_t value, SolveResult &result) {
        Position<W> p = root;
        while (!p.is_over()) {
            int chosen = result.pv.empty() && !result.best.empty() ? result.best.front() : -1;
            const bool highest = p.seat_to_move() == 0;
            if (chosen < 0) chosen = stored_move(p);
            if (chosen >= 0 && !result.pv.empty() && !holds(p, chosen, value, highest)) chosen = -1;
            p.for_each_choice([&](int action) {
                if (chosen < 0 && holds(p, action, value, highest)) chosen = action;
            });
            if (chosen < 0) return;
            result.pv.push_back(chosen);
            p.play(chosen);
        }
    }

    // Returns the best move stored in the table, or -1.
    int stored_move(const Position<W> &p) {
        if (p.is_over()) return -1;
        const int move = workers_.front()->stored_move(p);
        return move >= 0 && p.is_legal(move) ? move : -1;
    }

    const SolveLimits &limits() const { return shared_.limits; }

    CompiledGamePtr game_;
    SharedSearch shared_;
    int threads_;
    std::unique_ptr<AnyFrame<W>> frame_;
    std::vector<std::unique_ptr<SolverWorker<W>>> workers_;
    int64_t lead_ = 0;
    int tie_winner_ = -1;
    InterruptPoll poll_;
    Clock::time_point start_;
};

}  // namespace

std::unique_ptr<Solver> Solver::make(CompiledGamePtr game, int megabytes, int threads) {
    if (threads < 1 || threads > 256) throw std::invalid_argument("threads: expected 1 to 256");
    return with_width(*game, [&](auto width) -> std::unique_ptr<Solver> {
        return std::make_unique<SolverImpl<decltype(width)::value>>(game, megabytes, threads);
    });
}

}  // namespace taiji
