// Python bindings of compiled games, positions and playouts. Long calls release the GIL.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "any_position.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {
namespace {

MaskWords words_of(Mask m) { return {low(m), high(m)}; }

void bind_compiled_game(nb::module_ &m) {
    nb::enum_<Plane>(m, "Plane")
        .value("PIECE", Plane::Piece)
        .value("COVERED", Plane::Covered)
        .value("AFTER", Plane::After)
        .value("KIND", Plane::Kind)
        .value("GROUND", Plane::Ground);
    nb::enum_<Region>(m, "Region")
        .value("UNDER", Region::Under)
        .value("AROUND_EDGE", Region::AroundEdge)
        .value("AROUND_KING", Region::AroundKing)
        .value("FIXED", Region::Fixed)
        .value("EACH", Region::Each);
    nb::enum_<When>(m, "When").value("ALWAYS", When::Always).value("FIRST", When::First).value("LATER", When::Later);
    nb::enum_<Join>(m, "Join").value("NONE", Join::None).value("EDGE", Join::Edge).value("KING", Join::King);
    nb::enum_<Fold>(m, "Fold").value("SUM", Fold::Sum).value("PRODUCT", Fold::Product);
    nb::enum_<Tie>(m, "Tie")
        .value("LIGHT", Tie::Light)
        .value("DARK", Tie::Dark)
        .value("LAST", Tie::Last)
        .value("DRAW", Tie::Draw);
    nb::class_<TestSpec>(m, "TestSpec", "A condition on placing; see core/program.hpp.")
        .def(nb::init<Plane, Region, When, std::vector<std::pair<int, int>>, std::vector<MaskWords>>(), "plane"_a,
             "region"_a, "when"_a, "ranges"_a, "sets"_a);
    nb::class_<Tally>(m, "Tally", "A way to score; see core/program.hpp.")
        .def(nb::init<bool, Join, int, int, Fold, std::vector<int64_t>, bool, bool>(), "symbols"_a, "join"_a, "first"_a,
             "last"_a, "fold"_a, "value"_a, "linear"_a, "monotone"_a);
    nb::class_<StageSpec>(m, "StageSpec", "The description of one stage; masks are pairs of words.")
        .def(nb::init<>())
        .def_rw("width", &StageSpec::width)
        .def_rw("height", &StageSpec::height)
        .def_rw("board", &StageSpec::board)
        .def_rw("first", &StageSpec::first)
        .def_rw("cells", &StageSpec::cells)
        .def_rw("kinds", &StageSpec::kinds)
        .def_rw("faces", &StageSpec::faces)
        .def_rw("light", &StageSpec::light)
        .def_rw("dark", &StageSpec::dark)
        .def_rw("slots", &StageSpec::slots)
        .def_rw("supply", &StageSpec::supply)
        .def_rw("tests", &StageSpec::tests)
        .def_rw("score", &StageSpec::score)
        .def_rw("tiebreak", &StageSpec::tiebreak)
        .def_rw("last_bonus", &StageSpec::last_bonus)
        .def_rw("swap_after", &StageSpec::swap_after)
        .def_rw("symbols", &StageSpec::symbols);
    nb::class_<CompiledGame>(m, "CompiledGame", "A game as immutable lookup tables.")
        .def(nb::init<const std::vector<StageSpec> &, Tie, int, std::vector<int>, const std::vector<int> &,
                      const std::vector<std::vector<int>> &>(),
             "stages"_a, "tie"_a, "komi"_a, "komi_names"_a, "opening"_a, "symmetries"_a)
        .def_ro("action_count", &CompiledGame::action_count)
        .def_prop_ro("symmetries", [](const CompiledGame &t) { return int(t.images.size()); });
}

void bind_position(nb::module_ &m) {
    nb::class_<PlayoutTotals>(m, "PlayoutTotals", "Totals of a number of random games.")
        .def_ro("playouts", &PlayoutTotals::playouts)
        .def_ro("plies", &PlayoutTotals::plies)
        .def_prop_ro("wins", [](const PlayoutTotals &t) { return std::vector<uint64_t>(t.wins, t.wins + 3); })
        .def_ro("margin", &PlayoutTotals::margin)
        .def_ro("seconds", &PlayoutTotals::seconds);
    nb::class_<AnyPosition>(m, "Position", "A mutable position; `copy` it to keep it.")
        .def(nb::new_([](std::shared_ptr<CompiledGame> game) { return AnyPosition::start(std::move(game)); }), "game"_a)
        .def("copy", &AnyPosition::clone)
        .def("play", &AnyPosition::play, "action"_a)
        .def("restore", &AnyPosition::restore, "placed"_a, "swapped"_a, "komi_action"_a)
        .def("is_legal", &AnyPosition::is_legal, "action"_a)
        .def("legal", &AnyPosition::legal)
        .def_prop_ro("history",
                     [](const AnyPosition &h) { return std::vector<int>(h.history().begin(), h.history().end()); })
        .def_prop_ro("is_over", &AnyPosition::is_over)
        .def_prop_ro("can_swap", &AnyPosition::can_swap)
        .def_prop_ro("must_name_komi", &AnyPosition::must_name_komi)
        .def_prop_ro("swapped", &AnyPosition::swapped)
        .def_prop_ro("stage_index", &AnyPosition::stage_index)
        .def_prop_ro("seat_to_move", &AnyPosition::seat_to_move)
        .def_prop_ro("colour_to_move", &AnyPosition::colour_to_move)
        .def_prop_ro("last_seat", &AnyPosition::last_seat)
        .def_prop_ro("hash", &AnyPosition::hash)
        .def_prop_ro("scores", &AnyPosition::scores)
        .def_prop_ro("winner", &AnyPosition::winner)
        .def_prop_ro("light", [](const AnyPosition &h) { return words_of(h.light()); })
        .def_prop_ro("dark", [](const AnyPosition &h) { return words_of(h.dark()); })
        .def_prop_ro("covered", [](const AnyPosition &h) { return words_of(h.covered()); })
        .def_prop_ro("supply", &AnyPosition::supply)
        .def("perft", &AnyPosition::perft, "depth"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("random_game", &AnyPosition::random_game, "seed"_a)
        .def("random_games_hash", &AnyPosition::random_games_hash, "first_seed"_a, "count"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("look_ahead", &AnyPosition::look_ahead, "depth"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("playouts", &AnyPosition::playouts, "count"_a, "seconds"_a, "threads"_a, "seed"_a,
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

void bind_kernel(nb::module_ &m) {
    bind_compiled_game(m);
    bind_position(m);
}

}  // namespace taiji
