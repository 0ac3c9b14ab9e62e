#include "search.hpp"

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "selection.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPlayoutsBetweenLooks = 16;   // at the clock
constexpr int kDeepestReuse = 4;            // plies between two positions of one game
constexpr double kRankAgain = 1.5;         // growth of a node's visits before its list of actions is made anew
constexpr uint32_t kShownVisits = 2;        // a line of play goes on while its moves have as many

std::vector<size_t> table_bytes(const Tables &tables) {
    std::vector<size_t> bytes;
    for (const Stage &stage : tables.stages) bytes.push_back(Table::bytes(stage.actions));
    return bytes;
}

template <int W> class SearchOf final : public Search {
public:
    SearchOf(SharedTables tables, const SearchOptions &options)
        : tables_(std::move(tables)), options_(options), tree_(options.memory, table_bytes(*tables_)) {}

    ~SearchOf() override {
        stop();
        join();
    }

    void start(const Handle &handle, const SearchLimits &limits, const Objective &objective) override;
    bool wait(double seconds) override;
    void stop() override { stop_.store(true, std::memory_order_relaxed); }
    SearchInfo info() const override;
    void reset() override;

private:
    struct Worker {
        Worker(const SearchOf &search, Tree &tree, uint64_t stream)
            : selector(*search.tables_, tree, search.options_, search.mirrored()), random(search.options_.seed, stream) {}
        Selector<W> selector;
        Random random;
        Trace trace;
        Node *nodes[kMostPlies];
        Move *moves[kMostPlies];
        int depth = 0;
    };

    void work(int index, uint64_t run);
    void playout(Worker &worker);
    void play_on(Worker &worker, Position<W> &p) const;
    void back_up(Worker &worker, const Position<W> &end);
    Arena::Ref expand(Move &move, const Position<W> &p);
    const Table *own_table(Node &node, uint32_t visits, Worker &worker);
    uint32_t result_for_first(const Position<W> &end, int64_t &margin) const;
    Arena::Ref find_again(const Handle &handle) const;
    void answer_by_swap(SearchInfo &info) const;
    void join();

    // Whether a swap exchanges the seats' chances and nothing else: neither brings anything along.
    bool mirrored() const {
        return options_.method == Method::Grave && tables_->stages.size() == 1 && tables_->swap_action >= 0 &&
               !objective_.lead && objective_.equal_totals == Objective::kGameRule;
    }

    void add(std::atomic<uint64_t> &to, uint64_t amount) const {
        if (options_.threads > 1) to.fetch_add(amount, std::memory_order_relaxed);
        else to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }

    SharedTables tables_;
    SearchOptions options_;
    Tree tree_;
    std::optional<Position<W>> root_position_;
    std::vector<uint16_t> root_history_;
    Arena::Ref root_ = 0;
    Objective objective_, tree_objective_;
    SearchLimits limits_;
    Clock::time_point began_, ended_, deadline_;
    uint64_t runs_ = 0;
    std::atomic<bool> stop_{false};
    std::atomic<uint64_t> playouts_{0}, tickets_{0};
    std::atomic<int> running_{0};
    std::vector<std::thread> threads_;
    mutable std::mutex mutex_;
    std::condition_variable finished_;
    // Half points that the first seat was ahead by, and playouts, by the action played at the root.
    std::vector<std::atomic<int64_t>> margins_, margin_counts_;
};

template <int W> void SearchOf<W>::start(const Handle &handle, const SearchLimits &limits, const Objective &objective) {
    if (handle.over()) throw std::invalid_argument("the game is over: there is nothing to search");
    if (handle.tables().get() != tables_.get()) throw std::invalid_argument("a position of another game");
    if (running_.load()) throw std::invalid_argument("a search is under way");
    join();
    began_ = Clock::now();
    const Position<W> &position = static_cast<const HandleOf<W> &>(handle).position();
    bool same_aim = objective.lead == tree_objective_.lead && objective.equal_totals == tree_objective_.equal_totals;
    Arena::Ref found = options_.reuse && same_aim ? find_again(handle) : 0;
    if (found && found != root_) {
        found = tree_.keep(found);
    } else if (!found) {
        tree_.clear();
    }
    {
        std::lock_guard guard(mutex_);
        root_ = found ? found : tree_.new_node(position.mover(), position.to_move(), position.stage());
        root_position_ = position;
    }
    root_history_ = handle.history();
    objective_ = tree_objective_ = objective;
    limits_ = limits;
    margins_ = std::vector<std::atomic<int64_t>>(size_t(tables_->action_count));
    margin_counts_ = std::vector<std::atomic<int64_t>>(size_t(tables_->action_count));
    deadline_ = Clock::time_point::max();
    if (limits.seconds > 0)
        deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    stop_.store(false);
    playouts_.store(0);
    tickets_.store(0);
    running_.store(options_.threads);
    for (int i = 0; i < options_.threads; i++) threads_.emplace_back(&SearchOf::work, this, i, runs_);
    runs_++;
}

