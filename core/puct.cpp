#include "puct.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "puct_cache.hpp"
#include "puct_reading.hpp"
#include "puct_report.hpp"
#include "puct_tree.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDeepestReuse = 4;         // plies between two positions of one game
constexpr uint64_t kIdle = 64;           // descents without work for the net between two looks at the clock
constexpr int kMostPending = 200;

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
    Clock::time_point began_, deadline_;
    std::atomic<bool> stop_{false};
    uint64_t playouts_ = 0, evaluations_ = 0, asked_ = 0, remembered_ = 0;
    mutable std::mutex mutex_;
};

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

// Goes down to a position that nobody has judged; what is known already is settled on the way.
template <int W> auto PuctOf<W>::descend(Leaf &leaf) -> Descent {
    Arena::Ref ref = root_;
    bool unknown = !root_;
    if (unknown && root_asked_) return Descent::Blocked;
    while (!unknown) {
        PuctNode &node = *tree_.at(ref);
        int chosen = select(node);
        PuctEdge &edge = node.begin()[chosen];
        if ((edge.pending && !edge.child) || node.pending > kMostPending) {
            unwind(leaf);
            return Descent::Blocked;
        }
        leaf.path.push_back({ref, chosen});
        node.pending++;
        edge.pending++;
        leaf.at.play(*tables_, edge.action);
        if (leaf.at.position.over()) {
            Value value = result_of(leaf.at.position);
            edge.proof = value.proof;
            settle(leaf, value);
            return Descent::Done;
        }
        if (edge.proof != Proof::None) {
            double mean = edge.visits ? edge.margin / edge.visits : 0;
            settle(leaf, {first_wins(edge.proof), mean, edge.proof});
            return Descent::Done;
        }
        ref = edge.child;
        unknown = !ref;
    }
    leaf.symmetry = leaf.at.canonical(*tables_);
    if (options_.cache)
        if (const Judgement *said = cache_.find(leaf.at.hashes[leaf.symmetry])) {
            remembered_++;
            enter(leaf, *said);
            return Descent::Done;
        }
    if (leaf.path.empty()) root_asked_ = true;
    return Descent::Leaf;
}

template <int W> int PuctOf<W>::select(const PuctNode &node) const {
    const double visits = double(node.visits + node.pending);
    const double weight = (options_.exploration + options_.growth * std::log1p(visits / options_.horizon)) *
                          std::sqrt(std::max(1.0, visits));
    const Proof lost = node.mover == 0 ? Proof::Second : Proof::First;
    const double own = node.visits ? node.sum / node.visits : 0.5;
    double seen = 0, best = -1e9;
    int chosen = -1;
    for (const PuctEdge &edge : node) {
        double n = double(edge.visits + edge.pending), score;
        if (edge.proof == lost) {
            if (chosen < 0 && best < -1e8) chosen = int(&edge - node.begin());  // where all is lost, any will do
            seen += edge.prior;
            continue;
        }
        if (n == 0) {
            // The likeliest of those not visited yet: no other of them can have a higher score.
            double first = std::max(0.0, own - options_.reduction * std::sqrt(seen));
            score = first + weight * edge.prior;
        } else {
            double value = edge.proof == Proof::None ? edge.sum / n
                           : edge.proof == Proof::Draw ? 0.5 : 1.0;
            score = value + weight * edge.prior / (1 + n);
            seen += edge.prior;
        }
        if (score > best) best = score, chosen = int(&edge - node.begin());
        if (n == 0) break;
    }
    return chosen;
}

template <int W> auto PuctOf<W>::result_of(const Position<W> &end) const -> Value {
    int64_t halves[2];
    end.scores(halves);
    double margin = double(halves[0] - halves[1]) / 2;
    int64_t total = halves[0] - halves[1] + objective_.lead;
    int winner = total ? (total > 0 ? 0 : 1) : objective_.equal_totals;
    if (objective_.equal_totals == Objective::kGameRule) {
        halves[0] += objective_.lead;
        winner = end.winner(halves);
    }
    Proof proof = proof_of(winner);
    return {first_wins(proof), margin, proof};
}

// The chance to win, or to win by enough where a lead is carried in.
template <int W> auto PuctOf<W>::value_of(const Position<W> &p, const Judgement &said) const -> Value {
    const int mover = p.mover();
    const bool plain = objective_.lead == 0 && objective_.equal_totals == Objective::kGameRule;
    const int half = kMargins / 2;
    double win = said.win, margin = 0, ahead = 0, level = 0;
    double lead = double(mover == 0 ? objective_.lead : -objective_.lead) / 2;
    for (int i = 0; i < kMargins; i++) {
        double points = i - half;
        margin += points * said.margins[i];
        if (points + lead > 0) ahead += said.margins[i];
        else if (points + lead == 0) level += said.margins[i];
    }
    if (!plain) {
        double share = 0.5;
        if (objective_.equal_totals == 0 || objective_.equal_totals == 1) share = objective_.equal_totals == mover;
        win = ahead + share * level;
    }
    return {mover == 0 ? win : 1 - win, mover == 0 ? margin : -margin};
}

template <int W> void PuctOf<W>::settle(const Leaf &leaf, const Value &value) {
    playouts_++;
    bool proving = value.proof != Proof::None;
    double first = value.first;
    for (size_t i = leaf.path.size(); i-- > 0;) {
        PuctNode &node = *tree_.at(leaf.path[i].node);
        PuctEdge &edge = node.begin()[leaf.path[i].edge];
        double own = node.mover == 0 ? first : 1 - first;
        node.visits++;
        node.sum += own;
        node.pending--;
        edge.visits++;
        edge.sum += own;
        edge.margin += value.margin;
        edge.pending--;
        proving = proving && node.conclude();
        if (proving && i > 0) {
            tree_.at(leaf.path[i - 1].node)->begin()[leaf.path[i - 1].edge].proof = node.proof;
            first = first_wins(node.proof);
        }
    }
}

template <int W> void PuctOf<W>::unwind(const Leaf &leaf) {
    for (const Step &step : leaf.path) {
        PuctNode &node = *tree_.at(step.node);
        node.pending--;
        node.begin()[step.edge].pending--;
    }
}

template <int W> Arena::Ref PuctOf<W>::expand(const Leaf &leaf, const Judgement &said) {
    // Back from the image that the net saw to the board as it lies.
    const std::vector<uint16_t> &back = back_[size_t(leaf.symmetry)];
    std::vector<PuctEdge> edges(said.choices.size());
    for (size_t i = 0; i < edges.size(); i++) {
        edges[i].action = back[said.choices[i].action];
        edges[i].prior = said.choices[i].prior;
    }
    return tree_.add(leaf.at.position.mover(), edges, said.complete);
}

template <int W> void PuctOf<W>::enter(const Leaf &leaf, const Judgement &said) {
    Value value = value_of(leaf.at.position, said);
    Arena::Ref ref = expand(leaf, said);
    if (ref) {
        PuctNode &node = *tree_.at(ref);
        node.visits = 1;
        node.sum = node.mover == 0 ? value.first : 1 - value.first;
        if (leaf.path.empty()) root_ = ref;
        else tree_.at(leaf.path.back().node)->begin()[leaf.path.back().edge].child = ref;
    }
    settle(leaf, value);
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
