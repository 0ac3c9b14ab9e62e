"""Imports point only upward in the list of layers, the rules are pure, no other layer names a game."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from taiji.rules.placing import PlacingRule
from taiji.rules.scoring import Scoring

PACKAGE = Path(__file__).parent.parent / "src" / "taiji"

LAYERS = (
    "rules",
    "notation",
    "kernel",
    "nets",
    "players",
    "arena",
    "analysis",
    "protocol",
    "render",
    "envs",
    "training",
    "study",
    "server",
    "terminal",
    "cli",
)
SERVER_PACKAGES = ("contract", "domain", "store", "identity", "cluster", "live", "jobs", "tournaments", "web")
SERVER_BASE = {"settings", "time_source"}
"""Modules of the server that every package may import, and that import none."""
GAMES = {"taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"}

IMPORTERS = {
    "import_module",
    "__import__",
    "find_loader",
    "spec_from_file_location",
    "run_module",
    "resolve_name",
}
"""Functions that import a module by a name that this test cannot see."""
MAY_IMPORT_BY_NAME = {"cli/lazy.py"}
MODULE_NAME = re.compile(rf"taiji\.({'|'.join(LAYERS)})(\.\w+)*(:\w+)?")
"""A string that names a module, and perhaps something in it."""

IMPURE_MODULES = {
    "asyncio", "concurrent", "ctypes", "datetime", "fileinput", "glob", "http", "io", "logging", "mmap",
    "multiprocessing", "os", "pathlib", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys",
    "tempfile", "threading", "time", "urllib",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}


RULE_CLASSES = {
    rule.__name__
    for base in (PlacingRule, Scoring)
    for rule in base.__subclasses__()
    if rule.__module__.startswith("taiji.")
}


class Import(NamedTuple):
    line: int
    module: str
    names: tuple[str, ...]


@cache
def parse(source: str) -> ast.Module:
    """Parse a source; several tests look at each file."""
    return ast.parse(source)


def imports(tree: ast.AST, package: str) -> Iterator[Import]:
    """Every import, wherever it stands: at the top, in a function, for type checking only, or as a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name, ())
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield Import(node.lineno, module, tuple(alias.name for alias in node.names))
        elif isinstance(node, ast.Constant) and MODULE_NAME.fullmatch(str(node.value)):
            yield Import(node.lineno, str(node.value).partition(":")[0], ())


def layers_imported(found: Import) -> Iterator[str]:
    """The layers of `taiji` that one import reaches; names of `taiji` itself count as layers of their own."""
    first, _, rest = found.module.partition(".")
    if first != "taiji":
        return
    if rest:
        yield rest.split(".")[0]
    else:
        yield from (name for name in found.names if name != "__version__")


def wrong_directions(source: str, layer: str, package: str) -> list[str]:
    """What a module of one layer imports and must not."""
    allowed = {*LAYERS[: LAYERS.index(layer) + 1]} | ({"_core"} if layer == "kernel" else set())
    return [
        f"line {found.line}: {layer} imports {target}"
        for found in imports(parse(source), package)
        for target in layers_imported(found)
        if target not in allowed
    ]


def imports_by_name(source: str) -> list[str]:
    """Where a module uses a function that imports by a string."""
    found = []
    for node in ast.walk(parse(source)):
        name = getattr(node, "id", None) or getattr(node, "attr", None)
        if isinstance(node, ast.alias):
            name = node.name
        if isinstance(name, str) and name.split(".")[-1] in IMPORTERS:
            found.append(f"line {getattr(node, 'lineno', 0)}: uses {name}")
    return found


def wrong_server_imports(source: str, path: str, package: str) -> list[str]:
    """Return the imports of other server packages that a module under `server/` must not have."""
    own = path.split("/", maxsplit=1)[0].removesuffix(".py")
    allowed = SERVER_BASE if own in SERVER_BASE else {*SERVER_PACKAGES[: SERVER_PACKAGES.index(own) + 1]}
    problems = []
    for found in imports(parse(source), package):
        if found.module == "taiji.server":
            targets = set(found.names)
        elif found.module.startswith("taiji.server."):
            targets = {found.module.split(".")[2]}
        else:
            continue
        problems += [
            f"line {found.line}: {own} imports {target}" for target in targets - allowed - SERVER_BASE
        ]
    return problems


