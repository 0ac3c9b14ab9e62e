#include "puct.hpp"

#include "puct_report.hpp"
#include "puct_walk.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDeepestReuse = 4;         // plies between two positions of one game
constexpr uint64_t kIdle = 64;           // descents without work for the net between two looks at the clock

}  // namespace

template <int W> Traveller<W> PuctOf<W>::traveller(const Handle &handle) const {
    if (handle.tables().get() != tables_.get()) throw std::invalid_argument("a position of another game");
    Traveller<W> found(static_cast<const HandleOf<W> &>(handle).position());
    for (uint16_t action : handle.history()) found.note(*tables_, action);
    return found;
}

template <int W> void PuctOf<W>::see(const Handle &handle, int symmetry, float *planes, float *numbers) const {
    if (symmetry < 0 || symmetry >= int(tables_->images.size())) throw std::invalid_argument("no such symmetry");
    Traveller<W> at = traveller(handle);
    view_.see(at.position, at.kinds, symmetry, planes, numbers);
}

template <int W> void PuctOf<W>::start(const Handle &handle, const PuctLimits &limits, const Objective &objective) {
    if (handle.over()) throw std::invalid_argument("the game is over: there is nothing to search");
    std::lock_guard guard(mutex_);
    for (const auto &leaves : slots_)
        if (!leaves.empty()) throw std::invalid_argument("a search is under way");
    began_ = Clock::now();
    Traveller<W> at = traveller(handle);
    bool same_aim = objective.lead == objective_.lead && objective.equal_totals == objective_.equal_totals;
    Arena::Ref found = options_.reuse && same_aim ? find_again(handle) : 0;
    if (found) root_ = tree_.keep(found);
    else tree_.clear(), root_ = 0;
    root_at_ = at;
    root_history_ = handle.history();
    root_asked_ = false;
    objective_ = objective;
    limits_ = limits;
    deadline_ = Clock::time_point::max();
    if (limits.seconds > 0)
        deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    playouts_ = evaluations_ = asked_ = remembered_ = 0;
    stop_.store(false);
}

template <int W> bool PuctOf<W>::finished() const {
    // However late it is, the root is judged, so that there is a move to choose.
    if (!root_) return false;
    if (tree_.at(root_)->proof != Proof::None) return true;
    if (playouts_ == 0 && tree_.at(root_)->visits < 2) return false;
    if (stop_.load(std::memory_order_relaxed)) return true;
    if (limits_.playouts && playouts_ + (asked_ - evaluations_) >= limits_.playouts) return true;
    if (limits_.evaluations && (asked_ >= limits_.evaluations || playouts_ >= 64 * limits_.evaluations)) return true;
    return Clock::now() >= deadline_;
}

template <int W> int PuctOf<W>::gather(int slot, int most, float *planes, float *numbers) {
    if (slot < 0 || slot >= kMostSlots || most < 1 || most > kMostBatch)
        throw std::invalid_argument("no such slot, or too large a batch");
    std::lock_guard guard(mutex_);
    std::vector<Leaf> &leaves = slots_[size_t(slot)];
    if (!leaves.empty()) throw std::invalid_argument("the last batch of this slot is still to be judged");
    if (!root_at_) return -1;
    for (uint64_t idle = 0; int(leaves.size()) < most && idle < kIdle; idle++) {
        if (finished()) return leaves.empty() ? -1 : int(leaves.size());
        Leaf leaf(*root_at_);
        Descent what = descend(leaf);
        if (what == Descent::Blocked) break;
        if (what == Descent::Done) continue;
        size_t n = leaves.size();
        view_.see(leaf.at.position, leaf.at.kinds, leaf.symmetry, planes + n * view_.plane_floats(),
                  numbers + n * size_t(view_.spec().globals));
        asked_++;
        leaves.push_back(std::move(leaf));
        if (leaves.back().path.empty()) break;  // the root itself: all else waits for it
    }
    return int(leaves.size());
}

