// The parts of the Python module, each in its own file.
#pragma once

#include <nanobind/nanobind.h>

namespace taiji {

void bind_kernel(nanobind::module_ &m);  // tables, positions, playouts
void bind_search(nanobind::module_ &m);  // the tree search
void bind_convnet(nanobind::module_ &m);  // nets that the core runs itself
void bind_puct(nanobind::module_ &m);    // the search by priors
void bind_solver(nanobind::module_ &m);  // the exact solver

}  // namespace taiji
