#include "solver.hpp"

#include <chrono>

#include "interrupt.hpp"
#include "reduced_state.hpp"
#include "transposition_table.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

struct Stopped : std::exception {};  // thrown out of the recursion at a limit

constexpr uint16_t kNoMove = 0xFFFF;
constexpr int64_t kGainWeight = 4;       // weight of an immediate point in move ordering
constexpr int kReplyOrderingLimit = 20;  // above this many choices, order by the number of replies
constexpr int kSymmetryDepth = 8;        // minimum pieces to come for symmetry reduction

struct Choice {
    int64_t rank;
    uint16_t action;
};

template <int W> class SolverImpl final : public Solver {
public:
    SolverImpl(CompiledGamePtr game, int megabytes)
        : game_(std::move(game)), table_(size_t(megabytes) << 20),
          history_{std::vector<int64_t>(game_->action_count, 0), std::vector<int64_t>(game_->action_count, 0)},
          choices_(game_->max_plies + 2) {
        for (const Stage &stage : game_->stages) measure_pieces(stage);
    }

    SolveResult solve(const AnyPosition &any, const SolveLimits &limits) override {
        const Position<W> &root = static_cast<const PositionImpl<W> &>(any).position();
        begin(limits);
        SolveResult result;
        try {
            int64_t value = limits.winner_only ? sign_of(root) : value_of(root);
            result.solved = true;
            if (!root.is_over()) find_best_moves(root, value, result.best);
            if (!limits.winner_only) find_pv(root, value, result);
        } catch (const Stopped &) {
            int move = result.best.empty() ? stored_move(root) : -1;
            if (move >= 0) result.best.push_back(move);
        }
        return finished(result);
    }

    SolveResult find_win(const AnyPosition &any, const SolveLimits &limits, const std::vector<int> &first) override {
        const Position<W> &root = static_cast<const PositionImpl<W> &>(any).position();
        begin(limits);
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

private:
    void begin(const SolveLimits &limits) {
        if (limits.lead != lead_ || limits.tie_winner != tie_winner_) table_.clear();
        lead_ = limits.lead;
        tie_winner_ = limits.tie_winner;
        limits_ = limits;
        stop_ = false;
        nodes_ = 0;
        visited_ = 0;
        start_ = Clock::now();
        lower_ = -kInfinity;
        upper_ = kInfinity;
    }

    SolveResult finished(SolveResult &result) {
        nodes_ = visited_;
        result.lower = lower_;
        result.upper = upper_;
        result.nodes = visited_;
        result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(result);
    }

    // Narrows the value down by null-window searches.
    int64_t value_of(const Position<W> &root) {
        int64_t low = -kInfinity, high = kInfinity, guess = 1;
        while (low < high) {
            int64_t value = search(root, guess - 1, guess, 0);
            if (value >= guess) low = value;
            else high = value;
            lower_ = low;
            upper_ = high;
            guess = value >= guess ? value + 1 : value;
        }
        return low;
    }

    int64_t sign_of(const Position<W> &root) {
        if (search(root, 0, 1, 0) >= 1) return lower_ = 1, upper_ = kInfinity, 1;
        upper_ = 0;
        if (search(root, -1, 0, 0) >= 0) return lower_ = 0, 0;
        return lower_ = -kInfinity, upper_ = -1, -1;
    }

    void find_best_moves(const Position<W> &root, int64_t value, std::vector<int> &best) {
        bool highest = root.seat_to_move() == 0;
        if (!limits_.all_best) {  // most likely the move that the search has just found
            int move = stored_move(root);
            if (move >= 0 && holds(root, move, value, highest)) return best.push_back(move);
        }
        root.for_each_choice([&](int action) {
            if (!best.empty() && !limits_.all_best) return;
            if (holds(root, action, value, highest)) best.push_back(action);
        });
    }

    // Returns whether a move keeps the value of its position.
    bool holds(const Position<W> &p, int action, int64_t value, bool highest) {
        Position<W> next = p;
        next.play(action);
        if (highest) return search(next, value - 1, value, 1) >= value;
        return search(next, value, value + 1, 1) <= value;
    }

    // Finds the principal variation; each step is proven by a search that mostly hits the table.
    void find_pv(const Position<W> &root, int64_t value, SolveResult &result) {
        Position<W> p = root;
        while (!p.is_over()) {
            int chosen = result.pv.empty() && !result.best.empty() ? result.best.front() : -1;
            bool highest = p.seat_to_move() == 0;
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
        ReducedState e;
        examine(p, e);
        TTEntry *known = table_.find(e.key, e.verification_hash);
        return known && known->move != kNoMove && p.is_legal(known->move) ? known->move : -1;
    }

    int64_t final_value(const Position<W> &p) const {
        int64_t half_points[2];
        p.scores(half_points);
        half_points[0] += lead_;
        int winner = half_points[0] == half_points[1] && tie_winner_ >= 0 ? tie_winner_ : p.winner(half_points);
        return 3 * (half_points[0] - half_points[1]) + (winner == 0 ? 1 : winner == 1 ? -1 : 0);
    }

    void tick() {
        visited_++;
        if (visited_ % 1024) return;
        nodes_ = visited_;
        if (stop_ || (limits_.nodes && visited_ >= limits_.nodes)) throw Stopped{};
        poll_();
        if (limits_.seconds > 0 && Clock::now() - start_ > std::chrono::duration<double>(limits_.seconds))
            throw Stopped{};
    }

    // Fail-soft alpha-beta: returns the first seat's value if inside the window, else a bound.
    int64_t search(const Position<W> &p, int64_t alpha, int64_t beta, int ply) {
        // Step 1: end of the game.
        tick();
        if (p.is_over()) return final_value(p);

        // Step 2: reduce the position; cut off by static bounds.
        ReducedState e;
        int depth = examine(p, e);
        if (e.bounded) {
            auto [least, most] = score_bounds(p, e);
            if (most <= alpha) return most;
            if (least >= beta) return least;
        }

        // Step 3: probe the transposition table.
        bool highest = p.seat_to_move() == 0;
        uint16_t known_move = kNoMove;
        if (TTEntry *known = table_.find(e.key, e.verification_hash)) {
            if (known->lower >= beta) return known->lower;
            if (known->upper <= alpha) return known->upper;
            alpha = std::max(alpha, known->lower);
            beta = std::min(beta, known->upper);
            known_move = known->move;
        }

        // Step 4: search every choice in order of rank.
        std::vector<Choice> &choices = choices_[ply];
        choices.clear();
        std::vector<int64_t> &history = history_[p.colour_to_move()];
        rank_choices(p, depth, known_move, history, choices);
        std::stable_sort(choices.begin(), choices.end(), [](Choice a, Choice b) { return a.rank > b.rank; });

        int64_t best = highest ? -kInfinity : kInfinity, low = alpha, high = beta;
        uint16_t best_move = kNoMove;
        for (size_t i = 0; i < choices.size(); i++) {
            uint16_t action = choices[i].action;
            Position<W> next = p;
            next.play(action);
            int64_t value = search(next, low, high, ply + 1);
            if (highest ? value > best : value < best) {
                best = value;
                best_move = action;
            }
            if (highest) low = std::max(low, value);
            else high = std::min(high, value);
            if (low >= high) {
                history[action] += int64_t(depth) * depth;
                break;
            }
        }

        // Step 5: store the result.
        TTEntry &entry = table_.find_or_replace(e.key, e.verification_hash, depth);
        if (best > alpha) entry.lower = std::max(entry.lower, best);
        if (best < beta) entry.upper = std::min(entry.upper, best);
        if (best_move != kNoMove) entry.move = best_move;
        return best;
    }

    // Move ordering: fewest replies first if there are other constraints than overlap, else the history heuristic.
    void rank_choices(const Position<W> &p, int depth, uint16_t known_move, const std::vector<int64_t> &history,
                      std::vector<Choice> &choices) const {
        const int64_t sign = p.colour_to_move() == 0 ? kGainWeight : -kGainWeight;
        const bool by_replies = !p.current_stage().overlap_only && p.choices() > kReplyOrderingLimit;
        p.for_each_choice([&](int action) {
            int64_t rank = sign * p.gain(action);
            if (action == known_move) {
                rank = kInfinity;
            } else if (by_replies) {
                Position<W> next = p;
                next.play(action);
                rank -= next.choices();
            } else {
                rank = rank * depth * depth + history[action];
            }
            choices.push_back({rank, uint16_t(action)});
        });
    }

    // Reduces the position and returns an upper bound on the pieces that can still be placed in this stage.
    int examine(const Position<W> &p, ReducedState &e) const {
        const Stage &stage = p.current_stage();
        bool last = p.stage_index() + 1 == int(game_->stages.size());
        Mask live = 0;
        const uint64_t *row = p.live();
        for (int w = 0; w < p.words(); w++)
            for (uint64_t left = row[w]; left; left &= left - 1)
                live |= stage.site_cells[w * 64 + std::countr_zero(left)];
        int depth = count(live) / least_[p.stage_index()];
        if (!last || !is_reducible(stage)) {
            e.key = p.hash() * 0x9E3779B97F4A7C15u;
            e.verification_hash = p.hash();
            return depth;
        }
        const int gain[2] = {depth * most_[p.stage_index()][0], depth * most_[p.stage_index()][1]};
        reduce_state(stage, p.light(), p.dark(), live, gain, e);
        if (depth >= kSymmetryDepth) fold_symmetries(p, live, gain, e);
        // The value also depends on banked scores, the seats and the seat to move.
        int64_t half_points[2];
        p.scores(half_points);
        uint64_t banked =
            uint64_t(half_points[0] - half_points[1] - 2 * (e.score[int(p.swapped())] - e.score[1 ^ int(p.swapped())]));
        uint64_t rest = banked * 8 + uint64_t(p.seat_to_move()) * 4 + uint64_t(p.swapped()) * 2;
        e.key += rest * 0xBF58476D1CE4E5B9u;
        e.verification_hash += rest * 0x94D049BB133111EBu;
        return depth;
    }

    // Takes the smallest key of all symmetric images, so that they share one entry.
    void fold_symmetries(const Position<W> &p, Mask live, const int gain[2], ReducedState &e) const {
        for (size_t i = 1; i < game_->cell_images.size(); i++) {
            const std::vector<int> &image = game_->cell_images[i];
            ReducedState other;
            reduce_state(p.current_stage(), moved(p.light(), image), moved(p.dark(), image), moved(live, image), gain,
                         other);
            if (other.key < e.key) {
                e.key = other.key;
                e.verification_hash = other.verification_hash;
            }
        }
    }

    static Mask moved(Mask cells, const std::vector<int> &image) {
        Mask result = 0;
        for_each(cells, [&](int cell) { result |= bit(image[cell]); });
        return result;
    }

    // Returns bounds of the value from bounds of the scores.
    std::pair<int64_t, int64_t> score_bounds(const Position<W> &p, const ReducedState &e) const {
        int64_t half_points[2];
        p.scores(half_points);
        int mine = int(p.swapped()), theirs = 1 ^ mine;
        int64_t now = half_points[0] + lead_ - half_points[1], bonus = p.current_stage().last_bonus;
        int64_t most = now + 2 * (e.most[mine] - e.score[mine]) + bonus;
        int64_t least = now - 2 * (e.most[theirs] - e.score[theirs]) - bonus;
        return {3 * least - 1, 3 * most + 1};
    }

    void measure_pieces(const Stage &stage) {
        int least = kMaxCells, light = 0, dark = 0;
        for (int a = stage.first_action; a < stage.first_action + stage.actions; a++) {
            const Action &action = game_->actions[a];
            least = std::min(least, count(action.cells));
            light = std::max(light, count(action.light));
            dark = std::max(dark, count(action.dark));
        }
        least_.push_back(least);
        most_.push_back({light, dark});
    }

    CompiledGamePtr game_;
    TranspositionTable table_;
    std::vector<int64_t> history_[2];  // history heuristic by colour to move: cutoffs, weighted by depth
    std::vector<std::vector<Choice>> choices_;
    std::vector<int> least_;
    std::vector<std::array<int, 2>> most_;
    SolveLimits limits_;
    int64_t lead_ = 0;
    int tie_winner_ = -1;
    uint64_t visited_ = 0;
    InterruptPoll poll_;
    Clock::time_point start_;
};

}  // namespace

std::unique_ptr<Solver> Solver::make(CompiledGamePtr game, int megabytes) {
    return with_width(*game, [&](auto width) -> std::unique_ptr<Solver> {
        return std::make_unique<SolverImpl<decltype(width)::value>>(game, megabytes);
    });
}

}  // namespace taiji
