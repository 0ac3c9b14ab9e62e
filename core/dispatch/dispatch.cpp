// The Python module taiji._core of an x86-64 wheel: loads the core that was compiled for the level of this processor.

#include <Python.h>

#include <algorithm>
#include <string>

#include "cpu_level.hpp"
#include "library.hpp"

namespace {

// The levels that were compiled, best first.
constexpr int kLevels[] = {TAIJI_LEVELS};

PyObject *fail(const std::string &message) {
    PyObject *text = PyUnicode_FromString(message.c_str()), *name = PyUnicode_FromString("taiji._core");
    if (text && name) PyErr_SetImportError(text, name, nullptr);
    Py_XDECREF(text);
    Py_XDECREF(name);
    return nullptr;
}

PyObject *load(int level) {
    const std::string file = "_cores/v" + std::to_string(level) + taiji::kLibrarySuffix;
    std::string problem;
    void *init = taiji::symbol_beside(file, "PyInit__core", problem);
    return init ? reinterpret_cast<PyObject *(*)()>(init)() : fail("compiled core: " + problem);
}

}  // namespace

PyMODINIT_FUNC PyInit__core() {
    const int level = taiji::allowed_cpu_level();
    if (!level) return fail(std::string(taiji::kLevelVariable) + ": not a level of x86-64 (expected v1 to v4)");
    for (int compiled : kLevels)
        if (compiled <= level) return load(compiled);
    const int least = *std::min_element(std::begin(kLevels), std::end(kLevels));
    return fail("compiled core: this processor has the instructions of x86-64-v" + std::to_string(level) +
                " (expected x86-64-v" + std::to_string(least) +
                " or higher; a checkout builds for its own processor: make setup)");
}
