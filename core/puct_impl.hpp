// The PUCT search of games whose sites fit W words: its state. puct_walk.hpp descends and backs up, puct.cpp has the
// rest.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "puct.hpp"
#include "puct_cache.hpp"
#include "puct_tree.hpp"
#include "tree_cursor.hpp"

namespace taiji {

template <int W> class PuctImpl final : public Puct {
public:
    PuctImpl(CompiledGamePtr game, NetEncoderSpec encoder, const PuctOptions &options)
        : game_(std::move(game)), options_(options), encoder_(*game_, std::move(encoder)),
          tree_(options.memory / 4 * 3), cache_(options.memory / 4), batches_(kMaxWorkers) {
        if (game_->images.size() > kMaxSymmetries) throw std::invalid_argument("too many symmetries (PUCT supports 8)");
        for (const std::vector<uint16_t> &image : game_->images) {
            std::vector<uint16_t> &back = back_.emplace_back(image.size());
            for (size_t a = 0; a < image.size(); a++) back[image[a]] = uint16_t(a);
        }
    }

    const NetEncoder &encoder() const override { return encoder_; }
    void encode(const AnyPosition &any, int symmetry, float *planes, float *globals) const override;
    void start(const AnyPosition &any, const PuctLimits &limits, const Objective &objective) override;
    int collect_batch(int worker, int most, float *planes, float *globals) override;
    void apply_batch(int worker, int rows, const NetOutput &output) override;
    void discard_batch(int worker) override;
    void stop() override { stop_.store(true, std::memory_order_relaxed); }
    PuctInfo info() const override;
    void reset() override;

private:
    struct Step {
        Arena::Ref node;
        int edge;
    };
    struct Leaf {
        explicit Leaf(const TreeCursor<W> &t) : cursor(t) {}
        TreeCursor<W> cursor;
        int symmetry = 0;
        std::vector<Step> path;
    };
    struct Value {
        double first;   // the first seat's win probability
        double margin;  // its expected margin in points
        Proof proof = Proof::None;
    };

    enum class Descent { Done, Leaf, Blocked };

    TreeCursor<W> cursor_at(const AnyPosition &any) const;
    Descent descend(Leaf &leaf);
    int select(const PuctNode &node) const;
    Arena::Ref expand(const Leaf &leaf, const NetEvaluation &evaluation);
    void backup(const Leaf &leaf, const Value &value);
    void undo_virtual_visits(const Leaf &leaf);
    void expand_and_backup(const Leaf &leaf, const NetEvaluation &evaluation);
    double tie_share(const Position<W> &p, int seat) const;
    Value value_of(const Position<W> &p, const NetEvaluation &evaluation) const;
    Value result_of(const Position<W> &end) const;
    bool finished() const;
    Arena::Ref find_reusable_root(const AnyPosition &any) const;

    CompiledGamePtr game_;
    PuctOptions options_;
    NetEncoder encoder_;
    PuctTree tree_;
    EvalCache cache_;
    std::vector<std::vector<Leaf>> batches_;
    std::vector<std::vector<uint16_t>> back_;  // by symmetry: the inverse of `images`
    std::optional<TreeCursor<W>> root_at_;
    std::vector<uint16_t> root_history_;
    Arena::Ref root_ = 0;
    bool root_asked_ = false;
    Objective objective_;
    PuctLimits limits_;
    std::chrono::steady_clock::time_point began_, deadline_;
    std::atomic<bool> stop_{false};
    uint64_t playouts_ = 0, evaluations_ = 0, asked_ = 0, cache_hits_ = 0;
    mutable Mutex mutex_;
};

}  // namespace taiji
