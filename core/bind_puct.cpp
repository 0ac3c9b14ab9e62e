// The search by priors for Python, which runs the net on the batches that it hands out.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "puct.hpp"
#include "puct_cache.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {
namespace {

using Buffer = nb::ndarray<float, nb::c_contig, nb::device::cpu>;
using Said = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// Buffers are looked at while the GIL is held and filled without it.
int gather(Puct &self, int slot, Buffer planes, Buffer numbers) {
    size_t most = numbers.ndim() == 2 ? numbers.shape(0) : 0;
    if (!most || planes.size() < most * self.view().plane_floats() ||
        numbers.size() != most * size_t(self.view().spec().globals))
        throw std::invalid_argument("buffers that do not fit the net");
    float *to_planes = planes.data(), *to_numbers = numbers.data();
    nb::gil_scoped_release release;
    return self.gather(slot, int(most), to_planes, to_numbers);
}

void apply(Puct &self, int slot, Said policy, std::optional<Said> swap, Said value, Said margin) {
    size_t rows = value.size(), cells = self.view().plane_floats() / size_t(self.view().spec().planes);
    if (policy.size() != rows * size_t(self.view().spec().policy) * cells || margin.size() != rows * kMargins ||
        (swap ? swap->size() != rows : self.view().spec().swap))
        throw std::invalid_argument("the net said something else than it should");
    NetSays says{policy.data(), swap ? swap->data() : nullptr, value.data(), margin.data()};
    nb::gil_scoped_release release;
    self.apply(slot, int(rows), says);
}

}  // namespace

void bind_puct(nb::module_ &m) {
    nb::class_<NetViewSpec>(m, "NetViewSpec", "What a net sees of a game; see core/net_view.hpp.")
        .def(nb::init<>())
        .def_rw("planes", &NetViewSpec::planes)
        .def_rw("globals", &NetViewSpec::globals)
        .def_rw("kinds", &NetViewSpec::kinds)
        .def_rw("rule", &NetViewSpec::rule)
        .def_rw("rules", &NetViewSpec::rules)
        .def_rw("depth", &NetViewSpec::depth)
        .def_rw("groups", &NetViewSpec::groups)
        .def_rw("ratio", &NetViewSpec::ratio)
        .def_rw("policy", &NetViewSpec::policy)
        .def_rw("swap", &NetViewSpec::swap)
        .def_rw("board", &NetViewSpec::board)
        .def_rw("places", &NetViewSpec::places)
        .def_rw("slot_order", &NetViewSpec::slot_order)
        .def_rw("slot_counts", &NetViewSpec::slot_counts);
    nb::class_<PuctOptions>(m, "PuctOptions", "How a search by priors works; see core/puct_types.hpp.")
        .def(nb::init<>())
        .def_rw("exploration", &PuctOptions::exploration)
        .def_rw("growth", &PuctOptions::growth)
        .def_rw("horizon", &PuctOptions::horizon)
        .def_rw("reduction", &PuctOptions::reduction)
        .def_rw("temperature", &PuctOptions::temperature)
        .def_rw("seed", &PuctOptions::seed)
        .def_rw("memory", &PuctOptions::memory)
        .def_rw("reuse", &PuctOptions::reuse)
        .def_rw("cache", &PuctOptions::cache);
    nb::class_<PuctInfo, SearchInfo>(m, "PuctInfo", "What a search by priors has found so far.")
        .def_ro("evaluations", &PuctInfo::evaluations)
        .def_ro("remembered", &PuctInfo::remembered)
        .def_ro("proven", &PuctInfo::proven);
    nb::class_<Puct>(m, "Puct", "A search by priors of one game, which keeps its tree between runs.")
        .def(nb::new_([](std::shared_ptr<Tables> tables, const NetViewSpec &view, const PuctOptions &options) {
                 return Puct::make(std::move(tables), view, options);
             }),
             "tables"_a, "view"_a, "options"_a)
        .def(
            "see",
            [](const Puct &self, const Handle &position, int symmetry, Buffer planes, Buffer numbers) {
                if (planes.size() != self.view().plane_floats() ||
                    numbers.size() != size_t(self.view().spec().globals))
                    throw std::invalid_argument("buffers that do not fit the net");
                self.see(position, symmetry, planes.data(), numbers.data());
            },
            "position"_a, "symmetry"_a, "planes"_a, "numbers"_a)
        .def(
            "start",
            [](Puct &self, const Handle &position, uint64_t playouts, uint64_t evaluations, double seconds,
               int64_t lead, int equal) { self.start(position, {playouts, evaluations, seconds}, {lead, equal}); },
            "position"_a, "playouts"_a, "evaluations"_a, "seconds"_a, "lead"_a, "equal_totals"_a,
            nb::call_guard<nb::gil_scoped_release>())
        .def("gather", &gather, "slot"_a, "planes"_a, "numbers"_a)
        .def("apply", &apply, "slot"_a, "policy"_a, "swap"_a.none(), "value"_a, "margin"_a)
        .def("drop", &Puct::drop, "slot"_a)
        .def("stop", &Puct::stop)
        .def("info", &Puct::info, nb::call_guard<nb::gil_scoped_release>())
        .def("reset", &Puct::reset, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
