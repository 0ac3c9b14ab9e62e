// Exits with the level of this processor: CMakeLists.txt runs it to compile for this machine only.

#include "cpu_level.hpp"

int main() { return taiji::cpu_level(); }
