"""Every Python example in the README and the docs runs and prints what it says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.quick_compiling import quick_compiling

__all__ = ["quick_compiling"]

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples(text: str) -> str:
    """The interactive examples of a document, everything else blank, so that line numbers hold."""
    lines = []
    inside = False
    for line in text.splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            inside = not inside and fence[1] in {"python", "pycon"}
        lines.append(line if inside and not fence else "")
    return "\n".join(lines)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_are_true(document: Path) -> None:
    test = doctest.DocTestParser().get_doctest(
        examples(document.read_text()), {}, document.name, str(document), 0
    )
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test, out=output.append).failed == 0, "".join(output)


def test_the_readme_has_an_example() -> None:
    assert ">>>" in examples((ROOT / "README.md").read_text())


def scripts() -> list[str]:
    """The scripts of the tutorial of the library: its blocks without a prompt."""
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/library.md").read_text(), re.MULTILINE | re.DOTALL
    )
    return [block for block in blocks if ">>>" not in block]


@pytest.mark.parametrize("script", scripts(), ids=["random", "statistics", "review", "engines"])
def test_scripts_of_the_tutorial_run(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line for line in script.splitlines() if line.strip()]
    assert len(lines) <= 10
    monkeypatch.chdir(tmp_path)
    game = (ROOT / "docs/rules/examples/taiji-tie.tji").read_text()
    Path("games.tji").write_text(f"{game}\n{game}")
    exec(compile(script, "script", "exec"), {})
    assert capsys.readouterr().out.count("\n") >= 1
