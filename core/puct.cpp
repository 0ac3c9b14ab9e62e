#include "puct.hpp"

#include "puct_report.hpp"
#include "puct_walk.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxReusePlies = 4;                 // maximum plies between the roots of two runs
constexpr uint64_t kIdleClockCheckInterval = 64;  // descents without evaluation between two clock reads

}  // namespace

template <int W> TreeCursor<W> PuctImpl<W>::cursor_at(const AnyPosition &any) const {
    if (any.game().get() != game_.get()) throw std::invalid_argument("the position belongs to another game");
    TreeCursor<W> cursor(static_cast<const PositionImpl<W> &>(any).position());
    for (uint16_t action : any.history()) cursor.update_hashes(*game_, action);
    return cursor;
}

template <int W> void PuctImpl<W>::encode(const AnyPosition &any, int symmetry, float *planes, float *globals) const {
    if (symmetry < 0 || symmetry >= int(game_->images.size())) throw std::invalid_argument("invalid symmetry");
    TreeCursor<W> cursor = cursor_at(any);
    encoder_.encode(cursor.position, cursor.kinds, symmetry, planes, globals);
}

template <int W> void PuctImpl<W>::start(const AnyPosition &any, const PuctLimits &limits, const Objective &objective) {
    if (any.is_over()) throw std::invalid_argument("the game is over: nothing to search");
    Guard guard(mutex_);
    for (const auto &leaves : batches_)
        if (!leaves.empty()) throw std::invalid_argument("a search is already running");
    began_ = Clock::now();
    TreeCursor<W> cursor = cursor_at(any);
    bool same_objective = objective.lead == objective_.lead && objective.tie_winner == objective_.tie_winner;
    Arena::Ref reused = options_.reuse && same_objective ? find_reusable_root(any) : 0;
    if (reused) root_ = tree_.retain_subtree(reused);
    else tree_.clear(), root_ = 0;
    root_at_ = cursor;
    root_history_ = any.history();
    root_asked_ = false;
    objective_ = objective;
    limits_ = limits;
    deadline_ = Clock::time_point::max();
    if (limits.seconds > 0)
        deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    playouts_ = evaluations_ = asked_ = cache_hits_ = 0;
    stop_.store(false);
}

template <int W> bool PuctImpl<W>::finished() const {
    // Evaluate the root even after the deadline, so that there is a move to choose.
    if (!root_) return false;
    if (tree_.at(root_)->proof != Proof::None) return true;
    if (playouts_ == 0 && tree_.at(root_)->visits < 2) return false;
    if (stop_.load(std::memory_order_relaxed)) return true;
    if (limits_.playouts && playouts_ + (asked_ - evaluations_) >= limits_.playouts) return true;
    if (limits_.evaluations && (asked_ >= limits_.evaluations || playouts_ >= 64 * limits_.evaluations)) return true;
    return Clock::now() >= deadline_;
}

template <int W> int PuctImpl<W>::collect_batch(int worker, int most, float *planes, float *globals) {
    if (worker < 0 || worker >= kMaxWorkers || most < 1 || most > kMaxBatch)
        throw std::invalid_argument("invalid worker or batch size");
    Guard guard(mutex_);
    std::vector<Leaf> &leaves = batches_[size_t(worker)];
    if (!leaves.empty()) throw std::invalid_argument("the last batch of this worker has not been applied");
    if (!root_at_) return -1;
    for (uint64_t idle = 0; int(leaves.size()) < most && idle < kIdleClockCheckInterval; idle++) {
        if (finished()) return leaves.empty() ? -1 : int(leaves.size());
        Leaf leaf(*root_at_);
        Descent outcome = descend(leaf);
        if (outcome == Descent::Blocked) break;
        if (outcome == Descent::Done) continue;
        size_t n = leaves.size();
        encoder_.encode(leaf.cursor.position, leaf.cursor.kinds, leaf.symmetry, planes + n * encoder_.plane_floats(),
                        globals + n * size_t(encoder_.spec().globals));
        asked_++;
        leaves.push_back(std::move(leaf));
        if (leaves.back().path.empty()) break;  // the root itself: every other descent needs it first
    }
    return int(leaves.size());
}

