// The tree search of games whose sites fit W words: its state. search_playout.hpp runs one playout, search_report.hpp
// describes the tree, search.cpp has the rest.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <type_traits>

#include "search.hpp"
#include "selection.hpp"

namespace taiji {

template <int W> class SearchImpl final : public Search {
public:
    SearchImpl(CompiledGamePtr game, const SearchOptions &options)
        : game_(std::move(game)), options_(options), tree_(options.memory, table_bytes(*game_)) {}

    ~SearchImpl() override {
        stop();
        join();
    }

    void start(const AnyPosition &any, const SearchLimits &limits, const Objective &objective) override;
    bool wait(double seconds) override;
    void stop() override { stop_.store(true, std::memory_order_relaxed); }
    SearchInfo info() const override;
    void reset() override;

private:
    using Clock = std::chrono::steady_clock;

    struct Worker {
        Worker(const SearchImpl &search, Tree &tree, uint64_t stream)
            : selector(*search.game_, tree, search.options_, search.swap_is_symmetric()),
              random(search.options_.seed, stream) {}
        Selector<W> selector;
        Random random;
        Trace trace;
        uint16_t entries[kMaxPlies + AmafTable::kBlock];  // AMAF entries of the trace
        Node *nodes[kMaxPlies];
        Move *moves[kMaxPlies];
        int depth = 0;
        uint64_t playouts = 0;
    };

    static std::vector<size_t> table_bytes(const CompiledGame &game) {
        std::vector<size_t> bytes;
        for (const Stage &stage : game.stages) bytes.push_back(AmafTable::bytes(stage.actions));
        return bytes;
    }

    void work(int index, uint64_t run);
    bool play_until(Worker &worker, Clock::time_point until);
    void end_work();
    void playout(Worker &worker);
    void finish_playout(Worker &worker, Position<W> &p) const;
    int find_entries(Worker &worker, const Stage &stage, int depth) const;
    void backup(Worker &worker, const Position<W> &end);
    Arena::Ref expand(Move &move, const Position<W> &p);
    const AmafTable *ensure_amaf_table(Node &node, uint32_t visits, Worker &worker);
    uint32_t result_for_first(const Position<W> &end, int64_t &margin) const;
    Arena::Ref find_reusable_root(const AnyPosition &any) const;
    void resolve_swap(SearchInfo &info) const;
    void join();

    // Returns whether a swap only exchanges the seats' win probabilities: no earlier stage, no lead from a match.
    bool swap_is_symmetric() const {
        return options_.method == Method::Grave && game_->stages.size() == 1 && game_->swap_action >= 0 &&
               !objective_.lead && objective_.tie_winner == Objective::kGameRule;
    }

    // Returns the value before. One thread needs no locked addition, which would hold up what follows.
    template <class T> T add(std::atomic<T> &to, std::type_identity_t<T> amount) const {
        if (options_.threads > 1) return to.fetch_add(amount, std::memory_order_relaxed);
        const T before = to.load(std::memory_order_relaxed);
        to.store(before + amount, std::memory_order_relaxed);
        return before;
    }

    CompiledGamePtr game_;
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
    std::atomic<uint64_t> playouts_{0}, claimed_playouts_{0};
    std::atomic<int> running_{0};
    std::vector<Thread> threads_;
    std::unique_ptr<Worker> caller_;  // the only worker where there are no threads
    mutable Mutex mutex_;
    Condition finished_;
    // By action at the root: sum of the first seat's final margins in half points, and playouts.
    std::vector<std::atomic<int64_t>> margins_, margin_counts_;
};

}  // namespace taiji
