"""Write the software bills of materials of a release, in CycloneDX: `make sbom`.

The Python one lists what the extras of the server install; npm writes that of the web app from its lock file.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot5
from packageurl import PackageURL
from packaging.requirements import Requirement

from taiji import __version__

ROOT = Path(__file__).parents[1]
EXTRAS = ("terminal", "render", "ai", "server", "push", "bus")


def normalise(name: str) -> str:
    """Return a package name as the registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(requirements: list[str]) -> Iterator[str]:
    """Yield the names of the installed packages that requirements lead to, each once."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(text) for text in requirements]
    named: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        key = (normalise(requirement.name), frozenset(requirement.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            needed = distribution(requirement.name).requires or []
        except PackageNotFoundError:
            continue
        if key[0] not in named:
            named.add(key[0])
            yield key[0]
        for text in needed:
            one = Requirement(text)
            if one.marker is None or any(
                one.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
            ):
                waiting.append(one)


def component(name: str) -> Component:
    """Return an installed package as a component."""
    found = distribution(name)
    licence = found.metadata.get("License-Expression") or found.metadata.get("License")
    licences = [LicenseFactory().make_from_string(licence)] if licence and "\n" not in licence else []
    return Component(
        name=name,
        version=found.version,
        type=ComponentType.LIBRARY,
        licenses=licences,
        bom_ref=f"{name}@{found.version}",
        purl=PackageURL("pypi", None, name, found.version),
    )


def python_bom() -> str:
    """Return the bill of the Python packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = list(project["dependencies"])
    for extra in EXTRAS:
        wanted += project["optional-dependencies"].get(extra, [])
    bom = Bom(components=[component(name) for name in installed(wanted)])
    bom.metadata.component = Component(
        name="taiji", version=__version__, type=ComponentType.APPLICATION, bom_ref="taiji"
    )
    bom.register_dependency(bom.metadata.component, list(bom.components))
    return str(JsonV1Dot5(bom).output_as_string(indent=1))


def web_bom() -> str:
    """Return the bill of the web app; npm names no package without a version, so a copy gets ours."""
    npm = ["npm", "sbom", "--sbom-format=cyclonedx", "--package-lock-only"]
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "taiji-web"  # npm names the component after its folder
        copy.mkdir()
        for file in ("package.json", "package-lock.json"):
            content = json.loads((ROOT / "web" / file).read_text())
            (copy / file).write_text(json.dumps({**content, "version": __version__}))
        done = subprocess.run(npm, cwd=copy, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"sbom: {done.stderr.strip()}")
    return done.stdout


def main() -> None:
    """Write both bills into a folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "taiji-python.cdx.json").write_text(python_bom() + "\n")
    (folder / "taiji-web.cdx.json").write_text(web_bom())
    print(f"{folder}/taiji-python.cdx.json, {folder}/taiji-web.cdx.json")


if __name__ == "__main__":
    main()