template <int W> bool SearchOf<W>::wait(double seconds) {
    std::unique_lock lock(mutex_);
    bool done = finished_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return running_.load() == 0; });
    lock.unlock();
    if (done) join();
    return done;
}

template <int W> void SearchOf<W>::join() {
    for (std::thread &thread : threads_) thread.join();
    threads_.clear();
}

template <int W> void SearchOf<W>::reset() {
    if (running_.load()) throw std::invalid_argument("a search is under way");
    join();
    root_ = 0;
    root_position_.reset();
    runs_ = 0;
    tree_.clear();
}

template <int W> void SearchOf<W>::work(int index, uint64_t run) {
    Worker worker(*this, tree_, run * 1024 + uint64_t(index));
    for (uint64_t i = 0; i == 0 || !stop_.load(std::memory_order_relaxed); i++) {
        // However late it is, there is one playout to choose a move by.
        if (i && i % kPlayoutsBetweenLooks == 0 && Clock::now() >= deadline_) break;
        if (limits_.playouts && tickets_.fetch_add(1, std::memory_order_relaxed) >= limits_.playouts) break;
        playout(worker);
        playouts_.fetch_add(1, std::memory_order_relaxed);
    }
    std::lock_guard guard(mutex_);
    if (running_.fetch_sub(1) == 1) {
        ended_ = Clock::now();
        finished_.notify_all();
    }
}

template <int W> void SearchOf<W>::playout(Worker &worker) {
    Position<W> p = *root_position_;
    worker.depth = 0;
    worker.trace.length = 0;
    const Table *table = nullptr;
    int table_stage = -1;
    Arena::Ref next = root_;
    while (next) {
        // Step 1: visit the node; where it is trusted, its statistics are the ones to go by from here.
        Node &node = *tree_.template at<Node>(next);
        uint32_t visits = node.visits.load(std::memory_order_relaxed) + 1;
        if (options_.threads > 1) node.visits.fetch_add(1, std::memory_order_relaxed);
        else node.visits.store(visits, std::memory_order_relaxed);
        if (options_.method == Method::Grave && visits >= options_.collect) {
            const Table *own = own_table(node, visits, worker);
            if (own && (visits >= options_.reference || worker.depth == 0 || table_stage != node.stage)) {
                table = own;
                table_stage = node.stage;
            }
        }
        // Step 2: follow a move. Its visit counts at once, and so as a loss until the result is in.
        Move *move = worker.selector.choose(node, p, table_stage == node.stage ? table : nullptr, worker.random);
        if (!move) break;
        add(move->stats, kOneVisit);
        worker.nodes[worker.depth] = &node;
        worker.moves[worker.depth++] = move;
        worker.trace.actions[worker.trace.length++] = move->action;
        p.play(move->action);
        if (p.over()) break;
        // Step 3: go on where the move has a node, or has earned one.
        next = move->node.load(std::memory_order_acquire);
        if (!next && move->visits() > options_.expand) next = expand(*move, p);
    }
    // Step 4: play on at random.
    if (!p.over()) play_on(worker, p);
    // Step 5: tell every node on the way what came of it.
    back_up(worker, p);
}

