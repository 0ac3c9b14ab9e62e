#include "solver.hpp"

#include <chrono>

#include "solver_key.hpp"
#include "solver_table.hpp"

namespace taiji {
namespace {

using Clock = std::chrono::steady_clock;

struct Stopped {};  // thrown out of the recursion when time is up

constexpr uint16_t kNoMove = 0xFFFF;
constexpr int64_t kGainWeight = 4;  // of a point gained at once, in what the order of choices goes by
constexpr int kFewReplies = 20;    // choices above which those that leave few replies come first
constexpr int kSymmetryDepth = 8;  // positions with at least this many pieces to come are looked up in all images

struct Choice {
    int64_t rank;
    uint16_t action;
};

template <int W> class SolverOf final : public Solver {
public:
    SolverOf(SharedTables tables, int megabytes)
        : tables_(std::move(tables)), table_(size_t(megabytes) << 20), history_{std::vector<int64_t>(tables_->action_count, 0), std::vector<int64_t>(tables_->action_count, 0)},
          choices_(tables_->most_plies + 2) {
        for (const Stage &stage : tables_->stages) squares_a_piece(stage);
    }

    SolveResult solve(const Handle &handle, const SolveLimits &limits) override {
        const Position<W> &root = static_cast<const HandleOf<W> &>(handle).position();
        begin(limits);
        SolveResult result;
        try {
            int64_t value = limits.winner_only ? sign_of(root) : value_of(root);
            result.solved = true;
            if (!root.over()) find_best_moves(root, value, result.best);
            if (!limits.winner_only) find_line(root, value, result);
        } catch (Stopped) {
            int move = result.best.empty() ? remembered_move(root) : -1;
            if (move >= 0) result.best.push_back(move);
        }
        return finished(result);
    }

    SolveResult win(const Handle &handle, const SolveLimits &limits, const std::vector<int> &first) override {
        const Position<W> &root = static_cast<const HandleOf<W> &>(handle).position();
        begin(limits);
        const bool highest = root.mover() == 0;
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
        } catch (Stopped) {
        }
        return finished(result);
    }

private:
    void begin(const SolveLimits &limits) {
        if (limits.lead != lead_ || limits.equal_totals != equal_totals_) table_.clear();
        lead_ = limits.lead;
        equal_totals_ = limits.equal_totals;
        limits_ = limits;
        stop_ = false;
        nodes_ = 0;
        visited_ = 0;
        start_ = Clock::now();
        lower_ = -kInfinite;
        upper_ = kInfinite;
    }

    SolveResult finished(SolveResult &result) {
        nodes_ = visited_;
        result.lower = lower_;
        result.upper = upper_;
        result.nodes = visited_;
        result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(result);
    }

    // Narrows the value down by searches that each ask one question: is it at least this much?
    int64_t value_of(const Position<W> &root) {
        int64_t low = -kInfinite, high = kInfinite, guess = 1;
        while (low < high) {
            int64_t found = search(root, guess - 1, guess, 0);
            if (found >= guess) low = found;
            else high = found;
            lower_ = low;
            upper_ = high;
            guess = found >= guess ? found + 1 : found;
        }
        return low;
    }

    int64_t sign_of(const Position<W> &root) {
        if (search(root, 0, 1, 0) >= 1) return lower_ = 1, upper_ = kInfinite, 1;
        upper_ = 0;
        if (search(root, -1, 0, 0) >= 0) return lower_ = 0, 0;
        return lower_ = -kInfinite, upper_ = -1, -1;
    }

    void find_best_moves(const Position<W> &root, int64_t value, std::vector<int> &found) {
        bool highest = root.mover() == 0;
        if (!limits_.every_best) {  // the one that the search has just found, most likely
            int move = remembered_move(root);
            if (move >= 0 && holds(root, move, value, highest)) return found.push_back(move);
        }
        root.for_each_choice([&](int action) {
            if (!found.empty() && !limits_.every_best) return;
            if (holds(root, action, value, highest)) found.push_back(action);
        });
    }

    // Whether a move keeps the value of its position.
    bool holds(const Position<W> &p, int action, int64_t value, bool highest) {
        Position<W> next = p;
        next.play(action);
        if (highest) return search(next, value - 1, value, 1) >= value;
        return search(next, value, value + 1, 1) <= value;
    }

