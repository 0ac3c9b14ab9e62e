"""The pages: listed in the index, with links that lead somewhere, pictures with text, commands that parse."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
import yaml
from tools.site import commands as commands_page
from tools.site import http_reference
from tools.site.checks import problems
from tools.site.examples import EXAMPLES
from tools.site.python_reference import pages as python_pages

from taiji.cli import COMMANDS, program
from taiji.protocol.engine import Engine

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
CARDS = sorted((ROOT / "src/taiji/nets").glob("*.md"))
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + PAGES + CARDS
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)")
HTML_IMAGE = re.compile(r"<(?:img|source)\b[^>]*>")
MARK = re.compile(r"^<!-- (picture|animation): (.+?) \| ([^|]+?) -->$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def prose(document: Path) -> str:
    """The text without its code blocks."""
    return FENCE.sub("", document.read_text())


def anchors(document: Path) -> set[str]:
    """The anchors of the headings, as forges and MkDocs write them."""
    headings = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    plain = (re.sub(r"[`*]|\]\([^)]*\)", "", heading) for heading in headings)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\- ]", "", heading).strip().lower()) for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=names(DOCUMENTS))
def test_links_and_anchors_lead_somewhere(document: Path) -> None:
    broken = []
    for link in LINK.findall(prose(document)) + [link for _, link in IMAGE.findall(prose(document))]:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_the_index_lists_every_page() -> None:
    index = {link for link in LINK.findall((DOCS / "README.md").read_text()) if not link.startswith("..")}
    assert index == {page.relative_to(DOCS).as_posix() for page in PAGES} - {"README.md"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=names(DOCUMENTS))
def test_every_picture_has_alternative_text(document: Path) -> None:
    text = prose(document)
    assert [link for alternative, link in IMAGE.findall(text) if len(alternative) < 10] == []
    images = [tag for tag in HTML_IMAGE.findall(text) if tag.startswith("<img")]
    assert [tag for tag in images if not re.search(r'\balt="[^"]{10,}"', tag)] == []
    for tag in HTML_IMAGE.findall(text):
        source = re.search(r'\bsrc(?:set)?="([^"\s]+)"', tag)
        assert source is not None
        assert (document.parent / source[1]).is_file(), tag
    assert text.count("<!-- picture:") + text.count("<!-- animation:") == len(MARK.findall(text))


def test_the_readme_shows_a_board_a_game_and_the_app() -> None:
    tags = "".join(HTML_IMAGE.findall((ROOT / "README.md").read_text()))
    for name in ("board-light.png", "board-dark.png", "game.gif", "app-light.png", "app-dark.png"):
        assert f"docs/images/{name}" in tags
        assert (DOCS / "images" / name).stat().st_size < 100_000


def test_every_game_has_pictures_and_an_animation() -> None:
    for name in ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"):
        kinds = [kind for kind, _, _ in MARK.findall((DOCS / "rules" / f"{name}.md").read_text())]
        assert kinds.count("animation") >= 1, name
        assert kinds.count("picture") >= 2, name


def commands(document: Path) -> Iterator[list[str]]:
    """The words of every `taiji` command in the code blocks of a document, and in its pictures."""
    text = document.read_text()
    for _, language, block in FENCE.findall(text):
        if language not in {"sh", "bash"}:
            continue  # console examples are run
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.strip(), comments=True)
            if words[:1] == ["taiji"] and not {"…", "..."} & set("".join(words)):
                yield [word for word in words[1 : words.index("|") if "|" in words else None] if word != "&"]
    for _, arguments, _ in MARK.findall(text):
        yield ["render", *shlex.split(arguments), "-o", "x.svg"]


def parse(words: list[str]) -> None:
    """Parse a command line; raise click's error for a command or option that does not exist."""
    command: click.Command = program
    name: str | None = "taiji"
    context: click.Context | None = None
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = command.make_context(name, list(words), context)
        name, found, words = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        command = found
    if not isinstance(command, click.Group):
        plain = words[: words.index("<")] if "<" in words else words
        inner = click.Context(command, context, name)
        command.make_parser(inner).parse_args(plain[: plain.index(">")] if ">" in plain else plain)


