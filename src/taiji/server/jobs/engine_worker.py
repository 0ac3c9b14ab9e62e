"""An engine process of the server: reads requests as JSON lines and answers each with one line."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from taiji.arena.custom_game import read_game
from taiji.arena.system import limit_resources

if TYPE_CHECKING:
    from taiji.players import Player
    from taiji.rules import State

GAME_FILES_VARIABLE = "TAIJI_GAME_FILES"
"""Files of the custom games that the server was started with, joined as in PATH."""
NICENESS = 10
ANALYSIS_PLAYERS = ("neural", "mcts", "greedy")
"""The players for hints and reviews; the first that is available is used."""


class Worker:
    """Answers requests, with a cache of players."""

    MAX_PLAYERS = 4

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        from taiji.analysis import analyse
        from taiji.players import Limit, MatchContext, PlayerError
        from taiji.rules import Seat

        state = self._position(request["game"], request.get("start"), request["moves"])
        match = None
        if request.get("match") is not None:
            lead, tie_winner = request["match"]
            match = MatchContext(lead, None if tie_winner is None else Seat(tie_winner))
        limit, lines = Limit(seconds=request["seconds"]), request.get("lines", 1)
        wanted = [request["player"]] if request.get("player") else list(ANALYSIS_PLAYERS)
        while True:
            try:
                player = self._player(wanted[0])
                return asdict(analyse(state, player, limit, candidates=lines, match=match))
            except (PlayerError, ImportError):  # not installed, or it does not support the game
                wanted.pop(0)
                if not wanted:
                    raise

    @staticmethod
    def _position(game_text: str, start: str | None, actions: list[int]) -> State:
        from taiji.notation import parse_position
        from taiji.rules import parse_game

        game = parse_game(game_text)
        state = game.start() if start is None else parse_position(start)
        for action in actions:
            state = state.play(game.move(action))
        return state

    def _player(self, text: str) -> Player:
        from taiji.players import make_player

        if text not in self._players:
            player = make_player(text)
            if len(self._players) >= self.MAX_PLAYERS:
                self._players.pop(next(iter(self._players))).close()
            self._players[text] = player
        return self._players[text]


def main() -> None:
    """Answer requests until the server closes the pipe."""
    limit_resources(int(sys.argv[1]) << 20, NICENESS)
    # Output of the engines must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for path in filter(None, os.environ.get(GAME_FILES_VARIABLE, "").split(os.pathsep)):
        read_game(path)
    worker = Worker()
    for line in sys.stdin:
        try:
            reply = worker.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - the server decides what a failure means
            reply = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