template <int W> void PuctImpl<W>::apply_batch(int worker, int rows, const NetOutput &output) {
    if (worker < 0 || worker >= kMaxWorkers) throw std::invalid_argument("invalid worker");
    std::vector<Leaf> &leaves = batches_[size_t(worker)];
    if (rows != int(leaves.size())) throw std::invalid_argument("the outputs do not match the batch size");
    const size_t row = size_t(encoder_.spec().policy) * size_t(game_->stages[0].cells);
    // Decode before locking the tree: that is most of the work.
    std::vector<std::unique_ptr<NetEvaluation>> decoded;
    for (size_t i = 0; i < leaves.size(); i++)
        decoded.push_back(decode_output(leaves[i].cursor, leaves[i].symmetry, *game_, encoder_, options_,
                                        output.policy + i * row, output.swap ? output.swap + i : nullptr,
                                        output.value[i], output.margin + i * kMarginBins));
    Guard guard(mutex_);
    for (size_t i = 0; i < leaves.size(); i++) {
        evaluations_++;
        const NetEvaluation *kept = decoded[i].get();
        if (options_.cache) kept = cache_.add(leaves[i].cursor.hashes[leaves[i].symmetry], std::move(decoded[i]));
        expand_and_backup(leaves[i], *kept);
    }
    leaves.clear();
}

template <int W> void PuctImpl<W>::discard_batch(int worker) {
    if (worker < 0 || worker >= kMaxWorkers) throw std::invalid_argument("invalid worker");
    Guard guard(mutex_);
    for (const Leaf &leaf : batches_[size_t(worker)]) {
        undo_virtual_visits(leaf);
        asked_--;
        if (leaf.path.empty()) root_asked_ = false;
    }
    batches_[size_t(worker)].clear();
}

template <int W> void PuctImpl<W>::reset() {
    Guard guard(mutex_);
    for (const auto &leaves : batches_)
        if (!leaves.empty()) throw std::invalid_argument("a search is already running");
    tree_.clear();
    cache_.clear();
    root_ = 0;
    root_at_.reset();
}

// Returns the node of a position a few plies below the root, or 0 if the tree does not hold it.
template <int W> Arena::Ref PuctImpl<W>::find_reusable_root(const AnyPosition &any) const {
    if (!root_ || !root_at_) return 0;
    std::vector<uint16_t> before = root_history_, after = any.history();
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (!std::includes(after.begin(), after.end(), before.begin(), before.end())) return 0;
    std::vector<uint16_t> missing;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(missing));
    if (missing.size() > kMaxReusePlies) return 0;
    Arena::Ref best = 0;
    auto seek = [&](auto &self, Arena::Ref ref, const Position<W> &p) -> void {
        const PuctNode &node = *tree_.at(ref);
        if (size_t(p.ply()) == after.size()) {
            if (p.hash() == any.hash() && (!best || node.visits > tree_.at(best)->visits)) best = ref;
            return;
        }
        for (const PuctEdge &edge : node) {
            if (!edge.child || std::find(missing.begin(), missing.end(), edge.action) == missing.end()) continue;
            Position<W> next = p;
            next.play(edge.action);
            self(self, edge.child, next);
        }
    };
    seek(seek, root_, root_at_->position);
    return best;
}

template <int W> PuctInfo PuctImpl<W>::info() const {
    Guard guard(mutex_);
    PuctInfo info;
    info.playouts = playouts_;
    info.evaluations = evaluations_;
    info.cache_hits = cache_hits_;
    info.nodes = tree_.nodes();
    info.memory = tree_.used() + cache_.used();
    info.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (!root_) return info;
    describe(tree_, root_, info);
    return info;
}

namespace {

void check(const PuctOptions &options) {
    if (options.memory < Puct::kMinBytes) throw std::invalid_argument("memory: expected at least 4 MiB");
    if (uint64_t(options.memory) > Arena::kMaxBytes) throw std::invalid_argument("memory: expected at most 64 GiB");
    if (!(options.cpuct > 0) || !(options.cpuct_factor >= 0) || !(options.cpuct_base > 0))
        throw std::invalid_argument("cpuct and cpuct_base must be positive, cpuct_factor not negative");
    if (!(options.fpu_reduction >= 0 && options.fpu_reduction <= 1) || !(options.policy_temperature > 0))
        throw std::invalid_argument("fpu_reduction must be in 0 to 1, policy_temperature positive");
}

}  // namespace

std::unique_ptr<Puct> Puct::make(CompiledGamePtr game, NetEncoderSpec encoder, const PuctOptions &options) {
    check(options);
    return with_width(*game, [&](auto width) -> std::unique_ptr<Puct> {
        return std::make_unique<PuctImpl<width.value>>(game, std::move(encoder), options);
    });
}

}  // namespace taiji
