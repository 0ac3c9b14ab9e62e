// The parts of the Python module, one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace taiji {

void bind_kernel(nanobind::module_ &m);   // compiled games, positions, playouts
void bind_search(nanobind::module_ &m);   // the tree search
void bind_convnet(nanobind::module_ &m);  // nets evaluated in the core
void bind_puct(nanobind::module_ &m);     // the PUCT search
void bind_solver(nanobind::module_ &m);   // the exact solver

}  // namespace taiji
