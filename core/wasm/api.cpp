// The engine of the page: a C interface for web/src/engine/core.ts. Arguments that are not numbers are written to
// `input`, results are read from `results`. A call that fails returns 0 (a new object) or -1, and `error_kind` and
// `error_text` say why.

#include "descriptions.hpp"
#include "net_worker.hpp"
#include "search.hpp"
#include "solver.hpp"

#define TAIJI_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace taiji {
namespace {

enum ErrorKind { kNone, kInvalid, kMemory, kOther };

std::vector<uint8_t> input_bytes;
std::vector<double> result_numbers;
std::string failure;
int failure_kind = kNone;

struct Net {
    std::shared_ptr<const ConvNet> net;
};

struct Neural {
    std::unique_ptr<Puct> search;
    std::unique_ptr<NetWorker> worker;
};

Reader input_reader(int bytes) {
    if (bytes < 0 || size_t(bytes) > input_bytes.size()) throw std::invalid_argument("input: invalid length");
    return Reader(input_bytes.data(), size_t(bytes));
}

void fail(int kind, const char *text) {
    failure_kind = kind;
    failure = text;
}

// Calls f; returns its result, or `failed` after an exception.
template <class F, class T> T guarded(T failed, F &&f) {
    failure_kind = kNone;
    try {
        return f();
    } catch (const std::bad_alloc &) {
        fail(kMemory, "not enough memory");
    } catch (const std::length_error &) {
        fail(kMemory, "not enough memory");
    } catch (const std::invalid_argument &error) {
        fail(kInvalid, error.what());
    } catch (const std::exception &error) {
        fail(kOther, error.what());
    } catch (...) {
        fail(kOther, "an unknown error");
    }
    return failed;
}

template <class F> int done(F &&f) {
    return guarded(-1, [&] {
        result_numbers.clear();
        f();
        return 0;
    });
}

void push(double number) { result_numbers.push_back(number); }

void push_list(const std::vector<int> &numbers) {
    push(double(numbers.size()));
    for (int number : numbers) push(number);
}

void push_search(const SearchInfo &info) {
    for (double number :
         {double(info.playouts), double(info.nodes), info.seconds, info.win_prob, info.margin, double(info.memory)})
        push(number);
    push_list(info.pv);
    push(double(info.moves.size()));
    for (const MoveInfo &move : info.moves)
        for (double number : {double(move.action), double(move.visits), move.win_prob, move.margin}) push(number);
}

void push_solution(const SolveResult &result) {
    for (double number :
         {double(result.solved), double(result.lower), double(result.upper), double(result.nodes), result.seconds})
        push(number);
    push_list(result.best);
    push_list(result.pv);
    push_list(result.refuted);
}

}  // namespace

TAIJI_EXPORT(input) uint8_t *input(int bytes) {
    return guarded(static_cast<uint8_t *>(nullptr), [&] {
        input_bytes.resize(size_t(std::max(bytes, 0)));
        return input_bytes.data();
    });
}
TAIJI_EXPORT(input_free) void input_free() { input_bytes = {}; }
TAIJI_EXPORT(results) const double *results() { return result_numbers.data(); }
TAIJI_EXPORT(result_count) int result_count() { return int(result_numbers.size()); }
TAIJI_EXPORT(error_kind) int error_kind() { return failure_kind; }
TAIJI_EXPORT(error_text) const char *error_text() { return failure.c_str(); }
TAIJI_EXPORT(backend_name) const char *backend_name() { return simd_backend().name; }

// --- games and positions

TAIJI_EXPORT(game_new) CompiledGamePtr *game_new(int bytes) {
    return guarded(static_cast<CompiledGamePtr *>(nullptr),
                   [&] { return new CompiledGamePtr(read_game(input_reader(bytes))); });
}
TAIJI_EXPORT(game_free) void game_free(CompiledGamePtr *game) { delete game; }

TAIJI_EXPORT(position_new) AnyPosition *position_new(CompiledGamePtr *game, int bytes) {
    return guarded(static_cast<AnyPosition *>(nullptr),
                   [&] { return read_position(input_reader(bytes), *game).release(); });
}
TAIJI_EXPORT(position_free) void position_free(AnyPosition *position) { delete position; }
TAIJI_EXPORT(position_play) int position_play(AnyPosition *position, int action) {
    return done([&] { position->play(action); });
}
TAIJI_EXPORT(position_legal) int position_legal(AnyPosition *position) {
    return done([&] { push_list(position->legal()); });
}
TAIJI_EXPORT(position_info) int position_info(AnyPosition *position) {
    return done([&] {
        const auto [first, second] = position->scores();
        for (double number : {double(position->is_over()), double(position->seat_to_move()), double(first),
                              double(second), double(position->winner()), double(position->stage_index())})
            push(number);
    });
}
TAIJI_EXPORT(position_random_game) int position_random_game(AnyPosition *position, double seed) {
    return done([&] { push_list(position->random_game(uint64_t(seed))); });
}
TAIJI_EXPORT(position_random_games_hash)
int position_random_games_hash(AnyPosition *position, double first_seed, double count) {
    return done([&] {
        const uint64_t hash = position->random_games_hash(uint64_t(first_seed), uint64_t(count));
        push(double(hash >> 32));
        push(double(hash & 0xFFFFFFFF));
    });
}
TAIJI_EXPORT(position_look_ahead)
int position_look_ahead(AnyPosition *position, int depth, double seed_low, double seed_high) {
    return done([&] {
        const uint64_t seed = uint64_t(seed_high) << 32 | uint64_t(seed_low);
        const auto [action, half_points] = position->look_ahead(depth, seed);
        push(action);
        push(double(half_points));
    });
}
TAIJI_EXPORT(position_playouts)
int position_playouts(AnyPosition *position, double count, double seconds, double seed) {
    return done([&] {
        const PlayoutTotals totals = position->playouts(uint64_t(count), seconds, 1, uint64_t(seed));
        for (double number : {double(totals.playouts), double(totals.plies), double(totals.wins[0]),
                              double(totals.wins[1]), double(totals.wins[2]), double(totals.margin), totals.seconds})
            push(number);
    });
}

