"""Import one module from a mutated file: named by the environment, so that child processes do it as well."""

import importlib.util
import os
import sys


class _MutantFinder:
    def __init__(self, module, path):
        self._module, self._path = module, path

    def find_spec(self, name, path=None, target=None):
        if name != self._module:
            return None
        return importlib.util.spec_from_file_location(name, self._path)


def install():
    """Put the finder before all others, also before that of an editable install."""
    module, path = os.environ.get("MUTANT_MODULE"), os.environ.get("MUTANT_FILE")
    if module and path:
        sys.meta_path.insert(0, _MutantFinder(module, path))


install()
