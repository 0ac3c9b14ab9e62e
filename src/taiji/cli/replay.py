"""`taiji replay`: check records and say how the games ended."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._files import GAME_FILES, open_source, source_name
from taiji.cli._games import load_declaration
from taiji.cli.errors import EXIT_BAD_INPUT, BadInput

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

    from taiji.notation import NotationError, Record, Replay
    from taiji.rules import Seat, State


@click.command("replay")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each game.")
@click.option("--jsonl", is_flag=True, help="Read lines of JSON, answer each with a line of JSON.")
@GAME_FILES
def command(file: str, as_json: bool, jsonl: bool, declared: tuple[Path, ...]) -> None:
    r"""Check the records in FILE, move by move, and print how each game ended.

    A game that cannot be read, an illegal move or a result that does not follow is told on stderr, with its
    place; the games behind it are read all the same. The exit status is then 2.

    With --jsonl each line {"game": "taiji", "moves": ["e4/e5", ...]} is answered by a line with game, plies,
    legal (choices before each move), over, scores and winner, or with error and ply: the number of the move
    that is refused, 0 where the trouble lies elsewhere.

    \b
    Examples:
      taiji replay games.tji
      taiji replay --json - < games.tji
      echo '{"game": "taiji", "moves": ["e4/e5"]}' | taiji replay --jsonl
    """
    for path in declared:
        load_declaration(path)
    if jsonl and as_json:
        raise click.UsageError("--json and --jsonl: give one of them")
    if jsonl:
        _answer_lines(file)
        return
    report = _Report(source_name(file), as_json=as_json)
    with open_source(file) as stream:
        report.read(stream)
    if not report.games:
        raise BadInput(f"{report.source}: there is no game in it")
    if report.bad:
        sys.exit(EXIT_BAD_INPUT)


def _answer_lines(file: str) -> None:
    """Answer each line as soon as it is there: whoever asks may wait for the answer before asking again."""
    from taiji.cli._jsonl import MAX_LINE_BYTES, answer

    with click.open_file(file, "rb") as stream:
        while line := stream.readline(MAX_LINE_BYTES + 2):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE_BYTES)
            sys.stdout.write(answer(line) + "\n")
            sys.stdout.flush()


class _Report:
    """Tells of games one by one and remembers only how many there were."""

    def __init__(self, source: str, *, as_json: bool) -> None:
        self.source = source
        self.as_json = as_json
        self.games = 0
        self.bad = 0

    def read(self, stream: TextIO) -> None:
        """Tell of every game of a stream."""
        from taiji.notation import read_records

        for record in read_records(stream, self.report_error, check=False):
            self.report(record)

    def report(self, record: Record) -> None:
        """Replay a game and tell how it ended."""
        from taiji.notation import NotationError
        from taiji.notation.replays import validate

        try:
            replay = record.replay()
            if any(step.variations for step in record.steps):
                validate(record)
        except NotationError as error:
            self.report_error(error)
            return
        self.games += 1
        self.bad += bool(replay.problems)
        if self.as_json:
            click.echo(json.dumps(_to_json(self.games, record, replay), ensure_ascii=False))
        else:
            click.echo(f"{self.games}. {_summary(record, replay)}")
        for problem in replay.problems:
            click.echo(f"taiji replay: {self.source}: game {self.games}: {problem}", err=True)

    def report_error(self, error: NotationError) -> None:
        """Tell of a game that cannot be read or breaks a rule."""
        self.games += 1
        self.bad += 1
        if self.as_json:
            places = {"line": error.line, "column": error.column, "ply": error.ply or 0}
            found = {"number": self.games, "error": error.message, **places}
            click.echo(json.dumps(found, ensure_ascii=False))
        click.echo(f"taiji replay: {self.source}: game {self.games}: {error}", err=True)


def _to_json(number: int, record: Record, replay: Replay) -> dict[str, Any]:
    scores = replay.last.scores()
    winner = _winner(record, replay)
    return {
        "number": number,
        "game": str(record.game),
        "light": record.tag("Light"),
        "dark": record.tag("Dark"),
        "plies": len(replay.moves),
        "over": replay.last.is_over,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": None if winner is None else ("light", "dark")[winner],
        "result": record.result.value,
        "termination": record.termination.value if record.termination else None,
        "problems": list(replay.problems),
    }


def _winner(record: Record, replay: Replay) -> Seat | None:
    """Return who won by the rules; before the end, whom the record says to have won by what ended it."""
    outcome = replay.last.outcome()
    return outcome.winner if outcome else record.result.winner if record.termination else None


def _summary(record: Record, replay: Replay) -> str:
    words = (record.game.colour_names.light, record.game.colour_names.dark)
    names = [record.tag(name) or "?" for name in ("Light", "Dark")]
    score = _score(replay.last)
    winner = _winner(record, replay)
    plies = len(replay.moves)
    told = f"{record.game}: {names[0]} v {names[1]}, {plies} {'ply' if plies == 1 else 'plies'}"
    if replay.last.is_over:
        return f"{told}, over, " + (
            f"{words[winner]} wins {score}" if winner is not None else f"a draw {score}"
        )
    ended = f", {record.termination.value}" if record.termination else ""
    won = f", {words[winner]} wins" if winner is not None else ""
    return f"{told}, not over{won}{ended}, {score} so far"


def _score(state: State) -> str:
    first, second = state.scores()
    return f"{first}-{second}"
