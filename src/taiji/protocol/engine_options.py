"""The options of the UGI engine, as the client sets them."""

from __future__ import annotations

from taiji.kernel.machine import machine_memory_mib, machine_threads
from taiji.players.ugi.lines import GAME_TIE_RULE, LEAD, MATCH_TIE, TIE_WINNERS, parse_lead
from taiji.rules import MatchContext, Points, parse_game

DEFAULT_GAME = "taiji"
MIN_MEMORY_MIB, MAX_MEMORY_MIB = 16, 1_000_000
SEARCH_OPTIONS = {"level", "player", "threads", "seed", "memory"}
"""The options that need another player."""


class UgiOptions:
    """The engine's options as the client set them."""

    def __init__(self) -> None:
        self.game = DEFAULT_GAME
        self.level = 0
        self.player = ""
        self.threads = 1
        self.seed = 0
        self.memory = 256
        self.lead: Points = 0
        self.match_tie = GAME_TIE_RULE

    def describe(self) -> list[str]:
        """Return the option lines that answer `ugi`."""
        ties = " ".join(f"var {word}" for word in (GAME_TIE_RULE, *TIE_WINNERS))
        return [
            f"option name Game type string default {DEFAULT_GAME}",
            "option name Level type spin default 0 min 0 max 10",
            "option name Player type string default <empty>",
            f"option name Threads type spin default 1 min 1 max {machine_threads()}",
            "option name Seed type spin default 0 min 0 max 4294967295",
            f"option name Memory type spin default 256 min {MIN_MEMORY_MIB} max {_max_memory_mib()}",
            f"option name {LEAD} type string default 0",
            f"option name {MATCH_TIE} type combo default {GAME_TIE_RULE} {ties}",
        ]

    def set(self, name: str, value: str) -> None:
        """Set an option; raise ValueError if the value is not valid."""
        key = name.lower()
        if key == "game":
            self.game = str(parse_game(value))
        elif key == "level":
            self.level = _parse_int(name, value, 0, 10)
        elif key == "player":
            self.player = "" if value == "<empty>" else value
        elif key == "threads":
            self.threads = _parse_int(name, value, 1, machine_threads())
        elif key == "seed":
            self.seed = _parse_int(name, value, 0, 4294967295)
        elif key == "memory":
            self.memory = _parse_int(name, value, MIN_MEMORY_MIB, _max_memory_mib())
        elif key == LEAD.lower():
            self.lead = parse_lead(value)
        elif key == MATCH_TIE.lower():
            if value not in (GAME_TIE_RULE, *TIE_WINNERS):
                expected = ", ".join((GAME_TIE_RULE, *TIE_WINNERS))
                raise ValueError(f"{MATCH_TIE}: invalid value {value[:20]!r} (expected {expected})")
            self.match_tie = value
        else:
            raise ValueError(f"unknown option {name}")

    @property
    def match(self) -> MatchContext | None:
        """What the match adds to the game, or None for a single game; a lead alone may end in a draw."""
        if not self.lead and self.match_tie == GAME_TIE_RULE:
            return None
        return MatchContext(self.lead, TIE_WINNERS.get(self.match_tie))

    @property
    def player_text(self) -> str:
        """The text of the player with these options."""
        if self.player:
            return self.player
        if self.level:
            return f"level:{self.level}"
        return f"neural:threads={self.threads},memory={self.memory}"


def _max_memory_mib() -> int:
    return machine_memory_mib() or MAX_MEMORY_MIB


def _parse_int(name: str, value: str, low: int, high: int) -> int:
    if not (value.isascii() and value.isdigit() and low <= int(value[:12]) <= high):
        raise ValueError(f"{name}: invalid value {value[:20]!r} (expected an integer from {low} to {high})")
    return int(value)
