"""How long a study will take, estimated from a short sample before it starts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from taiji.kernel import get_kernel
from taiji.rules import parse_game
from taiji.study.selfplay import make_mover
from taiji.study.spec import SpecError, Strength, StudiedGame, Study

MIN_GAMES = 20
"""A study with fewer games per strength says nothing."""
MAX_NAMED_GAMES = 4
"""How many games an error names."""
SAMPLE_S = 0.3
"""Time to sample one game of the study."""
SAMPLE_PLAYOUTS = 400
RANDOM_GAMES = 20
USABLE = 0.9
"""Share of the minutes to plan for."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The estimated time of a study."""

    seconds: float
    """On all workers together, divided by their number."""
    games: int
    sampled: int
    """Number of moves that were timed."""
    is_partial: bool = False
    """Whether strengths on an accelerator are left out, because only compiling them would tell."""

    def text(self) -> str:
        """Return the estimate in words."""
        rest = ", without the batched search" if self.is_partial else ""
        return f"about {write_minutes(self.seconds)} for {self.games:,} games{rest}"


def estimate(study: Study, workers: int) -> Budget:
    """Time some moves of every game and return the estimate for the whole study."""
    seconds, sampled = 0.0, 0
    if study.kind == "openings":
        entry, settings = study.games[0], study.openings
        plies, per_playout, overhead, sampled = _sample(entry, study.strengths[-1])
        games = settings.keep * settings.games
        seconds = games * plies * (overhead + study.strengths[-1].playouts * per_playout)
        searched = settings.candidates * settings.screen_playouts + settings.keep * settings.confirm_playouts
        return Budget((seconds + searched * per_playout) / workers, games, sampled)
    is_partial = False
    for entry in study.games:
        samples: dict[str, tuple[float, float, float, int]] = {}
        for cell in study.cells():
            if cell.game != entry:
                continue
            if cell.strength.is_batched:
                is_partial = True
                continue
            if cell.strength.player not in samples:
                samples[cell.strength.player] = _sample(entry, cell.strength)
                sampled += samples[cell.strength.player][3]
            plies, per_playout, overhead, _ = samples[cell.strength.player]
            seconds += cell.games * plies * (overhead + cell.strength.playouts * per_playout)
    return Budget(seconds / workers, study.total(), sampled, is_partial)


def _sample(entry: StudiedGame, strength: Strength) -> tuple[float, float, float, int]:
    """Return plies per game, seconds per playout, seconds per move besides, and the number of timed moves."""
    kernel = get_kernel(parse_game(entry.board_game(0)))
    random = kernel.start().playouts(RANDOM_GAMES, seed=1)
    playouts = min(SAMPLE_PLAYOUTS, strength.playouts)
    mover = make_mover(kernel, strength.player, playouts, 1)
    brief = make_mover(kernel, strength.player, 1, 1)
    position = kernel.start()
    began = time.perf_counter()
    spent, overhead, moves = 0.0, 0.0, 0
    try:
        while not position.is_over and (not moves or time.perf_counter() - began < SAMPLE_S):
            start = time.perf_counter()
            brief.choose(position)
            overhead += time.perf_counter() - start
            start = time.perf_counter()
            action, _ = mover.choose(position)
            spent += time.perf_counter() - start
            moves += 1
            position.play(action)
            for each in (mover, brief):
                each.played(action)
    finally:
        mover.close()
        brief.close()
    per_move = overhead / moves
    per_playout = max(1e-8, (spent / moves - per_move) / max(1, playouts - 1))
    return random.plies / random.playouts, per_playout, per_move, moves


def fit(study: Study, budget: Budget, minutes: float, *, may_reduce: bool) -> Study:
    """Return the study with a number of games that fits the minutes; raise `SpecError` if none does."""
    if budget.seconds <= minutes * 60:
        return study
    names = ", ".join(game.name for game in study.games[:MAX_NAMED_GAMES])
    if len(study.games) > MAX_NAMED_GAMES:
        names += f" and {len(study.games) - MAX_NAMED_GAMES} more"
    playouts = ", ".join(f"{strength.playouts:,}" for strength in study.strengths)
    fitting = int(study.count * USABLE * minutes * 60 / budget.seconds)
    counts = [game.games for game in study.games] + [strength.games for strength in study.strengths]
    is_fixed = not may_reduce or study.kind == "openings" or any(counts)
    if is_fixed or fitting < MIN_GAMES:
        least = budget.seconds * min(study.count, MIN_GAMES) / study.count
        reason, needed = (
            (f"{budget.text()} at {playouts} playouts per move", budget.seconds)
            if is_fixed
            else (f"even {MIN_GAMES} games per strength take {write_minutes(least)}", least)
        )
        raise SpecError(
            f"{names}: too large to study in {minutes:g} minutes: {reason} "
            f"(expected --minutes {-(-needed * 1.2 // 60):.0f}, fewer --playouts, or more --workers)"
        )
    return study.with_count(fitting)


def write_minutes(seconds: float) -> str:
    """Return a time in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