    // A line of best play; every step is proven by a search that the table mostly answers.
    void find_line(const Position<W> &root, int64_t value, SolveResult &result) {
        Position<W> p = root;
        while (!p.over()) {
            int chosen = result.line.empty() && !result.best.empty() ? result.best.front() : -1;
            bool highest = p.mover() == 0;
            if (chosen < 0) chosen = remembered_move(p);
            if (chosen >= 0 && !result.line.empty() && !holds(p, chosen, value, highest)) chosen = -1;
            p.for_each_choice([&](int action) {
                if (chosen < 0 && holds(p, action, value, highest)) chosen = action;
            });
            if (chosen < 0) return;
            result.line.push_back(chosen);
            p.play(chosen);
        }
    }

    // The move that looked best so far, or -1.
    int remembered_move(const Position<W> &p) {
        if (p.over()) return -1;
        Essence e;
        examine(p, e);
        SolverEntry *known = table_.find(e.key, e.check);
        return known && known->move != kNoMove && p.is_legal(known->move) ? known->move : -1;
    }

    int64_t final_value(const Position<W> &p) const {
        int64_t halves[2];
        p.scores(halves);
        halves[0] += lead_;
        int winner = halves[0] == halves[1] && equal_totals_ >= 0 ? equal_totals_ : p.winner(halves);
        return 3 * (halves[0] - halves[1]) + (winner == 0 ? 1 : winner == 1 ? -1 : 0);
    }

    void tick() {
        visited_++;
        if (visited_ % 1024) return;
        nodes_ = visited_;
        if (stop_ || (limits_.nodes && visited_ >= limits_.nodes)) throw Stopped{};
        if (limits_.seconds > 0 && Clock::now() - start_ > std::chrono::duration<double>(limits_.seconds)) throw Stopped{};
    }

    // A bound of the value, from the side of the first seat: exact inside the window, as far outside as was shown.
    int64_t search(const Position<W> &p, int64_t alpha, int64_t beta, int ply) {
        // Step 1: the end of the game.
        tick();
        if (p.over()) return final_value(p);

        // Step 2: what the position comes down to, and bounds that need no search.
        Essence e;
        int depth = examine(p, e);
        if (e.bounded) {
            auto [least, most] = reach(p, e);
            if (most <= alpha) return most;
            if (least >= beta) return least;
        }

        // Step 3: what is known of it.
        bool highest = p.mover() == 0;
        uint16_t known_move = kNoMove;
        if (SolverEntry *known = table_.find(e.key, e.check)) {
            if (known->lower >= beta) return known->lower;
            if (known->upper <= alpha) return known->upper;
            alpha = std::max(alpha, known->lower);
            beta = std::min(beta, known->upper);
            known_move = known->move;
        }

        // Step 4: every choice, the most promising first.
        std::vector<Choice> &choices = choices_[ply];
        choices.clear();
        std::vector<int64_t> &history = history_[p.to_move()];
        rank_choices(p, depth, known_move, history, choices);
        std::stable_sort(choices.begin(), choices.end(), [](Choice a, Choice b) { return a.rank > b.rank; });

        int64_t best = highest ? -kInfinite : kInfinite, low = alpha, high = beta;
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

        // Step 5: remember.
        SolverEntry &entry = table_.claim(e.key, e.check, depth);
        if (best > alpha) entry.lower = std::max(entry.lower, best);
        if (best < beta) entry.upper = std::min(entry.upper, best);
        if (best_move != kNoMove) entry.move = best_move;
        return best;
    }

