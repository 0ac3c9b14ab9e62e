"""Solve a puzzle line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.analysis.puzzles import Attempt, Puzzle, Verdict
from taiji.notation import NotationError, parse_position
from taiji.render.text import draw
from taiji.rules import IllegalMove

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.rules import Move, State

GOAL_WORDS = {"win": "{colour} to move and win", "margin": "{colour} to move and keep the best margin"}


def heading(puzzle: Puzzle) -> str:
    """Return one line: the id, the game, the goal and the rating."""
    state = parse_position(puzzle.position)
    colour = state.game.colour_names.of(state.colour_to_move)
    goal = GOAL_WORDS[puzzle.goal].format(colour=colour)
    choices = len(state.legal())
    return f"{puzzle.id} ({puzzle.game}, rating {puzzle.rating}): {goal}; one of {choices} moves does it"


def picture(puzzle: Puzzle, *, ascii: bool, colour: bool) -> str:  # noqa: A002 - the word of `draw`
    """Return the drawing of the position."""
    return draw(parse_position(puzzle.position), ascii=ascii, colour=colour)


def solution_lines(puzzle: Puzzle) -> list[str]:
    """Return the solution, best play after it, and the result."""
    attempt = Attempt(puzzle)
    lines = [f"solution: {' '.join(puzzle.solution)}"]
    if puzzle.rest:
        lines.append(f"then: {' '.join(puzzle.rest)}")
    return [*lines, _result(attempt.final())]


def solve_here(
    puzzle: Puzzle,
    read: Callable[[str], str | None],
    write: Callable[[str], None],
    *,
    ascii: bool,  # noqa: A002 - the word of `draw`
    colour: bool,
) -> bool:
    """Let the user solve a puzzle; return whether it was solved without a mistake."""
    attempt = Attempt(puzzle)
    write(heading(puzzle))

    def show(last: Move | None = None) -> None:
        write(draw(attempt.state, ascii=ascii, colour=colour, last=last))

    show()
    while not attempt.is_solved:
        line = read("move, hint, solution or quit: ")
        if line is None or line.strip().lower() in ("quit", "q"):
            return False
        _answer(attempt, line.strip(), write, show)
    for text in solution_lines(puzzle):
        write(text)
    return attempt.mistakes == 0


def _answer(
    attempt: Attempt, line: str, write: Callable[[str], None], show: Callable[[Move | None], None]
) -> None:
    if line.lower() == "hint":
        attempt.mistakes += 1
        write(f"It begins with {str(attempt.next_move)[:2]}.")
        return
    if line.lower() == "solution":
        write(f"The move is {attempt.reveal()}.")
        return
    try:
        verdict = attempt.try_move(line)
    except (IllegalMove, NotationError) as error:
        write(f"{line[:40]}: {error}")
        return
    if verdict is Verdict.WRONG:
        write(f"{line}: no, that misses the goal. Try again.")
    elif verdict is Verdict.RIGHT:
        answer = attempt.moves[-1]
        write(f"{attempt.moves[-2]}: right! The answer is {answer}. Find the next move.")
        show(answer)
    else:
        write(f"{attempt.moves[-1]}: right, solved!")


def _result(state: State) -> str:
    """Return the last line of a drawing: the scores and the winner."""
    return str(state).rsplit("\n", 1)[-1]