def impurities(source: str, package: str) -> list[str]:
    """Where a module reaches outside the standard library, or reads, writes, waits or tells the time."""
    tree = parse(source)
    found = []
    for entry in imports(tree, package):
        root = entry.module.split(".")[0]
        if root in IMPURE_MODULES or (root != "taiji" and root not in sys.stdlib_module_names):
            found.append(f"line {entry.line}: imports {entry.module}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            found.append(f"line {node.lineno}: calls {node.func.id}")
    return found


def games_by_name(source: str) -> list[str]:
    """Where a module compares something with the name of a game."""
    found = []
    for node in ast.walk(parse(source)):
        compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.MatchValue):
            compared = [node.value]
        found += [
            f"line {value.lineno}: compares with {value.value!r}"
            for value in compared
            if isinstance(value, ast.Constant) and value.value in GAMES
        ]
    return found


def rules_by_name(source: str) -> list[str]:
    """Where a module names the class of a rule of placing or of a scoring."""
    found = []
    for node in ast.walk(parse(source)):
        name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        if name in RULE_CLASSES:
            found.append(f"line {getattr(node, 'lineno', 0)}: names {name}")
    return found


def nonempty(problems: dict[str, list[str]]) -> dict[str, list[str]]:
    return {path: found for path, found in problems.items() if found}


def modules(*layers: str) -> list[Path]:
    """Return the files of some layers."""
    return [path for layer in layers for path in sorted((PACKAGE / layer).rglob("*.py"))]


def package_of(path: Path) -> str:
    return ".".join(["taiji", *path.parent.relative_to(PACKAGE).parts])


def short(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_the_front_door_is_above_all_layers() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py", "api.py"}


def test_every_folder_of_the_package_is_a_layer() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(LAYERS)


def test_the_readme_lists_the_layers_in_order() -> None:
    readme = (PACKAGE.parent.parent / "README.md").read_text()
    listed = re.findall(r"^\| `src/taiji/(\w+)/`", readme, re.MULTILINE)
    assert listed == sorted(listed, key=LAYERS.index)
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} <= set(listed)


def test_imports_point_upward() -> None:
    wrong = {
        short(path): wrong_directions(path.read_text(), path.relative_to(PACKAGE).parts[0], package_of(path))
        for path in modules(*LAYERS)
    }
    assert nonempty(wrong) == {}


def test_nothing_is_imported_by_a_string() -> None:
    files = [*modules(*LAYERS), *sorted(PACKAGE.glob("*.py"))]
    found = nonempty({short(path): imports_by_name(path.read_text()) for path in files})
    assert found.keys() == MAY_IMPORT_BY_NAME, found


def test_server_packages_import_only_those_above_them() -> None:
    folder = PACKAGE / "server"
    inside = [path.relative_to(folder) for path in modules("server") if path != folder / "__init__.py"]
    wrong = {
        path.as_posix(): wrong_server_imports(
            (folder / path).read_text(), path.as_posix(), package_of(folder / path)
        )
        for path in inside
    }
    assert nonempty(wrong) == {}


def test_every_module_of_the_server_is_in_a_package() -> None:
    folder = PACKAGE / "server"
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *SERVER_BASE}
    assert {path.parent.name for path in folder.glob("*/__init__.py")} == set(SERVER_PACKAGES)


def test_the_rules_are_pure() -> None:
    files = modules("rules")
    assert nonempty({short(path): impurities(path.read_text(), package_of(path)) for path in files}) == {}


def test_no_layer_above_the_rules_knows_a_game_by_name() -> None:
    assert nonempty({short(path): games_by_name(path.read_text()) for path in modules(*LAYERS[1:])}) == {}


