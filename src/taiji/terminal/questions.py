"""Ask line by line what to play and against whom, if the command line does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from taiji.rules import EDITIONS, GAMES, match_rule, parse_game
from taiji.terminal.clocks import TimeControl
from taiji.terminal.opponents import PERSON, opponent, player_choices, title
from taiji.terminal.session import Session, Setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.terminal.saves import Saved, Saves

    Read = Callable[[str], str | None]
    Write = Callable[[str], None]

T = TypeVar("T")


def ask_for_session(read: Read, write: Write, saves: Saves) -> Session | None:
    """Ask for a saved game or a new one; return None at the end of the input."""
    unfinished = saves.unfinished()
    for sentence in saves.warnings:
        write(sentence)
    saves.warnings.clear()
    if unfinished:
        saved = _ask_which(read, write, unfinished)
        if saved is None:
            return None
        if saved:
            return Session.resume(saved[0], saves)
    setup = ask_for_setup(read, write)
    return None if setup is None else Session.begin(setup, saves)


def _ask_which(read: Read, write: Write, unfinished: list[Saved]) -> list[Saved] | None:
    """Return the saved game to resume, an empty list for a new game, or None at the end of the input."""
    write("Unfinished games:")
    for number, saved in enumerate(unfinished, 1):
        write(f"  {number}. {saved.title}")
    while True:
        line = read("Number of the game to resume, or Enter for a new one: ")
        if line is None:
            return None
        if not line.strip():
            return []
        if line.strip().isdigit() and 1 <= int(line) <= len(unfinished):
            return [unfinished[int(line) - 1]]
        write(f"Expected a number from 1 to {len(unfinished)}, or Enter.")


def ask_for_setup(read: Read, write: Write) -> Setup | None:
    """Ask for the game, the players, the clock and the match; Enter chooses the default."""
    games = [*GAMES, *EDITIONS]
    write("Games:")
    for number, name in enumerate(games, 1):
        summary = GAMES[name].summary if name in GAMES else EDITIONS[name].title
        write(f"  {number}. {name}: {summary}")
    text = _ask(read, write, "Number or name of the game [1]: ", lambda line: _game(line or "1", games))
    if text is None:
        return None
    who = player_choices()
    write("Players: " + ", ".join(f"{n}. {title(name)}" for n, name in enumerate(who, 1)))
    game = parse_game(text)
    players = []
    for word, default in ((game.colour_names.light, "1"), (game.colour_names.dark, str(min(len(who), 5)))):
        player = _ask(read, write, f"Who plays {word} [{default}]: ", SeatPrompt(who, default).parse)
        if player is None:
            return None
        players.append(player)
    control = _ask(
        read, write, "Clock, minutes+increment in seconds [none]: ", lambda line: (TimeControl.parse(line),)
    )
    if control is None:
        return None
    match = _ask(read, write, "A match of two games, colours exchanged? [n]: ", lambda line: (_yes(line),))
    if match is None:
        return None
    rule = match_rule(text) if match[0] else None
    return Setup(game, (players[0], players[1]), control[0], rule)


def _ask(read: Read, write: Write, prompt: str, parse: Callable[[str], T]) -> T | None:
    """Ask until the answer is valid; return None at the end of the input."""
    while True:
        line = read(prompt)
        if line is None:
            return None
        try:
            return parse(line.strip())
        except ValueError as error:
            write(f"{error}.")


def _game(text: str, games: list[str]) -> str:
    chosen = games[int(text) - 1] if text.isdigit() and 1 <= int(text) <= len(games) else text
    parse_game(chosen)
    return chosen


class SeatPrompt(NamedTuple):
    """The question who plays a colour: the choices by number, and the default."""

    choices: list[str]
    default: str

    def parse(self, answer: str) -> str:
        """Return the player that an answer names."""
        text = answer or self.default
        if text.isdigit() and 1 <= int(text) <= len(self.choices):
            return self.choices[int(text) - 1]
        if text != PERSON:
            opponent(text).close()
        return text


def _yes(text: str) -> bool:
    if text.lower() in ("", "n", "no"):
        return False
    if text.lower() in ("y", "yes"):
        return True
    raise ValueError("invalid (expected y or n)")
