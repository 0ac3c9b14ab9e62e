"""The UGI engine (Universal Game Interface): reads commands, answers, and thinks in its own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from taiji.analysis import analysis_from_info
from taiji.notation import format_position, parse_move, parse_position
from taiji.players import Info, Limit, Player, make_player
from taiji.players.searching import short_search
from taiji.players.ugi.lines import ERROR, Go, parse_go, split_option, split_position
from taiji.protocol.clock import time_for_move
from taiji.protocol.engine_options import DEFAULT_GAME, SEARCH_OPTIONS, UgiOptions
from taiji.protocol.info_line import info_line
from taiji.rules import GameError, Move, Seat, State, parse_game

MAX_LINE_CHARS = 1_000_000
REPEAT_S = 1.0
"""Interval at which a finished `go infinite` repeats its result until `stop`."""
QUESTIONS = ("gameover", "p1turn", "p2turn", "result", "fen")
"""What `query` answers."""


class Engine:
    """Answers UGI commands. Player one is the seat that began as Light."""

    def __init__(self, write: Callable[[str], None], version: str) -> None:
        self._write = write
        self._version = version
        self._options = UgiOptions()
        self._state: State | None = parse_game(DEFAULT_GAME).start()
        """The position, or None after a `position` that was refused."""
        self._player: Player | None = None
        self._thinking: threading.Thread | None = None
        self._may_answer = threading.Event()
        """Set unless a `go infinite` waits for `stop`."""

    def handle(self, line: str) -> bool:
        """Handle one command; return False after `quit`. Unknown commands are ignored, as UGI demands."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "ugi":
                    self._introduce()
                case "isready":
                    if self._thinking is None:
                        self._try_player()
                    self._write("readyok")
                case "setoption":
                    self._set_option(rest)
                case "uginewgame":
                    self._halt()
                    self._new_game()
                case "position":
                    self._halt()
                    self._state = None
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
            self._say_error(error)
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
        if name.lower() in SEARCH_OPTIONS:
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
        if question not in QUESTIONS or self._state is None:
            self._write("response unknown")
        if question not in QUESTIONS:
            raise ValueError(f"query: unknown question {question[:20]!r} (expected {', '.join(QUESTIONS)})")
        state = self._legal_position("query")
        if question == "gameover":
            answer = str(state.is_over).lower()
        elif question in ("p1turn", "p2turn"):
            seat = Seat.FIRST if question == "p1turn" else Seat.SECOND
            answer = str(state.seat_to_move is seat).lower()
        elif question == "fen":
            answer = format_position(state)
        else:
            outcome = state.outcome()
            words = {Seat.FIRST: "p1win", Seat.SECOND: "p2win", None: "draw"}
            answer = words[outcome.winner] if outcome else "none"
        self._write(f"response {answer}")

    def _legal_position(self, command: str) -> State:
        if self._state is None:
            raise ValueError(f"{command}: the last position was refused (expected a legal position first)")
        return self._state

    def _go(self, go: Go) -> None:
        state = self._legal_position("go")
        if state.is_over:
            self._write("bestmove none")
            return
        seconds = go.movetime
        if seconds is None and go.clock(state.seat_to_move) is not None:
            seconds = time_for_move(state, *go.clock_and_increment(state.seat_to_move))
        if seconds is None and go.nodes is None and go.depth is None:
            seconds = 1.0
        limit = Limit(infinite=True) if go.infinite else Limit(seconds, go.nodes, go.depth)
        self._may_answer.clear()
        if not go.infinite:
            self._may_answer.set()
        player = self._try_player()
        self._thinking = threading.Thread(target=self._think, args=(player, state, limit), daemon=True)
        self._thinking.start()

    def _say_error(self, error: Exception) -> None:
        self._write(f"info {ERROR} {' '.join(str(error).split())}")

    def _try_player(self) -> Player | None:
        """Return the player, or None after a line with the error; the client still gets its answer."""
        try:
            return self._ready_player()
        except ValueError as error:
            self._say_error(error)
            return None

    def _ready_player(self) -> Player:
        if self._player is None:
            self._player = make_player(self._options.player_text, seed=self._options.seed)
        if self._state is not None:
            self._player.prepare(self._state.game)
        return self._player

    def _think(self, player: Player | None, state: State, limit: Limit) -> None:
        name = "" if player is None else player.name

        def report(info: Info, move: Move | None = None) -> None:
            self._write(info_line(analysis_from_info(state, info, name, move, candidates=1)))

        try:
            if player is None:
                move, info = self._answer_without_player(state)
            else:
                move, info = player.choose(state, limit, match=self._options.match, report=report)
        except Exception as error:  # noqa: BLE001 - the client must get an answer whatever happens
            self._say_error(error)
            move, info = self._answer_without_player(state)
        # The answer to `go infinite` waits for `stop`, even if the position is solved.
        while not self._may_answer.wait(REPEAT_S):
            report(info, move)
        report(info, move)
        self._write(f"bestmove {move!s}")

    def _answer_without_player(self, state: State) -> tuple[Move, Info]:
        """Return the move of a short search, for a player that failed or did not solve the position."""
        try:
            return short_search(state, self._options.match)
        except Exception:  # noqa: BLE001 - as above; the error of the player has been written
            return state.legal()[0], Info()

    def _halt(self) -> None:
        """Stop thinking; the answer is written before this returns."""
        if self._thinking is not None and self._thinking.is_alive():
            self._may_answer.set()
            while self._thinking.is_alive():
                # Repeated, because a search that is just starting may miss the first call.
                if self._player is not None:
                    self._player.stop()
                self._thinking.join(0.01)
        self._thinking = None

    def finish(self) -> None:
        """Wait for a search that ends by itself, at the end of the input; then close."""
        if self._thinking is not None and self._may_answer.is_set():
            self._thinking.join()
        self.close()

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
        # A client that has gone reads no answers; the end of the input then ends the engine.
        with lock, suppress(OSError, ValueError):
            out.write(text + "\n")
            out.flush()

    engine = Engine(write, version)
    while line := lines.readline(MAX_LINE_CHARS):
        if not engine.handle(line):
            return
    engine.finish()