def test_no_layer_above_the_rules_knows_a_rule_by_its_class() -> None:
    assert nonempty({short(path): rules_by_name(path.read_text()) for path in modules(*LAYERS[1:])}) == {}


@pytest.mark.parametrize(
    ("source", "layer", "package", "wrong"),
    [
        ("from taiji.rules import State", "notation", "taiji.notation", []),
        ("from .geometry import Board", "rules", "taiji.rules", []),
        ("from taiji import __version__", "cli", "taiji.cli", []),
        ("from taiji import _core", "kernel", "taiji.kernel", []),
        ("from taiji import _core", "players", "taiji.players", ["line 1: players imports _core"]),
        ("from taiji import State", "players", "taiji.players", ["line 1: players imports State"]),
        ("import taiji.cli.play", "server", "taiji.server", ["line 1: server imports cli"]),
        ("from ..server import app", "rules", "taiji.rules", ["line 1: rules imports server"]),
        ("from .. import nets", "rules", "taiji.rules", ["line 1: rules imports nets"]),
        ("MAKER = 'taiji.nets.net:open_net'", "players", "taiji.players", []),
        ("MAKER = 'taiji.players.base:Info'", "nets", "taiji.nets", ["line 1: nets imports players"]),
        ("COMMAND = ['-m', 'taiji.cli']", "server", "taiji.server", ["line 1: server imports cli"]),
        ("def f():\n  import taiji.arena", "kernel", "taiji.kernel", ["line 2: kernel imports arena"]),
    ],
)
def test_a_wrong_direction_is_seen(source: str, layer: str, package: str, wrong: list[str]) -> None:
    assert wrong_directions(source, layer, package) == wrong


@pytest.mark.parametrize(
    "source",
    [
        "from importlib import import_module",
        "import importlib\nimportlib.import_module(name)",
        "__import__('taiji.nets')",
        "from importlib import util\nutil.resolve_name(name)",
    ],
)
def test_an_import_by_a_string_is_seen(source: str) -> None:
    assert len(imports_by_name(source)) >= 1


@pytest.mark.parametrize(
    ("source", "path", "wrong"),
    [
        ("from taiji.server.store import queries", "live/rooms.py", []),
        ("from taiji.server.settings import ServerSettings", "identity/origins.py", []),
        (
            "from taiji.server.live.rooms import RoomManager",
            "store/queries.py",
            ["line 1: store imports live"],
        ),
        ("if x:\n  from taiji.server.web import context", "jobs/reviews.py", ["line 2: jobs imports web"]),
        ("from taiji.server import tournaments", "live/lobby.py", ["line 1: live imports tournaments"]),
        ("import taiji.server.contract.errors", "settings.py", ["line 1: settings imports contract"]),
        ("from ..web import app", "jobs/x.py", ["line 1: jobs imports web"]),
    ],
)
def test_a_wrong_import_within_the_server_is_seen(source: str, path: str, wrong: list[str]) -> None:
    package = ".".join(["taiji", "server", *path.split("/")[:-1]])
    assert wrong_server_imports(source, path, package) == wrong


@pytest.mark.parametrize(
    "source", ["import numpy", "from os import path", "import urllib.request", "print(1)", "x = open('y')"]
)
def test_an_impurity_is_seen(source: str) -> None:
    assert len(impurities(source, "taiji.rules")) == 1


@pytest.mark.parametrize(
    "source", ["if name == 'tailits': pass", "match name:\n  case 'battle-of-lits': pass", "'taiji' != name"]
)
def test_a_game_known_by_name_is_seen(source: str) -> None:
    assert len(games_by_name(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from taiji.rules.placing import MustTouch",
        "isinstance(rule, placing.LevelGround)",
        "match rule:\n  case GroupProduct(): pass",
    ],
)
def test_a_rule_known_by_its_class_is_seen(source: str) -> None:
    assert len(rules_by_name(source)) == 1