// --- the tree search

TAIJI_EXPORT(search_new) Search *search_new(CompiledGamePtr *game, int bytes) {
    return guarded(static_cast<Search *>(nullptr),
                   [&] { return Search::make(*game, read_search_options(input_reader(bytes))).release(); });
}
TAIJI_EXPORT(search_free) void search_free(Search *search) { delete search; }
TAIJI_EXPORT(search_start)
int search_start(Search *search, AnyPosition *position, double playouts, double seconds, double lead, int tie_winner) {
    return done([&] { search->start(*position, {uint64_t(playouts), seconds}, {int64_t(lead), tie_winner}); });
}
// Searches for up to `seconds`; returns 1 once the search has ended.
TAIJI_EXPORT(search_step) int search_step(Search *search, double seconds) {
    return guarded(-1, [&] { return int(search->wait(seconds)); });
}
TAIJI_EXPORT(search_stop) void search_stop(Search *search) { search->stop(); }
TAIJI_EXPORT(search_info) int search_info(Search *search) {
    return done([&] { push_search(search->info()); });
}
TAIJI_EXPORT(search_reset) int search_reset(Search *search) {
    return done([&] { search->reset(); });
}

// --- the solver

TAIJI_EXPORT(solver_new) Solver *solver_new(CompiledGamePtr *game, int mebibytes) {
    return guarded(static_cast<Solver *>(nullptr), [&] { return Solver::make(*game, mebibytes, 1).release(); });
}
TAIJI_EXPORT(solver_free) void solver_free(Solver *solver) { delete solver; }
TAIJI_EXPORT(solver_solve)
int solver_solve(Solver *solver, AnyPosition *position, double seconds, double nodes, double lead, int tie_winner,
                 int all_best, int winner_only) {
    return done([&] {
        push_solution(solver->solve(
            *position, {seconds, uint64_t(nodes), int64_t(lead), tie_winner, all_best != 0, winner_only != 0}));
    });
}
// Returns 1 more than the move, or 0.
TAIJI_EXPORT(solver_mirror_win)
int solver_mirror_win(Solver *solver, AnyPosition *position, double lead, int tie_winner) {
    return guarded(-1, [&] { return 1 + solver->mirror_win(*position, int64_t(lead), tie_winner); });
}
// The moves to try first are in the input.
TAIJI_EXPORT(solver_find_win)
int solver_find_win(Solver *solver, AnyPosition *position, int bytes, double seconds, double nodes, double lead,
                    int tie_winner) {
    return done([&] {
        const std::vector<int> first = input_reader(bytes).integers("action", 0, kMaxActions, kMaxActions);
        push_solution(
            solver->find_win(*position, {seconds, uint64_t(nodes), int64_t(lead), tie_winner, false, true}, first));
    });
}

// --- nets and the PUCT search

TAIJI_EXPORT(net_new) Net *net_new(int bytes, int height, int width) {
    return guarded(static_cast<Net *>(nullptr), [&] {
        return new Net{std::make_shared<const ConvNet>(read_tensors(input_reader(bytes)), height, width, true)};
    });
}
TAIJI_EXPORT(net_free) void net_free(Net *net) { delete net; }

// The input holds the options, then the encoder.
TAIJI_EXPORT(neural_new) Neural *neural_new(CompiledGamePtr *game, Net *net, int bytes, int batch) {
    return guarded(static_cast<Neural *>(nullptr), [&] {
        Reader reader = input_reader(bytes);
        const PuctOptions options = read_puct_options(reader);
        const NetEncoderSpec encoder = read_encoder(reader);
        reader.finish();
        return new Neural{Puct::make(*game, encoder, options), std::make_unique<NetWorker>(net->net, batch)};
    });
}
TAIJI_EXPORT(neural_free) void neural_free(Neural *neural) { delete neural; }
TAIJI_EXPORT(neural_start)
int neural_start(Neural *neural, AnyPosition *position, double playouts, double evaluations, double seconds,
                 double lead, int tie_winner) {
    return done([&] {
        neural->search->start(*position, {uint64_t(playouts), uint64_t(evaluations), seconds},
                              {int64_t(lead), tie_winner});
    });
}
TAIJI_EXPORT(neural_step) int neural_step(Neural *neural, double seconds) {
    return guarded(-1, [&] { return int(neural->worker->work(*neural->search, 0, seconds)); });
}
TAIJI_EXPORT(neural_stop) void neural_stop(Neural *neural) { neural->search->stop(); }
TAIJI_EXPORT(neural_info) int neural_info(Neural *neural) {
    return done([&] {
        const PuctInfo info = neural->search->info();
        push_search(info);
        for (double number : {double(info.evaluations), double(info.cache_hits), double(info.proven)}) push(number);
    });
}
TAIJI_EXPORT(neural_reset) int neural_reset(Neural *neural) {
    return done([&] { neural->search->reset(); });
}

}  // namespace taiji
