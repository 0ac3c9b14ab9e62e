// Python bindings of the tree search. It runs in its own threads; calls hold the GIL only briefly.

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {

void bind_search(nb::module_ &m) {
    nb::class_<SearchOptions>(m, "SearchOptions", "Options of a search; see core/search_types.hpp.")
        .def(nb::init<>())
        .def_prop_rw(
            "amaf", [](const SearchOptions &o) { return o.method == Method::Grave; },
            [](SearchOptions &o, bool on) { o.method = on ? Method::Grave : Method::Uct; })
        .def_rw("exploration", &SearchOptions::exploration)
        .def_rw("first_play_urgency", &SearchOptions::first_play_urgency)
        .def_rw("rave_bias", &SearchOptions::rave_bias)
        .def_rw("grave_ref", &SearchOptions::grave_ref)
        .def_rw("amaf_min_visits", &SearchOptions::amaf_min_visits)
        .def_rw("amaf_prior", &SearchOptions::amaf_prior)
        .def_rw("expand_visits", &SearchOptions::expand_visits)
        .def_rw("widening_factor", &SearchOptions::widening_factor)
        .def_rw("playout_candidates", &SearchOptions::playout_candidates)
        .def_rw("amaf_playouts", &SearchOptions::amaf_playouts)
        .def_rw("threads", &SearchOptions::threads)
        .def_rw("seed", &SearchOptions::seed)
        .def_rw("memory", &SearchOptions::memory)
        .def_rw("reuse", &SearchOptions::reuse);
    nb::class_<MoveInfo>(m, "MoveInfo", "Statistics of a move at the root.")
        .def_ro("action", &MoveInfo::action)
        .def_ro("visits", &MoveInfo::visits)
        .def_ro("win_prob", &MoveInfo::win_prob)
        .def_ro("margin", &MoveInfo::margin);
    nb::class_<SearchInfo>(m, "SearchInfo", "The current result of a search.")
        .def_ro("playouts", &SearchInfo::playouts)
        .def_ro("nodes", &SearchInfo::nodes)
        .def_ro("seconds", &SearchInfo::seconds)
        .def_ro("win_prob", &SearchInfo::win_prob)
        .def_ro("margin", &SearchInfo::margin)
        .def_ro("memory", &SearchInfo::memory)
        .def_ro("pv", &SearchInfo::pv)
        .def_ro("moves", &SearchInfo::moves);
    nb::class_<Search>(m, "Search", "A search of one game, which keeps its tree between runs.")
        .def(nb::new_([](std::shared_ptr<CompiledGame> game, const SearchOptions &options) {
                 return Search::make(std::move(game), options);
             }),
             "game"_a, "options"_a)
        .def(
            "start",
            [](Search &self, const AnyPosition &position, uint64_t playouts, double seconds, int64_t lead,
               int tie_winner) { self.start(position, {playouts, seconds}, {lead, tie_winner}); },
            "position"_a, "playouts"_a, "seconds"_a, "lead"_a, "tie_winner"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("wait", &Search::wait, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &Search::stop)
        .def("info", &Search::info, nb::call_guard<nb::gil_scoped_release>())
        .def("reset", &Search::reset, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
