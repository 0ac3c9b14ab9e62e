// Python bindings of the solver. It runs without the GIL; other threads may read its progress or stop it.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {

void bind_solver(nb::module_ &m) {
    nb::class_<SolveResult>(m, "SolveResult", "The result of the solver; values as in core/solver.hpp.")
        .def_ro("solved", &SolveResult::solved)
        .def_ro("lower", &SolveResult::lower)
        .def_ro("upper", &SolveResult::upper)
        .def_ro("best", &SolveResult::best)
        .def_ro("pv", &SolveResult::pv)
        .def_ro("refuted", &SolveResult::refuted)
        .def_ro("nodes", &SolveResult::nodes)
        .def_ro("seconds", &SolveResult::seconds);
    nb::class_<Solver>(m, "Solver", "An exact solver of one game, which keeps its table between positions.")
        .def(nb::new_([](std::shared_ptr<CompiledGame> game, int megabytes, int threads) {
                 return Solver::make(std::move(game), megabytes, threads);
             }),
             "game"_a, "megabytes"_a, "threads"_a)
        .def(
            "solve",
            [](Solver &self, const AnyPosition &position, double seconds, uint64_t nodes, int64_t lead, int tie_winner,
               bool all_best, bool winner_only) {
                return self.solve(position, {seconds, nodes, lead, tie_winner, all_best, winner_only});
            },
            "position"_a, "seconds"_a, "nodes"_a, "lead"_a, "tie_winner"_a, "all_best"_a, "winner_only"_a,
            nb::call_guard<nb::gil_scoped_release>())
        .def(
            "find_win",
            [](Solver &self, const AnyPosition &position, double seconds, uint64_t nodes, int64_t lead, int tie_winner,
               const std::vector<int> &first) {
                return self.find_win(position, {seconds, nodes, lead, tie_winner, false, true}, first);
            },
            "position"_a, "seconds"_a, "nodes"_a, "lead"_a, "tie_winner"_a, "first"_a,
            nb::call_guard<nb::gil_scoped_release>())
        .def("mirror_win", &Solver::mirror_win, "position"_a, "lead"_a, "tie_winner"_a)
        .def("stop", &Solver::stop)
        .def_prop_ro("nodes", &Solver::nodes)
        .def_prop_ro("bounds", &Solver::bounds);
}

}  // namespace taiji