    // Where pieces bind each other, what leaves few replies is soonest settled; else what has refuted before comes first.
    void rank_choices(const Position<W> &p, int depth, uint16_t known_move, const std::vector<int64_t> &history,
                      std::vector<Choice> &choices) const {
        const int64_t sign = p.to_move() == 0 ? kGainWeight : -kGainWeight;
        const bool by_replies = !p.rules().plain && p.choices() > kFewReplies;
        p.for_each_choice([&](int action) {
            int64_t rank = sign * p.gain(action);
            if (action == known_move) {
                rank = kInfinite;
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

    // Fills in the essence and returns how many pieces can at most still be placed in this stage.
    int examine(const Position<W> &p, Essence &e) const {
        const Stage &stage = p.rules();
        bool last = p.stage() + 1 == int(tables_->stages.size());
        Mask live = 0;
        const uint64_t *row = p.live();
        for (int w = 0; w < p.words(); w++)
            for (uint64_t left = row[w]; left; left &= left - 1) live |= stage.site_cells[w * 64 + std::countr_zero(left)];
        int depth = count(live) / least_[p.stage()];
        if (!last || !has_essence(stage)) {
            e.key = p.hash() * 0x9E3779B97F4A7C15u;
            e.check = p.hash();
            return depth;
        }
        const int gain[2] = {depth * most_[p.stage()][0], depth * most_[p.stage()][1]};
        find_essence(stage, p.light(), p.dark(), live, gain, e);
        if (depth >= kSymmetryDepth) fold_symmetries(p, live, gain, e);
        // Scores of finished stages, seats, the mover and who placed last change what a position is worth.
        int64_t halves[2];
        p.scores(halves);
        uint64_t banked = uint64_t(halves[0] - halves[1] - 2 * (e.score[int(p.swapped())] - e.score[1 ^ int(p.swapped())]));
        uint64_t rest = banked * 8 + uint64_t(p.mover()) * 4 + uint64_t(p.swapped()) * 2;
        e.key += rest * 0xBF58476D1CE4E5B9u;
        e.check += rest * 0x94D049BB133111EBu;
        return depth;
    }

    // Takes the least key of all images of a position: symmetric positions become one.
    void fold_symmetries(const Position<W> &p, Mask live, const int gain[2], Essence &e) const {
        for (size_t i = 1; i < tables_->cell_images.size(); i++) {
            const std::vector<int> &image = tables_->cell_images[i];
            Essence other;
            find_essence(p.rules(), moved(p.light(), image), moved(p.dark(), image), moved(live, image), gain, other);
            if (other.key < e.key) {
                e.key = other.key;
                e.check = other.check;
            }
        }
    }

    static Mask moved(Mask cells, const std::vector<int> &image) {
        Mask result = 0;
        for_each(cells, [&](int cell) { result |= bit(image[cell]); });
        return result;
    }

    // The least and the greatest value that the scores still allow.
    std::pair<int64_t, int64_t> reach(const Position<W> &p, const Essence &e) const {
        int64_t halves[2];
        p.scores(halves);
        int mine = int(p.swapped()), theirs = 1 ^ mine;
        int64_t now = halves[0] + lead_ - halves[1], bonus = p.rules().last_bonus;
        int64_t most = now + 2 * (e.most[mine] - e.score[mine]) + bonus;
        int64_t least = now - 2 * (e.most[theirs] - e.score[theirs]) - bonus;
        return {3 * least - 1, 3 * most + 1};
    }

    void squares_a_piece(const Stage &stage) {
        int least = kMostCells, light = 0, dark = 0;
        for (int a = stage.first_action; a < stage.first_action + stage.actions; a++) {
            const Action &action = tables_->actions[a];
            least = std::min(least, count(action.cells));
            light = std::max(light, count(action.light));
            dark = std::max(dark, count(action.dark));
        }
        least_.push_back(least);
        most_.push_back({light, dark});
    }

    SharedTables tables_;
    SolverTable table_;
    std::vector<int64_t> history_[2];  // by the colour that moves: how often and how early a move refuted
    std::vector<std::vector<Choice>> choices_;
    std::vector<int> least_;
    std::vector<std::array<int, 2>> most_;
    SolveLimits limits_;
    int64_t lead_ = 0;
    int equal_totals_ = -1;
    uint64_t visited_ = 0;
    Clock::time_point start_;
};

}  // namespace

std::unique_ptr<Solver> Solver::make(SharedTables tables, int megabytes) {
    return with_width(*tables, [&](auto width) -> std::unique_ptr<Solver> {
        return std::make_unique<SolverOf<decltype(width)::value>>(tables, megabytes);
    });
}

}  // namespace taiji
