// The Python module taiji._core: the API of the compiled core, for taiji.kernel only.

#include "bindings.hpp"
#include "interrupt.hpp"

namespace {

// Raises what a pending signal asks for, such as KeyboardInterrupt; without effect outside Python's main thread.
void check_signals() {
    nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of taiji; use it through taiji.kernel.";
    m.def("version", [] { return TAIJI_VERSION; }, "The version of the package this core was built with.");
    taiji::InterruptPoll::check = check_signals;
    taiji::bind_kernel(m);
    taiji::bind_search(m);
    taiji::bind_convnet(m);
    taiji::bind_puct(m);
    taiji::bind_solver(m);
}