template <int W> void SearchOf<W>::play_on(Worker &worker, Position<W> &p) const {
    if (options_.candidates <= 1) return Playout<W>::run(p, worker.random, worker.trace);
    if (!options_.learned) {
        auto gain = [](const Position<W> &at, uint32_t action) {
            int light = at.gain(int(action));
            return at.to_move() == 0 ? light : -light;
        };
        return Playout<W>::run(p, worker.random, worker.trace, options_.candidates, gain);
    }
    const Node &root = *tree_.template at<Node>(root_);
    const Stage &stage = tables_->stages[root.stage];
    const int base = stage.first_action;
    Arena::Ref ref = root.table.load(std::memory_order_acquire);
    const Elsewhere *entries = ref ? tree_.template at<Table>(ref)->entries : nullptr;
    const int known = ref ? stage.actions : 0;
    const float doubt = float(options_.doubt) + 1;  // never 0, so that nothing seen is an even result
    auto success = [=](const Position<W> &at, uint32_t action) {
        int index = int(action) - base;
        if (index < 0 || index >= known) return 0.5f;
        auto [n, won] = entries[index].of(at.to_move());
        return (won + doubt / 2) / (n + doubt);
    };
    Playout<W>::run(p, worker.random, worker.trace, options_.candidates, success);
}

template <int W> Arena::Ref SearchOf<W>::expand(Move &move, const Position<W> &p) {
    Arena::Ref fresh = tree_.new_node(p.mover(), p.to_move(), p.stage());
    if (!fresh) return 0;
    Arena::Ref none = 0;
    return move.node.compare_exchange_strong(none, fresh, std::memory_order_acq_rel) ? fresh : none;
}

template <int W> const Table *SearchOf<W>::own_table(Node &node, uint32_t visits, Worker &worker) {
    Arena::Ref ref = node.table.load(std::memory_order_acquire);
    if (!ref) {
        Arena::Ref fresh = tree_.new_table(node.stage);
        if (!fresh) return nullptr;
        if (node.table.compare_exchange_strong(ref, fresh, std::memory_order_acq_rel)) ref = fresh;
    }
    Table *table = tree_.template at<Table>(ref);
    if (visits >= options_.reference) {
        uint32_t due = uint32_t(table->ranked.load(std::memory_order_relaxed) * kRankAgain);
        if (visits > due && !node.lock.exchange(1, std::memory_order_acquire)) {
            worker.selector.rank(*table, tables_->stages[node.stage].actions, visits);
            node.lock.store(0, std::memory_order_release);
        }
    }
    return table;
}

template <int W> uint32_t SearchOf<W>::result_for_first(const Position<W> &end, int64_t &margin) const {
    int64_t halves[2];
    end.scores(halves);
    margin = halves[0] - halves[1];
    int64_t total = margin + objective_.lead;
    int winner;
    if (objective_.equal_totals == Objective::kGameRule) {
        halves[0] += objective_.lead;
        winner = end.winner(halves);
    } else {
        winner = total ? (total > 0 ? 0 : 1) : objective_.equal_totals;
    }
    return winner == 0 ? kWin : winner == 1 ? 0 : kWin / 2;
}

template <int W> void SearchOf<W>::back_up(Worker &worker, const Position<W> &end) {
    int64_t margin;
    const uint32_t first = result_for_first(end, margin);
    const uint32_t light = end.swapped() ? kWin - first : first;
    const uint64_t seen = (uint64_t(1) << 32) + light / (kWin / 2);
    for (int d = 0; d < worker.depth; d++) {
        Node &node = *worker.nodes[d];
        add(worker.moves[d]->stats, node.mover == 0 ? first : kWin - first);
        Arena::Ref ref = node.table.load(std::memory_order_acquire);
        if (!ref) continue;
        // The moves of this node's stage come first in the rest of the game; a swap among them counts for nothing.
        const Stage &stage = tables_->stages[node.stage];
        Elsewhere *entries = tree_.template at<Table>(ref)->entries;
        const int base = stage.first_action, behind = base + stage.actions;
        const uint16_t *action = worker.trace.actions.data() + d, *end = worker.trace.actions.data() + worker.trace.length;
        for (; action != end && *action < behind; action++) entries[*action - base].add(seen);
        if (action != end && *action == tables_->swap_action)
            for (action++; action != end && *action < behind; action++) entries[*action - base].add(seen);
    }
    if (worker.depth) {
        margins_[worker.moves[0]->action].fetch_add(margin, std::memory_order_relaxed);
        margin_counts_[worker.moves[0]->action].fetch_add(1, std::memory_order_relaxed);
    }
}

