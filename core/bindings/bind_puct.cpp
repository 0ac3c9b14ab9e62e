// Python bindings of the PUCT search; Python evaluates the batches that it hands out.

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
using Output = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// Checks the buffers with the GIL held and fills them without it.
int collect_batch(Puct &self, int worker, Buffer planes, Buffer global_inputs) {
    size_t most = global_inputs.ndim() == 2 ? global_inputs.shape(0) : 0;
    if (!most || planes.size() < most * self.encoder().plane_floats() ||
        global_inputs.size() != most * size_t(self.encoder().spec().globals))
        throw std::invalid_argument("the buffers do not fit the net");
    float *to_planes = planes.data(), *to_numbers = global_inputs.data();
    nb::gil_scoped_release release;
    return self.collect_batch(worker, int(most), to_planes, to_numbers);
}

void apply_batch(Puct &self, int worker, Output policy, std::optional<Output> swap, Output value, Output margin) {
    size_t rows = value.size(), cells = self.encoder().plane_floats() / size_t(self.encoder().spec().planes);
    if (policy.size() != rows * size_t(self.encoder().spec().policy) * cells || margin.size() != rows * kMarginBins ||
        (swap ? swap->size() != rows : self.encoder().spec().swap))
        throw std::invalid_argument("the outputs do not fit the net");
    NetOutput output{policy.data(), swap ? swap->data() : nullptr, value.data(), margin.data()};
    nb::gil_scoped_release release;
    self.apply_batch(worker, int(rows), output);
}

}  // namespace

void bind_puct(nb::module_ &m) {
    nb::class_<NetEncoderSpec>(m, "NetEncoderSpec",
                               "Inputs and outputs of a net for one game; see core/net_encoder.hpp.")
        .def(nb::init<>())
        .def_rw("planes", &NetEncoderSpec::planes)
        .def_rw("globals", &NetEncoderSpec::globals)
        .def_rw("kinds", &NetEncoderSpec::kinds)
        .def_rw("rule", &NetEncoderSpec::rule)
        .def_rw("rules", &NetEncoderSpec::rules)
        .def_rw("depth", &NetEncoderSpec::depth)
        .def_rw("groups", &NetEncoderSpec::groups)
        .def_rw("ratio", &NetEncoderSpec::ratio)
        .def_rw("policy", &NetEncoderSpec::policy)
        .def_rw("swap", &NetEncoderSpec::swap)
        .def_rw("by_margin", &NetEncoderSpec::by_margin)
        .def_rw("board", &NetEncoderSpec::board)
        .def_rw("policy_index", &NetEncoderSpec::policy_index)
        .def_rw("slot_order", &NetEncoderSpec::slot_order)
        .def_rw("slot_counts", &NetEncoderSpec::slot_counts);
    nb::class_<PuctOptions>(m, "PuctOptions", "Options of a PUCT search; see core/puct_types.hpp.")
        .def(nb::init<>())
        .def_rw("cpuct", &PuctOptions::cpuct)
        .def_rw("cpuct_factor", &PuctOptions::cpuct_factor)
        .def_rw("cpuct_base", &PuctOptions::cpuct_base)
        .def_rw("fpu_reduction", &PuctOptions::fpu_reduction)
        .def_rw("policy_temperature", &PuctOptions::policy_temperature)
        .def_rw("seed", &PuctOptions::seed)
        .def_rw("memory", &PuctOptions::memory)
        .def_rw("reuse", &PuctOptions::reuse)
        .def_rw("cache", &PuctOptions::cache);
    nb::class_<PuctInfo, SearchInfo>(m, "PuctInfo", "The current result of a PUCT search.")
        .def_ro("evaluations", &PuctInfo::evaluations)
        .def_ro("cache_hits", &PuctInfo::cache_hits)
        .def_ro("proven", &PuctInfo::proven);
    nb::class_<Puct>(m, "Puct", "A PUCT search of one game, which keeps its tree between runs.")
        .def(nb::new_([](std::shared_ptr<CompiledGame> game, const NetEncoderSpec &encoder,
                         const PuctOptions &options) { return Puct::make(std::move(game), encoder, options); }),
             "game"_a, "encoder"_a, "options"_a)
        .def(
            "encode",
            [](const Puct &self, const AnyPosition &position, int symmetry, Buffer planes, Buffer global_inputs) {
                if (planes.size() != self.encoder().plane_floats() ||
                    global_inputs.size() != size_t(self.encoder().spec().globals))
                    throw std::invalid_argument("the buffers do not fit the net");
                self.encode(position, symmetry, planes.data(), global_inputs.data());
            },
            "position"_a, "symmetry"_a, "planes"_a, "global_inputs"_a)
        .def(
            "start",
            [](Puct &self, const AnyPosition &position, uint64_t playouts, uint64_t evaluations, double seconds,
               int64_t lead,
               int tie_winner) { self.start(position, {playouts, evaluations, seconds}, {lead, tie_winner}); },
            "position"_a, "playouts"_a, "evaluations"_a, "seconds"_a, "lead"_a, "tie_winner"_a,
            nb::call_guard<nb::gil_scoped_release>())
        .def("collect_batch", &collect_batch, "worker"_a, "planes"_a, "global_inputs"_a)
        .def("apply_batch", &apply_batch, "worker"_a, "policy"_a, "swap"_a.none(), "value"_a, "margin"_a)
        .def("discard_batch", &Puct::discard_batch, "worker"_a)
        .def("stop", &Puct::stop)
        .def("info", &Puct::info, nb::call_guard<nb::gil_scoped_release>())
        .def("reset", &Puct::reset, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