@pytest.mark.parametrize("document", DOCUMENTS, ids=names(DOCUMENTS))
def test_every_command_in_the_pages_parses(document: Path) -> None:
    for words in commands(document):
        try:
            parse(words)
        except click.UsageError as error:
            pytest.fail(f"{document.name}: taiji {' '.join(words)}: {error.format_message()}")


def test_commands_that_do_not_exist_are_found() -> None:
    with pytest.raises(click.UsageError, match="--nonsense"):
        parse(["arena", "mcts", "uct", "--nonsense"])
    with pytest.raises(click.UsageError, match="No such command 'nonsense'"):
        parse(["nonsense"])


def test_the_session_of_the_engine_is_true() -> None:
    session = next(
        block for _, language, block in FENCE.findall((DOCS / "engine.md").read_text()) if language == "ugi"
    )
    output: list[str] = []
    engine = Engine(output.append, "1")
    expected: list[str] = []
    for line in session.splitlines():
        if not line.startswith("> "):
            expected.append(line)
            continue
        # The answer to `go` comes from its own thread; `isready` and `position` wait for it.
        engine.handle(line.removeprefix("> "))
    engine.close()
    shown = [line for line in output if not line.startswith("info ") or line is output[-1]]
    wanted = [line for line in expected if not line.startswith("info ")]
    assert len(shown) == len(wanted)
    for line, pattern in zip(shown, wanted, strict=True):
        assert re.fullmatch(re.escape(pattern).replace("…", ".+"), line), (line, pattern)


@pytest.mark.parametrize("card", CARDS, ids=lambda path: path.stem)
def test_a_net_card_is_complete(card: Path) -> None:
    labels = re.findall(r"^\* \*\*(.+?)(?::\*\*|\*\*)", card.read_text(), re.MULTILINE)
    assert {"Games", "Size", "Training", "Strength", "Limits", "Intended use", "Licence"} <= set(labels)


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<script src="https://a.example/x.js"></script>', "loads https://a.example/x.js"),
        ('<link rel="stylesheet" href="//a.example/x.css">', "loads //a.example/x.css"),
        ("<script>alert(1)</script>", "has an inline script"),
        ('<p style="color: red">', "has an inline style (p)"),
        ('<img src="x.svg">', "has a picture without text: x.svg"),
    ],
)
def test_pages_that_break_the_policy_are_found(page: str, problem: str) -> None:
    assert problems(page) == [problem]
    assert problems('<a href="https://a.example"><img src="x.svg" alt="A board"></a>') == []


def test_generated_references_cover_the_program() -> None:
    reference = commands_page.page()
    found = commands_page.named_commands()
    with_json = {
        " ".join(words) for words, one in found if any("--json" in option.opts for option in one.params)
    }
    assert with_json == set(EXAMPLES)
    assert all(f"## `taiji {name}`" in reference for name in COMMANDS)
    assert "/api/tables/{table_id}/move" in http_reference.operations_page()
    assert "### ClientFrame" in http_reference.messages_page()


def json_values(text: str) -> None:
    """Read JSON values, one after another."""
    while text := text.strip():
        _, end = json.JSONDecoder().raw_decode(text)
        text = text[end:]


READERS: dict[str, Callable[[str], object]] = {
    "toml": tomllib.loads,
    "json": json_values,
    "yaml": yaml.safe_load,
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=names(DOCUMENTS))
def test_blocks_of_data_can_be_read(document: Path) -> None:
    for _, language, block in FENCE.findall(document.read_text()):
        if language in READERS and "…" not in block:
            READERS[language](block)


def test_constants_and_types_are_described_not_only_named() -> None:
    found = python_pages()
    assert "The published editions by name." in found["python.md"]
    assert "Themes of pictures" in found["python-render.md"]
    assert not any("A constant of type" in page or "| dict |" in page for page in found.values())
