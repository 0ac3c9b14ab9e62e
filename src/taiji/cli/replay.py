"""`taiji replay`: check records and print the results."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._files import open_source, source_name
from taiji.cli._options import RECORD_GAME_FILES
from taiji.cli._output import to_json
from taiji.cli.errors import EXIT_BAD_INPUT, BadInput

if TYPE_CHECKING:
    from typing import TextIO

    from taiji.notation import NotationError, Record, Replay
    from taiji.rules import Seat, State


@click.command("replay")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
@click.option(
    "--jsonl", is_flag=True, help="Read one JSON request per line; answer each with one line of JSON."
)
@RECORD_GAME_FILES
def command(file: str, as_json: bool, jsonl: bool) -> None:
    r"""Check the records in FILE move by move and print the result of each game.

    An unreadable game, an illegal move or a wrong result is reported on stderr with its position in the file.
    The games after it are still read, and the exit status is 2.

    With --jsonl each line {"game": "taiji", "moves": ["e4/e5", ...]} is answered by a line with game, plies,
    legal (choices before each move), over, scores and winner, or with error and ply: the number of the
    invalid move, or 0 if the error is not in a move.

    \b
    Examples:
      taiji replay games.tji
      taiji replay --json - < games.tji
      echo '{"game": "taiji", "moves": ["e4/e5"]}' | taiji replay --jsonl
    """
    if jsonl and as_json:
        raise click.UsageError("--json and --jsonl: use only one of them")
    if jsonl:
        _answer_lines(file)
        return
    report = _Report(source_name(file), as_json=as_json)
    with open_source(file) as stream:
        report.read(stream)
    if not report.games:
        raise BadInput(f"{report.source}: no games found")
    if report.bad:
        sys.exit(EXIT_BAD_INPUT)


def _answer_lines(file: str) -> None:
    """Answer each line as soon as it is read: a client may wait for the answer before it sends the next."""
    from taiji.cli._jsonl import MAX_LINE_BYTES, answer

    with click.open_file(file, "rb") as stream:
        while line := stream.readline(MAX_LINE_BYTES + 2):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE_BYTES)
            sys.stdout.write(answer(line) + "\n")
            sys.stdout.flush()


class _Report:
    """Prints games one by one; keeps only how many there were."""

    def __init__(self, source: str, *, as_json: bool) -> None:
        self.source = source
        self.as_json = as_json
        self.games = 0
        self.bad = 0

    def read(self, stream: TextIO) -> None:
        """Report every game of a stream."""
        from taiji.notation import read_records

        for record in read_records(stream, self.report_error, check=False):
            self.report(record)

    def report(self, record: Record) -> None:
        """Replay a game and print its result."""
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
            click.echo(to_json(_to_json(self.games, record, replay)))
        else:
            click.echo(f"{self.games}. {_summary(record, replay)}")
        for problem in replay.problems:
            click.echo(f"taiji replay: {self.source}: game {self.games}: {problem}", err=True)

    def report_error(self, error: NotationError) -> None:
        """Report a game that cannot be read or breaks a rule."""
        self.games += 1
        self.bad += 1
        if self.as_json:
            location = {"line": error.line, "column": error.column, "ply": error.ply or 0}
            value = {"number": self.games, "error": error.message, **location}
            click.echo(to_json(value))
        click.echo(f"taiji replay: {self.source}: game {self.games}: {error}", err=True)


def _to_json(game_no: int, record: Record, replay: Replay) -> dict[str, Any]:
    scores = replay.last.scores()
    winner = _winner(record, replay)
    return {
        "number": game_no,
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
    """Return the winner by the rules; if the game was ended early, the winner that the record claims."""
    outcome = replay.last.outcome()
    return outcome.winner if outcome else record.result.winner if record.termination else None


def _summary(record: Record, replay: Replay) -> str:
    words = (record.game.colour_names.light, record.game.colour_names.dark)
    names = [record.tag(name) or "?" for name in ("Light", "Dark")]
    score = _score(replay.last)
    winner = _winner(record, replay)
    plies = len(replay.moves)
    head = f"{record.game}: {names[0]} v {names[1]}, {plies} {'ply' if plies == 1 else 'plies'}"
    if replay.last.is_over:
        return f"{head}, over, " + (
            f"{words[winner]} wins {score}" if winner is not None else f"a draw {score}"
        )
    ended = f", {record.termination.value}" if record.termination else ""
    won = f", {words[winner]} wins" if winner is not None else ""
    return f"{head}, not over{won}{ended}, {score} so far"


def _score(state: State) -> str:
    first, second = state.scores()
    return f"{first}-{second}"
