"""`python -m tools.site OUTPUT`: build the documentation site into a folder; a warning is an error."""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path

import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException
from tools.site import ROOT, checks, commands, http_reference, navigation, pages, python_reference

STAGE = ROOT / "build" / "docs"


def stage(folder: Path) -> None:
    """Write every page, picture and reference of the site into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages.stage_pages(folder)
    reference = folder / "reference"
    reference.mkdir()
    (reference / "commands.md").write_text(commands.page())
    (reference / "http.md").write_text(http_reference.operations_page())
    (reference / "messages.md").write_text(http_reference.messages_page())
    for name, text in python_reference.pages().items():
        (reference / name).write_text(text)


def main() -> int:
    """Stage and build; return the exit status."""
    if len(sys.argv) != 2:
        print("usage: python -m tools.site OUTPUT", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.WARNING, format="docs: %(message)s")
    stage(STAGE)
    settings = yaml.safe_load((Path(__file__).parent / "mkdocs.yml").read_text())
    settings["nav"] = navigation.nav(STAGE)
    settings["hooks"] = [str(Path(__file__).parent / "hooks.py")]
    settings |= {"docs_dir": str(STAGE), "site_dir": str(Path(sys.argv[1]).resolve())}
    config_file = ROOT / "build" / "mkdocs.yml"
    config_file.write_text(yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))
    try:
        build(load_config(str(config_file), strict=True))
    except MkDocsException as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    found = checks.problems_of_site(Path(sys.argv[1]))
    print(*(f"docs: {problem}" for problem in found), sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
