// A position of any width behind one interface: the object that Python holds. The search and the solver unwrap it once
// and then work on Position<W> itself.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "interrupt.hpp"
#include "lookahead.hpp"
#include "playout.hpp"
#include "position.hpp"

namespace taiji {

using CompiledGamePtr = std::shared_ptr<const CompiledGame>;

class IllegalAction : public std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Totals of a number of random playouts; wins by seat, then draws.
struct PlayoutTotals {
    uint64_t playouts = 0, plies = 0;
    uint64_t wins[3] = {0, 0, 0};
    int64_t margin = 0;  // sum of the first seat's lead in half points
    double seconds = 0;
};

class alignas(kAlignment) AnyPosition {
public:
    explicit AnyPosition(CompiledGamePtr game) : game_(std::move(game)), history_(game_->opening) {}
    virtual ~AnyPosition() = default;
    static std::unique_ptr<AnyPosition> start(CompiledGamePtr game);

    const CompiledGamePtr &game() const { return game_; }
    // All actions played so far, in order, those of the opening first.
    const std::vector<uint16_t> &history() const { return history_; }
    // Plays an action; throws IllegalAction if the rules forbid it.
    void play(int action) {
        if (!is_legal(action))
            throw IllegalAction("action " + std::to_string(action) + " is not legal in this position");
        play_unchecked(action);
        history_.push_back(uint16_t(action));
    }

    // Sets up the placements of each stage, in any order, the opening's among them; their legality is not checked.
    // `komi_action` names the komi, or is -1.
    void restore(const std::vector<std::vector<int>> &placed, bool swapped, int komi_action) {
        restore_unchecked(placed, swapped, komi_action);
        const std::vector<uint16_t> &opening = game_->opening;
        history_ = opening;
        if (komi_action >= 0) history_.push_back(uint16_t(komi_action));
        for (const std::vector<int> &stage : placed)
            for (int action : stage)
                if (std::find(opening.begin(), opening.end(), action) == opening.end())
                    history_.push_back(uint16_t(action));
        if (swapped) history_.push_back(uint16_t(game_->swap_action));
    }

    virtual std::unique_ptr<AnyPosition> clone() const = 0;
    virtual bool is_legal(int action) const = 0;
    virtual std::vector<int> legal() const = 0;  // sorted
    virtual bool is_over() const = 0;
    virtual bool can_swap() const = 0;
    virtual bool must_name_komi() const = 0;
    virtual bool swapped() const = 0;
    virtual int stage_index() const = 0;
    virtual int seat_to_move() const = 0;
    virtual int colour_to_move() const = 0;
    virtual int last_seat() const = 0;
    virtual uint64_t hash() const = 0;
    virtual std::pair<int64_t, int64_t> scores() const = 0;
    virtual int winner() const = 0;  // a seat, or kNobody
    virtual Mask light() const = 0;
    virtual Mask dark() const = 0;
    virtual Mask covered() const = 0;
    virtual std::vector<int> supply() const = 0;
    virtual uint64_t perft(int depth) const = 0;
    // Plays one random game to its end and returns its actions.
    virtual std::vector<int> random_game(uint64_t seed) const = 0;
    // Plays random games with the seeds from `first_seed` on; returns a hash of all legal moves, scores and winners on
    // their way. Two builds of the core play by the same rules if their hashes are equal.
    uint64_t random_games_hash(uint64_t first_seed, uint64_t count) const;
    // Returns a move with the best score difference after `depth` plies, and that difference in half points.
    virtual std::pair<int, int64_t> look_ahead(int depth, uint64_t seed) const = 0;
    // Plays `count` random games, or as many as fit into `seconds`, split over threads.
    virtual PlayoutTotals playouts(uint64_t count, double seconds, int threads, uint64_t seed) const = 0;

protected:
    AnyPosition(const AnyPosition &) = default;
    virtual void play_unchecked(int action) = 0;
    virtual void restore_unchecked(const std::vector<std::vector<int>> &placed, bool swapped, int komi_action) = 0;

private:
    CompiledGamePtr game_;
    std::vector<uint16_t> history_;
};

template <int W> class PositionImpl final : public AnyPosition {
public:
    explicit PositionImpl(CompiledGamePtr game) : AnyPosition(game), position_(*this->game()) {}

    const Position<W> &position() const { return position_; }

    std::unique_ptr<AnyPosition> clone() const override { return std::make_unique<PositionImpl>(*this); }
    bool is_legal(int action) const override { return position_.is_legal(action); }
    std::vector<int> legal() const override {
        std::vector<int> actions;
        position_.for_each_choice([&](int action) { actions.push_back(action); });
        std::sort(actions.begin(), actions.end());
        return actions;
    }
    bool is_over() const override { return position_.is_over(); }
    bool can_swap() const override { return position_.can_swap(); }
    bool must_name_komi() const override { return position_.must_name_komi(); }
    bool swapped() const override { return position_.swapped(); }
    int stage_index() const override { return position_.stage_index(); }
    int seat_to_move() const override { return position_.seat_to_move(); }
    int colour_to_move() const override { return position_.colour_to_move(); }
    int last_seat() const override { return position_.last_seat(); }
    uint64_t hash() const override { return position_.hash(); }
    std::pair<int64_t, int64_t> scores() const override {
        int64_t half_points[2];
        position_.scores(half_points);
        return {half_points[0], half_points[1]};
    }
    int winner() const override {
        int64_t half_points[2];
        position_.scores(half_points);
        return position_.is_over() ? position_.winner(half_points) : kNobody;
    }
    Mask light() const override { return position_.light(); }
    Mask dark() const override { return position_.dark(); }
    Mask covered() const override { return position_.covered(); }
    std::vector<int> supply() const override {
        std::vector<int> left;
        for (size_t slot = 0; slot < position_.current_stage().supply.size(); slot++)
            left.push_back(position_.supply(int(slot)));
        return left;
    }
    uint64_t perft(int depth) const override {
        InterruptPoll poll;
        return perft_from(position_, depth, poll);
    }
    std::vector<int> random_game(uint64_t seed) const override {
        Random random(seed);
        Trace trace;
        Position<W> copy = position_;
        Playout<W>::run(copy, random, trace);
        return {trace.actions.begin(), trace.actions.begin() + trace.length};
    }
    std::pair<int, int64_t> look_ahead(int depth, uint64_t seed) const override {
        int64_t margin = 0;
        int action = Lookahead<W>::choose(position_, depth, seed, margin);
        return {action, margin};
    }
    PlayoutTotals playouts(uint64_t count, double seconds, int threads, uint64_t seed) const override;

private:
    void play_unchecked(int action) override { position_.play(action); }
    void restore_unchecked(const std::vector<std::vector<int>> &placed, bool swapped, int komi_action) override {
        position_ = Position<W>(*game(), false);
        position_.restore(placed, swapped, komi_action);
    }

    static uint64_t perft_from(const Position<W> &p, int depth, InterruptPoll &poll) {
        if (depth == 0) return 1;
        if (depth == 1) return uint64_t(p.choices());
        poll();
        uint64_t sum = 0;
        p.for_each_choice([&](int action) {
            Position<W> next = p;
            next.play(action);
            sum += perft_from(next, depth - 1, poll);
        });
        return sum;
    }

    Position<W> position_;
};

}  // namespace taiji
