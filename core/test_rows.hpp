// Turns the tests of a stage into rows of sites. Each test is classified by its shape:
//   opening  its plane does not change during the stage: it restricts the rows at the start;
//   ground   it depends on the stage before: counted when the stage starts;
//   kill     no cell of the region may be covered: a row of kills per site;
//   wake     some cell of the region must be covered: a row of wakes per site;
//   block    no set may be filled: checked for the sets that a placed piece meets;
//   count    anything else: counted for every open site after every placement.
#pragma once

#include "compiled_game.hpp"

namespace taiji {

// Fills in the rows, blocks and counted tests of a stage whose sites are numbered; `site_of` maps footprints to sites.
void add_tests(Stage &stage, const StageSpec &spec, const std::vector<int> &site_of);

}  // namespace taiji
