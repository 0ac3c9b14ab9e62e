"""A game, or a match of two, played in the terminal: moves, undo, clocks, results and saving."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from taiji.notation import Record, RecordedMove, Result, Score, Termination
from taiji.rules import Game, Match, MatchContext, MatchResult, MatchRule, Scores, Seat, Swap
from taiji.terminal.clocks import Clock, TimeControl
from taiji.terminal.opponents import PERSON, is_person
from taiji.terminal.saves import GAME_FILE, Saves

if TYPE_CHECKING:
    from taiji.rules import Move, State
    from taiji.terminal.saves import Saved


@dataclass(frozen=True)
class Setup:
    """What to play, and who plays: `players` are player texts by seat in the first game."""

    game: Game
    players: tuple[str, str] = (PERSON, PERSON)
    control: TimeControl | None = None
    match: MatchRule | None = None
    game_file: str = ""
    """The path of a custom game's declaration."""


@dataclass
class Session:
    """The state of a setup in play; the user interface calls it for every action of a player."""

    setup: Setup
    saves: Saves
    path: Path
    finished: list[Record] = field(default_factory=list)
    """The finished games of the match."""
    states: list[State] = field(default_factory=list)
    steps: list[RecordedMove] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    termination: Termination | None = None
    loser: Seat | None = None
    clock: Clock | None = None
    date: str = ""
    start: State | None = None
    """The position before the first move, if it is not the start of the game."""

    @classmethod
    def begin(cls, setup: Setup, saves: Saves | None = None, now: datetime | None = None) -> Session:
        """Start a new game."""
        moment = now or datetime.now().astimezone()
        store = saves or Saves()
        session = cls(setup, store, store.new_path(str(setup.game), moment), date=f"{moment:%Y.%m.%d}")
        store.lock(session.path)
        session._start_game(None)
        return session

    @classmethod
    def resume(cls, saved: Saved, saves: Saves) -> Session:
        """Resume a saved game, with the clocks as they were saved."""
        record = saved.records[-1]
        rule = record.tag("Match")
        players = (record.tag("Light", PERSON), record.tag("Dark", PERSON))
        number = len(saved.records) - 1
        setup = Setup(
            record.game,
            players if number == 0 else (players[1], players[0]),
            TimeControl.from_tag(record.tag("TimeControl")),
            MatchRule(rule) if rule in {known.value for known in MatchRule} else None,
            record.tag(GAME_FILE),
        )
        finished = list(saved.records[:-1])
        session = cls(setup, saves, saved.path, finished, date=record.tag("Date"), start=record.start)
        saves.lock(saved.path)
        session._start_game(record)
        if record.termination is not None:
            session.termination, winner = record.termination, record.result.winner
            session.loser = winner.other if winner is not None else None
        return session

    def _start_game(self, record: Record | None) -> None:
        """Start a game, with the moves of a record if given."""
        self.termination, self.loser = None, None
        left = None
        if record is None:
            self.states, self.steps, self.moves = [self.setup.game.start()], [], []
        else:
            replayed = record.replay()
            self.states, self.moves = list(replayed.states), list(replayed.moves)
            self.steps = list(record.steps)
            left = _clock_tags(record)
        self.clock = Clock(self.setup.control, left) if self.setup.control else None

    # --- queries

    @property
    def state(self) -> State:
        """Return the current position."""
        return self.states[-1]

    @property
    def last_move(self) -> Move | None:
        """Return the last move, or None."""
        return self.moves[-1] if self.moves else None

    @property
    def game_index(self) -> int:
        """Return the index of the game in its match, 0 for the first."""
        return len(self.finished)

    @property
    def match(self) -> Match | None:
        """Return the match, or None for a single game."""
        return Match(self.setup.game, self.setup.match) if self.setup.match else None

    def player(self, seat: Seat) -> str:
        """Return the player of a seat in this game."""
        return self.setup.players[seat ^ self.game_index]

    @property
    def is_over(self) -> bool:
        """Return whether this game has ended, by the rules or otherwise."""
        return self.state.is_over or self.termination is not None

    @property
    def waits_for_person(self) -> bool:
        """Return whether a person is to move."""
        return not self.is_over and is_person(self.player(self.state.seat_to_move))

    @property
    def winner(self) -> Seat | None:
        """Return the winner of this game, or None if it is drawn or not over."""
        if self.loser is not None:
            return self.loser.other
        outcome = self.state.outcome()
        return outcome.winner if outcome else None

    @property
    def more_to_play(self) -> bool:
        """Return whether another game of the match follows."""
        return self.is_over and self.setup.match is not None and self.game_index == 0

    @property
    def match_context(self) -> MatchContext | None:
        """Return the lead from the first game of a match, or None outside the second game."""
        if self.match is None or self.game_index == 0:
            return None
        return self.match.context(_scores(self.finished[0]))

    def match_result(self) -> MatchResult | None:
        """Return the result of the match once both games are over."""
        if self.match is None or not self.is_over or self.game_index == 0:
            return None
        return self.match.result(_scores(self.finished[0]), _scores(self.record()))

    # --- actions

    def play(self, move: Move) -> None:
        """Play a move for the seat to move; raise `IllegalMove` if the rules forbid it."""
        seat = self.state.seat_to_move
        after = self.state.play(move)
        left = self.clock.press(seat) if self.clock else None
        self.steps.append(RecordedMove(str(move), clock=left))
        self.states.append(after)
        self.moves.append(move)
        if not self.is_over and self.clock:
            self.clock.run(after.seat_to_move)
        self.save()

    def start_clock(self) -> None:
        """Start the clock of the seat to move."""
        if self.clock and not self.is_over:
            self.clock.run(self.state.seat_to_move)

    @property
    def can_undo(self) -> bool:
        """Return whether there is a person's move to take back."""
        return any(is_person(self.player(state.seat_to_move)) for state in self.states[:-1])

    def undo(self) -> int:
        """Take back moves until a person is to move again; return how many."""
        if not self.can_undo:
            return 0
        self.termination, self.loser = None, None
        taken = 0
        while taken == 0 or not is_person(self.player(self.state.seat_to_move)):
            self.states.pop()
            self.steps.pop()
            self.moves.pop()
            taken += 1
        self.start_clock()
        self.save()
        return taken

    def resign(self, seat: Seat | None = None) -> None:
        """Resign for the seat to move, or for the given seat."""
        self._end(self.state.seat_to_move if seat is None else seat, Termination.RESIGNED)

    def check_time(self) -> bool:
        """End the game if a clock has run out; return whether it has just ended."""
        out = self.clock.out_of_time if self.clock and not self.is_over else None
        if out is None:
            return False
        self._end(out, Termination.TIME)
        return True

    def _end(self, loser: Seat, how: Termination) -> None:
        if self.clock:
            self.clock.pause()
        self.loser, self.termination = loser, how
        self.save()

    def next_game(self) -> None:
        """Start the second game of a match, with colours exchanged."""
        assert self.more_to_play
        self.finished.append(self.record())
        self.start = None
        self._start_game(None)
        self.save()

    # --- storage

    def record(self) -> Record:
        """Return the game as a record."""
        outcome = self.state.outcome()
        result = Result.of(outcome)
        if self.loser is not None:
            result = Result.won_by(self.loser.other)
        tags = {
            "Event": "taiji play",
            "Date": self.date,
            "Light": self.player(Seat.FIRST),
            "Dark": self.player(Seat.SECOND),
        }
        if self.clock:
            tags["TimeControl"] = self.clock.control.tag
        if self.setup.match:
            tags |= {"Match": self.setup.match.value, "MatchGame": str(self.game_index + 1)}
        if self.setup.game_file:
            tags[GAME_FILE] = self.setup.game_file
        if self.clock and not self.is_over:
            tags |= {f"Clock{seat.name.title()}": f"{self.clock.remaining_s(seat):.1f}" for seat in Seat}
        score = Score(*outcome.scores) if outcome else None
        return Record(
            self.setup.game,
            tuple(self.steps),
            tuple(tags.items()),
            result,
            score,
            self.termination,
            self.start,
        )

    def save(self) -> bool:
        """Write the save, unless no move was made yet; return False if that fails."""
        if not self.moves and not self.finished and not self.path.exists():
            return True
        return self.saves.write(self.path, [*self.finished, self.record()])

    def close(self) -> None:
        """Close the session: file finished games, save an unfinished one."""
        if self.clock:
            self.clock.pause()
        if self.is_over and not self.more_to_play:
            self.saves.finish(self.path, [*self.finished, self.record()])
        else:
            self.save()
        self.saves.unlock(self.path)


def _clock_tags(record: Record) -> tuple[float, float] | None:
    try:
        first, second = (float(record.tag(f"Clock{seat.name.title()}", "x")) for seat in Seat)
    except ValueError:
        return None
    return first, second


def _scores(record: Record) -> Scores:
    """Return the scores of a finished game; a resigned game counts as it stood."""
    if record.score is not None:
        return Scores(record.score.light, record.score.dark)
    return record.replay().last.scores()


def legal_swap(state: State) -> Swap | None:
    """Return the swap if it is legal now, else None."""
    return state.game.swap if state.can_swap else None
