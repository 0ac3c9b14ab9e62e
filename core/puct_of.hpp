// A search by priors of games whose sites fit W words: what it holds. puct_walk.hpp goes down the tree and back,
// puct.cpp does the rest.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "puct.hpp"
#include "puct_cache.hpp"
#include "puct_reading.hpp"
#include "puct_tree.hpp"

namespace taiji {

template <int W> class PuctOf final : public Puct {
public:
    PuctOf(SharedTables tables, NetViewSpec view, const PuctOptions &options)
        : tables_(std::move(tables)), options_(options), view_(*tables_, std::move(view)),
          tree_(options.memory / 4 * 3), cache_(options.memory / 4), slots_(kMostSlots) {
        if (tables_->images.size() > kMostSymmetries) throw std::invalid_argument("too many symmetries");
        for (const std::vector<uint16_t> &image : tables_->images) {
            std::vector<uint16_t> &back = back_.emplace_back(image.size());
            for (size_t a = 0; a < image.size(); a++) back[image[a]] = uint16_t(a);
        }
    }

    const NetView &view() const override { return view_; }
    void see(const Handle &handle, int symmetry, float *planes, float *numbers) const override;
    void start(const Handle &handle, const PuctLimits &limits, const Objective &objective) override;
    int gather(int slot, int most, float *planes, float *numbers) override;
    void apply(int slot, int rows, const NetSays &says) override;
    void drop(int slot) override;
    void stop() override { stop_.store(true, std::memory_order_relaxed); }
    PuctInfo info() const override;
    void reset() override;

private:
    struct Step {
        Arena::Ref node;
        int edge;
    };
    struct Leaf {
        explicit Leaf(const Traveller<W> &t) : at(t) {}
        Traveller<W> at;
        int symmetry = 0;
        std::vector<Step> path;
    };
    struct Value {
        double first;   // the first seat's chance
        double margin;  // its expected lead in points
        Proof proof = Proof::None;
    };

    enum class Descent { Done, Leaf, Blocked };

    Traveller<W> traveller(const Handle &handle) const;
    Descent descend(Leaf &leaf);
    int select(const PuctNode &node) const;
    Arena::Ref expand(const Leaf &leaf, const Judgement &said);
    void settle(const Leaf &leaf, const Value &value);
    void unwind(const Leaf &leaf);
    void enter(const Leaf &leaf, const Judgement &said);
    Value value_of(const Position<W> &p, const Judgement &said) const;
    Value result_of(const Position<W> &end) const;
    bool finished() const;
    Arena::Ref find_again(const Handle &handle) const;

    SharedTables tables_;
    PuctOptions options_;
    NetView view_;
    PuctTree tree_;
    JudgementCache cache_;
    std::vector<std::vector<Leaf>> slots_;
    std::vector<std::vector<uint16_t>> back_;  // by symmetry: which action an image is of
    std::optional<Traveller<W>> root_at_;
    std::vector<uint16_t> root_history_;
    Arena::Ref root_ = 0;
    bool root_asked_ = false;
    Objective objective_;
    PuctLimits limits_;
    std::chrono::steady_clock::time_point began_, deadline_;
    std::atomic<bool> stop_{false};
    uint64_t playouts_ = 0, evaluations_ = 0, asked_ = 0, remembered_ = 0;
    mutable std::mutex mutex_;
};

}  // namespace taiji
