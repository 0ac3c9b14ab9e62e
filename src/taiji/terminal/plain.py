"""Play line by line: for pipes, slow connections and screen readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.notation import NotationError, parse_move
from taiji.notation.wording import counted
from taiji.players import PlayerError
from taiji.render.text import draw
from taiji.rules import IllegalMove, Seat
from taiji.terminal import speech
from taiji.terminal.command_handler import CommandHandler, Quit
from taiji.terminal.commands import find_command
from taiji.terminal.opponents import limit_for, opponent, title
from taiji.terminal.thinking import think

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.players import Player
    from taiji.rules import Move
    from taiji.terminal.session import Session


@dataclass
class Plain(CommandHandler):
    """A game played line by line: `read` returns the next line, or None at the end; `write` prints one."""

    session: Session
    read: Callable[[str], str | None]
    write: Callable[[str], None]
    ascii: bool = False
    colour: bool = False
    board: bool = True
    interactive: bool = False
    """Whether to ask for commands after the game is over."""
    seed: int | None = None

    def __post_init__(self) -> None:
        self._players: dict[str, Player] = {}

    # --- the course of a game

    def run(self) -> None:
        """Play until the game or the match is over, or the user quits."""
        try:
            self._greet()
            self._play()
        except Quit:
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            raise
        except BaseException:
            self.session.close()
            raise
        else:
            self._leave()

    def _leave(self) -> None:
        """Save the game and say so."""
        for player in self._players.values():
            player.close()
        self.session.close()
        self._print_warnings()
        self._farewell()

    def _play(self) -> None:
        session = self.session
        session.start_clock()
        while True:
            if session.check_time():
                self.write("The time is up.")
            if session.is_over:
                self._end_of_game()
                if session.more_to_play:
                    self._next_game()
                    continue
                if not self.interactive:
                    return
                self._command(self._ask("Over. Type review, undo, record or quit: "))
            elif session.waits_for_person:
                self._command(self._ask(f"{self._side(session.state.seat_to_move)}, your move: "))
            else:
                self._computer_moves()
            self._print_warnings()

    def _ask(self, prompt: str) -> str:
        line = self.read(prompt)
        if line is None:
            raise Quit
        return line.strip()

    def _greet(self) -> None:
        session = self.session
        sides = ", ".join(f"{self._side(seat)}: {title(session.player(seat))}" for seat in Seat)
        self.write(f"{session.state.game}. {sides}.")
        if session.clock:
            self.write(f"Clock: {session.clock.control} (minutes and increment in seconds).")
        if session.match:
            self.write(f"Game {session.game_index + 1} of a match of two.")
        if session.moves:
            self.write(f"The game continues after {counted(len(session.moves), 'move')}.")
        self.write("Type help for a list of commands.")
        self._show()

    def _show(self) -> None:
        """Draw the board if enabled, and print the scores and whose turn it is."""
        state = self.session.state
        if self.board:
            self._draw()
        self.write(speech.say_scores(state))
        if not self.session.is_over:
            self.write(speech.say_turn(state))

    def _draw(self) -> None:
        session = self.session
        drawn = draw(session.state, ascii=self.ascii, colour=self.colour, last=session.last_move, panel=False)
        self.write(drawn)

    def _computer_moves(self) -> None:
        session = self.session
        who = session.player(session.state.seat_to_move)
        player = self._player(who)
        try:
            limit = limit_for(who, session.state, session.clock)
            move, _ = think(player, session.state, limit, session.match_context)
            self._play_move(move)
        except (PlayerError, IllegalMove, OSError) as error:
            self.write(f"{title(who)} failed: {error}.")
            raise Quit from error

    def _player(self, who: str) -> Player:
        if who not in self._players:
            self._players[who] = opponent(who, self.seed)
        return self._players[who]

    def _play_move(self, move: Move) -> None:
        before = self.session.state
        self.session.play(move)
        self.write(f"{speech.say_move(before, move)} ({move!s})")
        if before.stage_index != self.session.state.stage_index:
            self.write(f"Next stage: {self.session.state.current_stage.name}, on top of the pieces so far.")
        if self.session.waits_for_person or self.session.is_over:
            self._show()

    def _end_of_game(self) -> None:
        session = self.session
        outcome = session.state.outcome()
        if outcome is not None:
            self.write(speech.say_outcome(session.state, outcome))
        elif session.termination is not None and session.loser is not None:
            how = session.termination.value.replace("time", "lost on time")
            self.write(f"The game is over: {self._side(session.loser)} {how}.")
        result = session.match_result()
        if result is not None:
            names = [title(session.setup.players[player]) for player in (0, 1)]
            totals = ", ".join(f"player {n + 1} ({name}) {result.totals[n]}" for n, name in enumerate(names))
            winner = (
                "A drawn match." if result.winner is None else f"Player {result.winner + 1} wins the match."
            )
            self.write(f"The match: {totals}. {winner}")

    def _next_game(self) -> None:
        self.session.next_game()
        for player in self._players.values():
            player.new_game()
        self.write("")
        self.write("The second game, with the colours exchanged.")
        self._greet()
        self.session.start_clock()

    def _farewell(self) -> None:
        session = self.session
        if session.is_over and not session.more_to_play:
            return
        if session.moves or session.finished:
            self.write("")
            self.write("The game is saved. Resume it with: taiji play --resume")

    def _print_warnings(self) -> None:
        for sentence in self.session.saves.warnings:
            self.write(sentence)
        self.session.saves.warnings.clear()

    # --- what the user types

    def _command(self, line: str) -> None:
        if not line:
            return
        if self.session.check_time():
            return
        command = find_command(line)
        if command is None:
            self._move(line)
            return
        self.handle(*command)

    def _move(self, text: str) -> None:
        try:
            move = parse_move(self.session.state, text)
            self._check_not_over()
            self._play_move(move)
        except IllegalMove as error:
            self.write(f"Illegal move: {error}.")
        except NotationError as error:
            self.write(f"Invalid input: {error}. Type help for a list of commands.")

    def _check_not_over(self) -> None:
        if self.session.is_over:
            raise NotationError("the game is over")

    def _side(self, seat: Seat) -> str:
        """Return the name of a seat's colour in this game."""
        state = self.session.state
        return state.game.colour_names.of(state.colour_of(seat))
