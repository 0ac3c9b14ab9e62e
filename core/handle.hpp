// A position of any width behind one face: what Python holds. The search and the solver unwrap it once and then work on
// Position<W> itself.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "lookahead.hpp"
#include "playout.hpp"
#include "position.hpp"

namespace taiji {

using SharedTables = std::shared_ptr<const Tables>;

class IllegalAction : public std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// What a number of random playouts came to; wins by seat, then draws.
struct PlayoutTotals {
    uint64_t playouts = 0, plies = 0;
    uint64_t wins[3] = {0, 0, 0};
    int64_t margin = 0;  // half points of the first seat over the second, added up
    double seconds = 0;
};

class alignas(kAlignment) Handle {
public:
    explicit Handle(SharedTables tables) : tables_(std::move(tables)) {}
    virtual ~Handle() = default;
    static std::unique_ptr<Handle> start(SharedTables tables);

    const SharedTables &tables() const { return tables_; }
    // Every action that led here, in order.
    const std::vector<uint16_t> &history() const { return history_; }
    // Plays; throws IllegalAction where the rules forbid it.
    void play(int action) {
        if (!is_legal(action)) throw IllegalAction("action " + std::to_string(action) + " is not legal here");
        play_unchecked(action);
        history_.push_back(uint16_t(action));
    }

    virtual std::unique_ptr<Handle> clone() const = 0;
    virtual bool is_legal(int action) const = 0;
    virtual std::vector<int> legal() const = 0;  // sorted
    virtual bool over() const = 0;
    virtual bool can_swap() const = 0;
    virtual bool swapped() const = 0;
    virtual int stage() const = 0;
    virtual int mover() const = 0;
    virtual int to_move() const = 0;
    virtual int last() const = 0;
    virtual uint64_t hash() const = 0;
    virtual std::pair<int64_t, int64_t> scores() const = 0;
    virtual int winner() const = 0;  // a seat, or kNobody
    virtual Mask light() const = 0;
    virtual Mask dark() const = 0;
    virtual Mask covered() const = 0;
    virtual std::vector<int> supply() const = 0;
    virtual uint64_t perft(int depth) const = 0;
    // One random game to its end: the actions played.
    virtual std::vector<int> random_game(uint64_t seed) const = 0;
    // A move with the best score difference after so many plies, and that difference in half points.
    virtual std::pair<int, int64_t> look_ahead(int depth, uint64_t seed) const = 0;
    // Random games until there are enough or time is up, split over threads.
    virtual PlayoutTotals playouts(uint64_t number, double seconds, int threads, uint64_t seed) const = 0;

protected:
    Handle(const Handle &) = default;
    virtual void play_unchecked(int action) = 0;

private:
    SharedTables tables_;
    std::vector<uint16_t> history_;
};

template <int W> class HandleOf final : public Handle {
public:
    explicit HandleOf(SharedTables tables) : Handle(tables), position_(*this->tables()) {}

    const Position<W> &position() const { return position_; }

    std::unique_ptr<Handle> clone() const override { return std::make_unique<HandleOf>(*this); }
    bool is_legal(int action) const override { return position_.is_legal(action); }
    std::vector<int> legal() const override {
        std::vector<int> found;
        position_.for_each_choice([&](int action) { found.push_back(action); });
        std::sort(found.begin(), found.end());
        return found;
    }
    bool over() const override { return position_.over(); }
    bool can_swap() const override { return position_.can_swap(); }
    bool swapped() const override { return position_.swapped(); }
    int stage() const override { return position_.stage(); }
    int mover() const override { return position_.mover(); }
    int to_move() const override { return position_.to_move(); }
    int last() const override { return position_.last(); }
    uint64_t hash() const override { return position_.hash(); }
    std::pair<int64_t, int64_t> scores() const override {
        int64_t halves[2];
        position_.scores(halves);
        return {halves[0], halves[1]};
    }
    int winner() const override {
        int64_t halves[2];
        position_.scores(halves);
        return position_.over() ? position_.winner(halves) : kNobody;
    }
    Mask light() const override { return position_.light(); }
    Mask dark() const override { return position_.dark(); }
    Mask covered() const override { return position_.covered(); }
    std::vector<int> supply() const override {
        std::vector<int> left;
        for (size_t slot = 0; slot < position_.rules().supply.size(); slot++)
            left.push_back(position_.supply(int(slot)));
        return left;
    }
    uint64_t perft(int depth) const override { return perft_from(position_, depth); }
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
    PlayoutTotals playouts(uint64_t number, double seconds, int threads, uint64_t seed) const override;

private:
    void play_unchecked(int action) override { position_.play(action); }

    static uint64_t perft_from(const Position<W> &p, int depth) {
        if (depth == 0) return 1;
        if (depth == 1) return uint64_t(p.choices());
        uint64_t sum = 0;
        p.for_each_choice([&](int action) {
            Position<W> next = p;
            next.play(action);
            sum += perft_from(next, depth - 1);
        });
        return sum;
    }

    Position<W> position_;
};

}  // namespace taiji
