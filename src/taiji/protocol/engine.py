"""The UGI engine (Universal Game Interface): reads commands, answers, and thinks in its own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import IO

from taiji.analysis import analysis_from_info
from taiji.kernel.kernel import MAX_THREADS
from taiji.notation import parse_move, parse_position
from taiji.players import Info, Limit, MatchContext, Player, make_player
from taiji.players.ugi.lines import Go, parse_go, split_option, split_position
from taiji.protocol.clock import time_for_move
from taiji.protocol.info_line import info_line
from taiji.rules import GameError, Move, Seat, State, parse_game

DEFAULT_GAME = "taiji"
INFINITE_S = 86_400.0
"""Thinking time of `go infinite` if nobody says `stop`."""
MAX_LINE_CHARS = 1_000_000
MIN_MEMORY_MIB, MAX_MEMORY_MIB = 16, 1_000_000


class UgiOptions:
    """The engine's options as the client set them."""

    def __init__(self) -> None:
        self.game = DEFAULT_GAME
        self.level = 0
        self.player = ""
        self.threads = 1
        self.seed = 0
        self.memory = 256
        self.lead = 0.0

    def describe(self) -> list[str]:
        """Return the option lines that answer `ugi`."""
        return [
            f"option name Game type string default {DEFAULT_GAME}",
            "option name Level type spin default 0 min 0 max 10",
            "option name Player type string default <empty>",
            f"option name Threads type spin default 1 min 1 max {MAX_THREADS}",
            "option name Seed type spin default 0 min 0 max 4294967295",
            f"option name Memory type spin default 256 min {MIN_MEMORY_MIB} max {MAX_MEMORY_MIB}",
            "option name Lead type string default 0",
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
            self.threads = _parse_int(name, value, 1, MAX_THREADS)
        elif key == "seed":
            self.seed = _parse_int(name, value, 0, 4294967295)
        elif key == "memory":
            self.memory = _parse_int(name, value, MIN_MEMORY_MIB, MAX_MEMORY_MIB)
        elif key == "lead":
            self.lead = float(value)
        else:
            raise ValueError(f"unknown option {name}")

    @property
    def player_text(self) -> str:
        """The text of the player with these options."""
        if self.player:
            return self.player
        if self.level:
            return f"level:{self.level}"
        return f"neural:threads={self.threads},memory={self.memory}"


def _parse_int(name: str, value: str, low: int, high: int) -> int:
    if not (value.isascii() and value.isdigit() and low <= int(value[:12]) <= high):
        raise ValueError(f"{name}: invalid value {value[:20]!r} (expected an integer from {low} to {high})")
    return int(value)


class Engine:
    """Answers UGI commands. Player one is the seat that began as Light."""

    def __init__(self, write: Callable[[str], None], version: str) -> None:
        self._write = write
        self._version = version
        self._options = UgiOptions()
        self._state = parse_game(DEFAULT_GAME).start()
        self._player: Player | None = None
        self._thinking: threading.Thread | None = None
        self._infinite = threading.Event()

    def handle(self, line: str) -> bool:
        """Handle one command; return False after `quit`. Unknown commands are ignored, as UGI demands."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "ugi":
                    self._introduce()
                case "isready":
                    if self._thinking is None:
                        self._ready_player()
                    self._write("readyok")
                case "setoption":
                    self._set_option(rest)
                case "uginewgame":
                    self._halt()
                    self._new_game()
                case "position":
                    self._halt()
                    self._state = self._read_position(rest)
                case "go":
                    self._halt()
                    self._go(parse_go(rest))
                case "stop":
                    self._halt()
                case "query":
                    self._query(rest.strip())
                case "quit":
                    self.close()
                    return False
        except ValueError as error:
            self._write(f"info string error: {' '.join(str(error).split())}")
        return True

    def _introduce(self) -> None:
        self._write(f"id name taiji {self._version}")
        self._write("id author the taiji authors")
        for line in self._options.describe():
            self._write(line)
        self._write("ugiok")

    def _set_option(self, rest: str) -> None:
        self._halt()
        name, value = split_option(rest)
        self._options.set(name, value)
        self._drop_player()
        if name.lower() == "game":
            self._new_game()

    def _new_game(self) -> None:
        self._state = parse_game(self._options.game).start()
        if self._player is not None:
            self._player.new_game()

    def _read_position(self, rest: str) -> State:
        fen, moves = split_position(rest)
        state = parse_position(fen) if fen else parse_game(self._options.game).start()
        if fen and str(state.game) != self._options.game:
            self._options.game = str(state.game)
        for ply, text in enumerate(moves, 1):
            try:
                state = state.play(parse_move(state, text))
            except ValueError as error:
                raise GameError(f"move {ply}, {text[:40]}: {error}") from error
        return state

    def _query(self, question: str) -> None:
        if question == "gameover":
            self._write(f"response {str(self._state.is_over).lower()}")
        elif question == "p1turn":
            self._write(f"response {str(self._state.seat_to_move is Seat.FIRST).lower()}")
        elif question == "result":
            outcome = self._state.outcome()
            words = {Seat.FIRST: "p1win", Seat.SECOND: "p2win", None: "draw"}
            self._write(f"response {words[outcome.winner] if outcome else 'none'}")

    def _go(self, go: Go) -> None:
        if self._state.is_over:
            self._write("bestmove none")
            return
        seconds = go.movetime
        if seconds is None and go.clock(self._state.seat_to_move) is not None:
            seconds = time_for_move(self._state, *go.clock_and_increment(self._state.seat_to_move))
        if seconds is None and not go.infinite and go.nodes is None and go.depth is None:
            seconds = 1.0
        limit = Limit(seconds=None if go.infinite else seconds, playouts=go.nodes, depth=go.depth)
        self._infinite.clear()
        if not go.infinite:
            self._infinite.set()
        arguments = (self._ready_player(), self._state, limit, go.infinite)
        self._thinking = threading.Thread(target=self._think, args=arguments, daemon=True)
        self._thinking.start()

    def _ready_player(self) -> Player:
        if self._player is None:
            self._player = make_player(self._options.player_text, seed=self._options.seed)
        self._player.prepare(self._state.game)
        return self._player

    def _think(self, player: Player, state: State, limit: Limit, infinite: bool) -> None:
        def report(info: Info, move: Move | None = None) -> None:
            self._write(info_line(analysis_from_info(state, info, player.name, move, candidates=1)))

        match = MatchContext(lead=self._options.lead) if self._options.lead else None
        if infinite:
            limit = Limit(seconds=INFINITE_S)
        try:
            move, info = player.choose(state, limit, match=match, report=report)
        except Exception as error:  # noqa: BLE001 - the client must get an answer whatever happens
            self._write(f"info string error: {' '.join(str(error).split())}")
            move, info = state.legal()[0], Info()
        # The answer to `go infinite` waits for `stop`, even if the position is solved.
        self._infinite.wait()
        report(info, move)
        self._write(f"bestmove {move!s}")

    def _halt(self) -> None:
        """Stop thinking; the answer is written before this returns."""
        if self._thinking is not None and self._thinking.is_alive():
            self._infinite.set()
            while self._thinking.is_alive():
                # Repeated, because a search that is just starting may miss the first call.
                if self._player is not None:
                    self._player.stop()
                self._thinking.join(0.01)
        self._thinking = None

    def _drop_player(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None

    def close(self) -> None:
        """Stop thinking and release the player."""
        self._halt()
        self._drop_player()


def serve(lines: IO[str], out: IO[str], version: str) -> None:
    """Serve UGI until `quit` or the end of the input."""
    lock = threading.Lock()

    def write(text: str) -> None:
        with lock:
            out.write(text + "\n")
            out.flush()

    engine = Engine(write, version)
    while line := lines.readline(MAX_LINE_CHARS):
        if not engine.handle(line):
            return
    engine.close()
