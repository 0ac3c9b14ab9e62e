// The search for Python. It runs in threads of its own, so the GIL is only held to ask.

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {

void bind_search(nb::module_ &m) {
    nb::class_<SearchOptions>(m, "SearchOptions", "How a search works; see core/search_types.hpp.")
        .def(nb::init<>())
        .def_prop_rw(
            "amaf", [](const SearchOptions &o) { return o.method == Method::Grave; },
            [](SearchOptions &o, bool on) { o.method = on ? Method::Grave : Method::Uct; })
        .def_rw("exploration", &SearchOptions::exploration)
        .def_rw("first_play", &SearchOptions::first_play)
        .def_rw("bias", &SearchOptions::bias)
        .def_rw("reference", &SearchOptions::reference)
        .def_rw("collect", &SearchOptions::collect)
        .def_rw("doubt", &SearchOptions::doubt)
        .def_rw("expand", &SearchOptions::expand)
        .def_rw("rescan", &SearchOptions::rescan)
        .def_rw("candidates", &SearchOptions::candidates)
        .def_rw("learned", &SearchOptions::learned)
        .def_rw("threads", &SearchOptions::threads)
        .def_rw("seed", &SearchOptions::seed)
        .def_rw("memory", &SearchOptions::memory)
        .def_rw("reuse", &SearchOptions::reuse);
    nb::class_<MoveInfo>(m, "MoveInfo", "What is known of a move at the root.")
        .def_ro("action", &MoveInfo::action)
        .def_ro("visits", &MoveInfo::visits)
        .def_ro("win", &MoveInfo::win)
        .def_ro("margin", &MoveInfo::margin);
    nb::class_<SearchInfo>(m, "SearchInfo", "What a search has found so far.")
        .def_ro("playouts", &SearchInfo::playouts)
        .def_ro("nodes", &SearchInfo::nodes)
        .def_ro("seconds", &SearchInfo::seconds)
        .def_ro("win", &SearchInfo::win)
        .def_ro("margin", &SearchInfo::margin)
        .def_ro("memory", &SearchInfo::memory)
        .def_ro("variation", &SearchInfo::variation)
        .def_ro("moves", &SearchInfo::moves);
    nb::class_<Search>(m, "Search", "A search of one game, which keeps its tree between runs.")
        .def(nb::new_([](std::shared_ptr<Tables> tables, const SearchOptions &options) {
                 return Search::make(std::move(tables), options);
             }),
             "tables"_a, "options"_a)
        .def(
            "start",
            [](Search &self, const Handle &position, uint64_t playouts, double seconds, int64_t lead, int equal) {
                self.start(position, {playouts, seconds}, {lead, equal});
            },
            "position"_a, "playouts"_a, "seconds"_a, "lead"_a, "equal_totals"_a,
            nb::call_guard<nb::gil_scoped_release>())
        .def("wait", &Search::wait, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &Search::stop)
        .def("info", &Search::info, nb::call_guard<nb::gil_scoped_release>())
        .def("reset", &Search::reset, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
