"""`taiji solve --certificate` and `--check`: proofs of the value of a game, written and checked."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._games import DECLARATION_SUFFIX, load_game
from taiji.cli._output import to_json
from taiji.cli.errors import BadInput

_WINNERS = {None: None, 0: "light", 1: "dark"}


def write_file(text: str, path: Path, memory: int, as_json: bool) -> None:
    """Solve a game from its start and write the certificate."""
    from taiji.analysis.certificates import make_certificate
    from taiji.rules.tables import parse_toml

    game = load_game(text)
    definition = parse_toml(Path(text).read_text()) if text.endswith(DECLARATION_SUFFIX) else str(game)
    certificate = make_certificate(game, definition, memory=memory)
    try:
        path.write_text("\n".join(certificate.lines()) + "\n")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    answers = sum(map(len, certificate.answers.values()))
    _show("written", str(game), certificate.margin, _WINNERS[certificate.winner], "answers", answers, as_json)


def check_file(path: Path, as_json: bool) -> None:
    """Check a certificate; raise `CertificateError` if it proves nothing."""
    from taiji.analysis.certificates import CertificateError, check_certificate, read_certificate

    try:
        with path.open() as lines:
            certificate = read_certificate(lines)
        positions = check_certificate(certificate)
    except (CertificateError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
    name, winner = str(certificate.game), _WINNERS[certificate.winner]
    _show("proven", name, certificate.margin, winner, "positions", positions, as_json)


def _show(
    verb: str, game: str, margin: float, winner: str | None, unit: str, count: int, as_json: bool
) -> None:
    if as_json:
        click.echo(to_json({"game": game, "margin": margin, "winner": winner, unit: count}))
    else:
        click.echo(f"{verb}: {game}, margin {margin:+g}, {winner or 'nobody'} wins ({count:,} {unit})")
