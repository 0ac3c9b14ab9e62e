// Nets that the core runs itself, for Python.

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings.hpp"
#include "net_worker.hpp"
#include "puct_cache.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace taiji {
namespace {

using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Buffer = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

std::shared_ptr<ConvNet> make(const std::map<std::string, Array> &arrays, int height, int width, bool fixed) {
    std::map<std::string, Tensor> tensors;
    for (const auto &[name, array] : arrays) {
        Tensor &tensor = tensors[name];
        for (size_t axis = 0; axis < array.ndim(); axis++) tensor.shape.push_back(int(array.shape(axis)));
        tensor.values.assign(array.data(), array.data() + array.size());
    }
    nb::gil_scoped_release release;
    return std::make_shared<ConvNet>(tensors, height, width, fixed);
}

// For tests and measurements: judges what lies in the buffers.
void judge(const ConvNet &net, Array planes, Array numbers, Buffer policy, Buffer swap, Buffer value, Buffer margin) {
    size_t count = value.size();
    if (planes.size() != count * size_t(net.planes() * net.cells()) || numbers.size() != count * size_t(net.globals()) ||
        policy.size() != count * size_t(net.policies() * net.cells()) || margin.size() != count * kMargins ||
        swap.size() != count || !count || count > Puct::kMostBatch)
        throw std::invalid_argument("buffers that do not fit the net");
    static thread_local ConvNet::Desk desk;
    NetSays says = net.judge(desk, planes.data(), numbers.data(), int(count));
    std::copy(says.policy, says.policy + policy.size(), policy.data());
    if (says.swap) std::copy(says.swap, says.swap + count, swap.data());
    std::copy(says.value, says.value + count, value.data());
    std::copy(says.margin, says.margin + margin.size(), margin.data());
}

}  // namespace

void bind_convnet(nb::module_ &m) {
    m.def(
        "arithmetic", [] { return std::string(arithmetic().name); }, "Which version of the arithmetic this processor takes.");
    nb::class_<ConvNet>(m, "ConvNet", "A net of the package's own shape, for boards of one size.")
        .def(nb::new_(&make), "tensors"_a, "height"_a, "width"_a, "fixed"_a = true)
        .def_prop_ro("planes", &ConvNet::planes)
        .def_prop_ro("globals", &ConvNet::globals)
        .def_prop_ro("policies", &ConvNet::policies)
        .def_prop_ro("swap", &ConvNet::swap)
        .def_prop_ro("tile", &ConvNet::tile)
        .def("judge", &judge, "planes"_a, "numbers"_a, "policy"_a, "swap"_a, "value"_a, "margin"_a);
    nb::class_<NetWorker>(m, "NetWorker", "A thread's work in a search by priors.")
        .def(nb::init<std::shared_ptr<const ConvNet>, int>(), "net"_a, "batch"_a)
        .def("work", &NetWorker::work, "search"_a, "slot"_a, "seconds"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace taiji
