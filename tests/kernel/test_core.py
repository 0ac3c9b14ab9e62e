import taiji
from taiji import _core


def test_the_core_was_built_with_this_version() -> None:
    assert _core.version() == taiji.__version__
