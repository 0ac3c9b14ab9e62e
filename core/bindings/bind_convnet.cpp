// Python bindings of nets evaluated in the core.

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "net_worker.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {
namespace {

using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Buffer = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

std::shared_ptr<ConvNet> make(const std::map<std::string, Array> &arrays, int height, int width, bool int16,
                              const std::string &backend) {
    std::map<std::string, Tensor> tensors;
    for (const auto &[name, array] : arrays) {
        Tensor &tensor = tensors[name];
        for (size_t axis = 0; axis < array.ndim(); axis++) tensor.shape.push_back(int(array.shape(axis)));
        tensor.values.assign(array.data(), array.data() + array.size());
    }
    nb::gil_scoped_release release;
    return std::make_shared<ConvNet>(tensors, height, width, int16, backend);
}

// For tests and benchmarks: evaluates the buffers.
void evaluate(const ConvNet &net, Array planes, Array global_inputs, Buffer policy, Buffer swap, Buffer value,
              Buffer margin) {
    size_t count = value.size();
    if (planes.size() != count * size_t(net.planes() * net.cells()) ||
        global_inputs.size() != count * size_t(net.globals()) ||
        policy.size() != count * size_t(net.policies() * net.cells()) || margin.size() != count * kMarginBins ||
        swap.size() != count || !count || count > Puct::kMaxBatch)
        throw std::invalid_argument("the buffers do not fit the net");
    static thread_local ConvNet::Workspace workspace;
    NetOutput output = net.evaluate(workspace, planes.data(), global_inputs.data(), int(count));
    std::copy(output.policy, output.policy + policy.size(), policy.data());
    if (output.swap) std::copy(output.swap, output.swap + count, swap.data());
    std::copy(output.value, output.value + count, value.data());
    std::copy(output.margin, output.margin + margin.size(), margin.data());
}

}  // namespace

void bind_convnet(nb::module_ &m) {
    m.def("simd_backend", [] { return std::string(simd_backend().name); }, "Name of the SIMD backend in use.");
    m.def(
        "simd_backends",
        [] {
            std::vector<std::string> names;
            for (const SimdBackend *backend : simd_backends()) names.push_back(backend->name);
            return names;
        },
        "Names of the SIMD backends that this processor can run, the fastest first.");
    nb::class_<ConvNet>(m, "ConvNet", "A net in the architecture of taiji.training, for one board size.")
        .def(nb::new_(&make), "tensors"_a, "height"_a, "width"_a, "int16"_a = true, "backend"_a = "")
        .def_prop_ro("planes", &ConvNet::planes)
        .def_prop_ro("globals", &ConvNet::globals)
        .def_prop_ro("policies", &ConvNet::policies)
        .def_prop_ro("swap", &ConvNet::swap)
        .def_prop_ro("tile", &ConvNet::tile)
        .def("evaluate", &evaluate, "planes"_a, "global_inputs"_a, "policy"_a, "swap"_a, "value"_a, "margin"_a);
    nb::class_<NetWorker>(m, "NetWorker", "The loop of one thread of a PUCT search.")
        .def(nb::init<std::shared_ptr<const ConvNet>, int>(), "net"_a, "batch"_a)
        .def("work", &NetWorker::work, "search"_a, "worker"_a, "seconds"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