// The node of a position that follows the root by a few plies, if the tree has it.
template <int W> Arena::Ref SearchOf<W>::find_again(const Handle &handle) const {
    if (!root_ || !root_position_) return 0;
    std::vector<uint16_t> before = root_history_, after = handle.history();
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (!std::includes(after.begin(), after.end(), before.begin(), before.end())) return 0;
    std::vector<uint16_t> missing;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(missing));
    if (missing.size() > kDeepestReuse) return 0;
    Arena::Ref best = 0;
    uint32_t most = 0;
    auto seek = [&](auto &self, Arena::Ref ref, const Position<W> &p) -> void {
        const Node &node = *tree_.template at<Node>(ref);
        if (p.hash() == handle.hash() && size_t(p.ply()) == after.size()) {
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

template <int W> SearchInfo SearchOf<W>::info() const {
    std::lock_guard guard(mutex_);
    SearchInfo info;
    if (!root_) return info;
    info.playouts = playouts_.load();
    info.nodes = tree_.nodes();
    info.memory = tree_.used();
    auto end = running_.load() ? Clock::now() : ended_;
    info.seconds = std::chrono::duration<double>(end - began_).count();
    const Node &root = *tree_.template at<Node>(root_);
    tree_.for_each_move(root, [&](Move &move) {
        int64_t n = margin_counts_[move.action].load();
        double margin = n ? double(margins_[move.action].load()) / double(n) / 2 : 0;
        info.moves.push_back({move.action, move.visits(), move.mean(), root.mover == 0 ? margin : -margin});
        return true;
    });
    std::stable_sort(info.moves.begin(), info.moves.end(), [](const MoveInfo &a, const MoveInfo &b) {
        return a.visits != b.visits ? a.visits > b.visits : a.win > b.win;
    });
    if (!info.moves.empty()) {
        info.win = info.moves[0].win;
        info.margin = info.moves[0].margin;
    }
    Arena::Ref ref = root_;
    while (ref) {
        const Move *most = nullptr;
        tree_.for_each_move(*tree_.template at<Node>(ref), [&](Move &move) {
            uint32_t visits = move.visits(), others = most ? most->visits() : 0;
            if (!most || visits > others || (visits == others && move.mean() > most->mean())) most = &move;
            return true;
        });
        if (!most || (most->visits() < kShownVisits && !info.variation.empty())) break;
        info.variation.push_back(most->action);
        ref = most->node.load(std::memory_order_acquire);
    }
    if (mirrored() && !info.moves.empty()) answer_by_swap(info);
    info.depth = int(info.variation.size());
    return info;
}

// The search has looked at what the colours are worth; whoever may swap takes the better one.
template <int W> void SearchOf<W>::answer_by_swap(SearchInfo &info) const {
    if (root_position_->offers_swap()) {
        for (MoveInfo &move : info.moves) {
            if (move.win <= 0.5) continue;
            if (&move == &info.moves[0]) info.variation = {move.action, tables_->swap_action};
            move.win = 1 - move.win;
            move.margin = -move.margin;
        }
    } else if (root_position_->can_swap()) {
        const MoveInfo best = info.moves[0];
        const bool better = best.win < 0.5;
        info.moves.insert(better ? info.moves.begin() : info.moves.end(),
                          {tables_->swap_action, better ? best.visits : 0, 1 - best.win, -best.margin});
        if (better) info.variation.insert(info.variation.begin(), tables_->swap_action);
    }
    info.win = info.moves[0].win;
    info.margin = info.moves[0].margin;
}

void check(const SearchOptions &options) {
    if (options.threads < 1 || options.threads > 256) throw std::invalid_argument("threads: give 1 to 256");
    if (options.memory < Tree::kSmallest) throw std::invalid_argument("memory: the tree needs at least 1 MiB");
    if (options.memory > Arena::kMost) throw std::invalid_argument("memory: the tree takes at most 64 GiB");
    if (!(options.exploration >= 0) || !(options.bias >= 0) || !(options.rescan >= 1))
        throw std::invalid_argument("exploration and bias are not negative, rescan is at least 1");
    if (options.candidates < 1 || options.candidates > 1000)
        throw std::invalid_argument("candidates: give 1 to 1,000");
}

}  // namespace

std::unique_ptr<Search> Search::make(SharedTables tables, const SearchOptions &options) {
    check(options);
    return with_width(*tables, [&](auto width) -> std::unique_ptr<Search> {
        return std::make_unique<SearchOf<width.value>>(tables, options);
    });
}

}  // namespace taiji
