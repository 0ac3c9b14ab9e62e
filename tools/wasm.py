"""Build the page's engine from core/ with a pinned zig: `make wasm`.

Two modules from the same sources: `taiji-simd.wasm` runs nets with the 128-bit vectors of WebAssembly, and
`taiji.wasm` is for browsers without them. Both are committed together with `built.json`: the hash of the
sources, the flags and the version of zig, which a test compares, so that nobody needs the toolchain to run
the program.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CORE = ROOT / "core"
OUT = ROOT / "web" / "src" / "engine" / "built"
ENVIRONMENT = ROOT / ".venv-wasm"
ZIG_VERSION = "0.17.0"
TARGET = ("-target", "wasm32-wasi", "-mexec-model=reactor", "-O3", "-DNDEBUG")
EXCEPTIONS = ("-fwasm-exceptions", "-mexception-handling", "-Xclang", "-mllvm", "-Xclang", "-wasm-enable-eh")
CORE_FLAGS = ("-std=c++20", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra")
SMALL_FILES = ("compiled_game.cpp", "descriptions.cpp", "solver.cpp", "stage_builder.cpp", "test_rows.cpp")
"""Compiled for size: what runs once per game, and the solver, which has many instances."""
LINK_FLAGS = (
    "-Wl,--strip-all",
    "-Wl,-z,stack-size=1048576",
    "-Wl,--max-memory=1073741824",
)
MODULES = {"taiji-simd.wasm": ("-msimd128",), "taiji.wasm": ()}
LIBRARY_FLAGS = ("-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_BUILDING_LIBRARY", "-D_LIBCXXABI_HAS_NO_THREADS")
LIBRARY = ("cxa_exception.cpp", "cxa_personality.cpp", "stdlib_new_delete.cpp")
"""Files of zig's libc++abi that its library for this target omits, because it is built without exceptions."""


def source_files() -> list[Path]:
    """Return the files that the modules are built from."""
    shared = [*CORE.glob("*.cpp"), *CORE.glob("*.hpp"), *(CORE / "wasm").iterdir()]
    return sorted(path for path in shared if path.suffix in {".cpp", ".hpp", ".s"})


def recipe() -> dict[str, Any]:
    """Return what decides the built files: the sources, the flags and the version of the toolchain."""
    digest = hashlib.sha256()
    for path in source_files():
        digest.update(f"{path.relative_to(CORE)}\0".encode() + path.read_bytes() + b"\0")
    flags = [*TARGET, *EXCEPTIONS, *CORE_FLAGS, *LINK_FLAGS, *LIBRARY_FLAGS, *LIBRARY]
    return {
        "zig": ZIG_VERSION,
        "flags": flags,
        "small_files": SMALL_FILES,
        "modules": MODULES,
        "sources": digest.hexdigest(),
    }


def files_digest(folder: Path) -> dict[str, str]:
    """Return the hash of each built file."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in MODULES}


def is_current() -> bool:
    """Return whether the committed files were built from the present sources."""
    try:
        known = json.loads((OUT / "built.json").read_text())
        return bool(known == json.loads(json.dumps({**recipe(), "files": files_digest(OUT)})))
    except (OSError, ValueError):
        return False


def install_zig() -> Path:
    """Return the interpreter of an environment with the pinned zig, which is made if there is none."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*command, f"ziglang=={ZIG_VERSION}"], check=True)
    return python


def build() -> None:
    """Build both modules and write them with their recipe."""
    python = install_zig()
    with tempfile.TemporaryDirectory() as folder:
        builder = _Builder(python, Path(folder))
        for name, flags in MODULES.items():
            builder.build(name, flags)
        OUT.mkdir(parents=True, exist_ok=True)
        for name in MODULES:
            (OUT / name).write_bytes((Path(folder) / name).read_bytes())
    text = json.dumps({**recipe(), "files": files_digest(OUT)}, indent=1)
    (OUT / "built.json").write_text(text + "\n")


class _Builder:
    def __init__(self, python: Path, folder: Path) -> None:
        self._zig = [str(python), "-m", "ziglang"]
        self._folder = folder
        found = subprocess.run(
            [str(python), "-c", "import ziglang; print(ziglang.__path__[0])"],
            capture_output=True,
            text=True,
            check=True,
        )
        self._library = Path(found.stdout.strip()) / "lib"

    def build(self, name: str, flags: Iterable[str]) -> None:
        """Compile and link one module."""
        objects = self._folder / Path(name).stem
        objects.mkdir()
        common = ["c++", *TARGET, *EXCEPTIONS, *CORE_FLAGS, *flags, "-I", str(CORE)]
        jobs = [
            ([*common, *(["-Oz"] if path.name in SMALL_FILES else []), "-c", str(path)], path)
            for path in source_files()
            if path.suffix == ".cpp"
        ]
        abi, unwind = self._library / "libcxxabi" / "src", self._library / "libunwind"
        folders = ["-I", str(abi), "-I", str(self._library / "libcxx/src"), "-I", str(unwind / "include")]
        for file in LIBRARY:
            options = [*TARGET, *EXCEPTIONS, "-std=c++23", *LIBRARY_FLAGS, *folders]
            jobs.append((["c++", *options, "-c", str(abi / file)], Path(file)))
        options = [*TARGET, *EXCEPTIONS, "-D_LIBUNWIND_HIDE_SYMBOLS", "-Wno-c23-extensions", *folders]
        jobs.append((["cc", *options, "-c", str(unwind / "src" / "Unwind-wasm.c")], Path("unwind.c")))
        tag = CORE / "wasm" / "exception_tag.s"
        jobs.append((["cc", "-target", "wasm32-wasi", "-mexception-handling", "-c", str(tag)], tag))
        with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            list(pool.map(lambda job: self._run([*job[0], "-o", str(objects / f"{job[1].name}.o")]), jobs))
        parts = sorted(map(str, objects.iterdir()))
        self._run(["c++", *TARGET, *EXCEPTIONS, *LINK_FLAGS, *parts, "-o", str(self._folder / name)])

    def _run(self, command: list[str]) -> None:
        subprocess.run([*self._zig, *command], check=True)


def main() -> None:
    """Build, or with `--check` only say whether the committed files are current."""
    if sys.argv[1:] == ["--check"]:
        if not is_current():
            raise SystemExit("web/src/engine/built: not built from these sources (run make wasm)")
        return
    build()


if __name__ == "__main__":
    main()