template <int W> void PuctOf<W>::apply(int slot, int rows, const NetSays &says) {
    if (slot < 0 || slot >= kMostSlots) throw std::invalid_argument("no such slot");
    std::vector<Leaf> &leaves = slots_[size_t(slot)];
    if (rows != int(leaves.size())) throw std::invalid_argument("the net judged another number of positions");
    const size_t row = size_t(view_.spec().policy) * size_t(tables_->stages[0].cells);
    // What the net said is read before the tree is locked: that is most of the work.
    std::vector<std::unique_ptr<Judgement>> said;
    for (size_t i = 0; i < leaves.size(); i++)
        said.push_back(read_judgement(leaves[i].at, leaves[i].symmetry, *tables_, view_, options_, says.policy + i * row,
                                      says.swap ? says.swap + i : nullptr, says.value[i], says.margin + i * kMargins));
    std::lock_guard guard(mutex_);
    for (size_t i = 0; i < leaves.size(); i++) {
        evaluations_++;
        const Judgement *kept = said[i].get();
        if (options_.cache) kept = cache_.add(leaves[i].at.hashes[leaves[i].symmetry], std::move(said[i]));
        enter(leaves[i], *kept);
    }
    leaves.clear();
}

template <int W> void PuctOf<W>::drop(int slot) {
    if (slot < 0 || slot >= kMostSlots) throw std::invalid_argument("no such slot");
    std::lock_guard guard(mutex_);
    for (const Leaf &leaf : slots_[size_t(slot)]) {
        unwind(leaf);
        asked_--;
        if (leaf.path.empty()) root_asked_ = false;
    }
    slots_[size_t(slot)].clear();
}

template <int W> void PuctOf<W>::reset() {
    std::lock_guard guard(mutex_);
    for (const auto &leaves : slots_)
        if (!leaves.empty()) throw std::invalid_argument("a search is under way");
    tree_.clear();
    cache_.clear();
    root_ = 0;
    root_at_.reset();
}

// The node of a position that follows the root by a few plies, if the tree has it.
template <int W> Arena::Ref PuctOf<W>::find_again(const Handle &handle) const {
    if (!root_ || !root_at_) return 0;
    std::vector<uint16_t> before = root_history_, after = handle.history();
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (!std::includes(after.begin(), after.end(), before.begin(), before.end())) return 0;
    std::vector<uint16_t> missing;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(missing));
    if (missing.size() > kDeepestReuse) return 0;
    Arena::Ref best = 0;
    auto seek = [&](auto &self, Arena::Ref ref, const Position<W> &p) -> void {
        const PuctNode &node = *tree_.at(ref);
        if (size_t(p.ply()) == after.size()) {
            if (p.hash() == handle.hash() && (!best || node.visits > tree_.at(best)->visits)) best = ref;
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

template <int W> PuctInfo PuctOf<W>::info() const {
    std::lock_guard guard(mutex_);
    PuctInfo info;
    info.playouts = playouts_;
    info.evaluations = evaluations_;
    info.remembered = remembered_;
    info.nodes = tree_.nodes();
    info.memory = tree_.used() + cache_.used();
    info.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (!root_) return info;
    describe(tree_, root_, info);
    return info;
}

namespace {

void check(const PuctOptions &options) {
    if (options.memory < Puct::kSmallest) throw std::invalid_argument("memory: the tree needs at least 4 MiB");
    if (options.memory > Arena::kMost) throw std::invalid_argument("memory: the tree takes at most 64 GiB");
    if (!(options.exploration > 0) || !(options.growth >= 0) || !(options.horizon > 0))
        throw std::invalid_argument("exploration and horizon are above 0, growth is not negative");
    if (!(options.reduction >= 0 && options.reduction <= 1) || !(options.temperature > 0))
        throw std::invalid_argument("reduction is between 0 and 1, temperature above 0");
}

}  // namespace

std::unique_ptr<Puct> Puct::make(SharedTables tables, NetViewSpec view, const PuctOptions &options) {
    check(options);
    return with_width(*tables, [&](auto width) -> std::unique_ptr<Puct> {
        return std::make_unique<PuctOf<width.value>>(tables, std::move(view), options);
    });
}

}  // namespace taiji
