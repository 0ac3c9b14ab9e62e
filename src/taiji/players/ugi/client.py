"""The UGI client: an external engine as a player."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time
from contextlib import suppress

from taiji.notation import format_position, parse_move
from taiji.players.base import Info, Limit, PlayerError, Report, check_choice
from taiji.players.ugi.lines import ERROR, match_options, parse_info, parse_option
from taiji.rules import Game, MatchContext, Move, State

STARTUP_TIMEOUT_S = 30.0
"""Maximum time until the engine answers `ugi` and `isready`."""
RESPONSE_TIMEOUT_S = 10.0
"""Maximum delay of `bestmove` beyond the limit; 60 times as long if the limit has no seconds."""
MAX_LINE_CHARS = 100_000


class EngineCrashed(PlayerError):
    """An external engine that exited, hung or sent an invalid answer."""


class UgiPlayer:
    """An external engine that speaks UGI; it is started on first use, and again after a crash."""

    def __init__(self, command: str, *, seed: int | None = None) -> None:
        if not isinstance(command, str):
            raise TypeError(f"command: expected a text, not {type(command).__name__}")
        if not command.strip():
            raise PlayerError("ugi: no program given (expected ugi:PROGRAM, such as ugi:./engine)")
        self.name = f"ugi:{command}"
        self._command = command
        self._seed = seed
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._game = ""
        self._options: dict[str, str] = {}
        """The options that the engine has announced, with their values."""
        self._complaint = ""
        """The last error that the engine has reported, in brackets."""

    def prepare(self, game: Game) -> None:
        """Start the engine and set its game."""
        self._start(str(game))

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Ask the engine for its move."""
        check_choice(state, limit, match, report)
        self._start(str(state.game))
        self._set_match(match)
        self._send(f"position fen {format_position(state)}")
        began = time.monotonic()
        self._send(_go(limit))
        grace = RESPONSE_TIMEOUT_S if limit.seconds else 60 * RESPONSE_TIMEOUT_S
        deadline = None if limit.infinite else began + (limit.seconds or 0) + grace
        info, self._complaint = Info(), ""
        while True:
            line = self._read(deadline)
            word, _, rest = line.partition(" ")
            if rest.startswith(ERROR):
                self._complaint = f" ({rest.removeprefix(ERROR).strip()[:200]})"
            elif word == "info":
                info = parse_info(state, rest, info)
                if report is not None:
                    report(info)
            elif word == "bestmove":
                return parse_move(state, rest.split()[0] if rest.split() else ""), info

    def _start(self, game: str) -> None:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._launch()
        if self._game != game:
            self._send(f"setoption name Game value {game}")
            self._game = game
        self._send("isready")
        self._expect("readyok")

    def _set_match(self, match: MatchContext | None) -> None:
        """Tell the engine what the match adds to this game, as far as it has options for that."""
        for name, value in match_options(match).items():
            if name in self._options and self._options[name] != value:
                self._send(f"setoption name {name} value {value}")
                self._options[name] = value

    def _launch(self) -> None:
        try:
            words = shlex.split(self._command)
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program to run
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError) as error:
            raise EngineCrashed(f"cannot start {self._command}: {error}") from error
        self._lines = queue.Queue()
        threading.Thread(target=self._pump, args=(self._process, self._lines), daemon=True).start()
        self._game = ""
        self._send("ugi")
        announced = [parse_option(line) for line in self._expect("ugiok")]
        self._options = {option.name: option.default for option in announced if option is not None}
        if self._seed is not None:
            self._send(f"setoption name Seed value {self._seed}")

    @staticmethod
    def _pump(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        with suppress(ValueError, OSError):
            while line := process.stdout.readline(MAX_LINE_CHARS):
                lines.put(line.strip())
        lines.put(None)

    def _send(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            self.close()
            raise EngineCrashed(f"{self._command} has exited") from error

    def _read(self, deadline: float | None) -> str:
        try:
            line = self._lines.get(
                timeout=None if deadline is None else max(0.0, deadline - time.monotonic())
            )
        except queue.Empty:
            self.close()
            raise EngineCrashed(f"{self._command} does not answer{self._complaint}") from None
        if line is None:
            self.close()
            raise EngineCrashed(f"{self._command} has exited")
        return line

    def _expect(self, word: str) -> list[str]:
        """Wait for a word; return the lines before it."""
        deadline, before = time.monotonic() + STARTUP_TIMEOUT_S, []
        while (line := self._read(deadline)) != word:
            before.append(line)
        return before

    def stop(self) -> None:
        """Tell the engine to answer now."""
        if self._process is not None:
            with suppress(EngineCrashed):
                self._send("stop")

    def new_game(self) -> None:
        """Tell the engine that a new game begins."""
        if self._process is not None:
            with suppress(EngineCrashed):
                self._send("uginewgame")

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.write("quit\n")
            process.stdin.close()
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _go(limit: Limit) -> str:
    if limit.infinite:
        return "go infinite"
    parts = ["go"]
    if limit.seconds is not None:
        parts.append(f"movetime {max(1, round(limit.seconds * 1000))}")
    if limit.playouts is not None:
        parts.append(f"nodes {limit.playouts}")
    if limit.depth is not None:
        parts.append(f"depth {limit.depth}")
    return " ".join(parts) if len(parts) > 1 else "go movetime 1000"
