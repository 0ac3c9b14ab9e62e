"""The commands that can be typed instead of a move."""

from __future__ import annotations

COMMANDS = {
    "help": "this list",
    "board": "draw the board; `board off` stops drawing it after each move, `board on` starts again",
    "read": "read out the board row by row",
    "score": "print the scores and the scoring groups",
    "moves": "list the legal moves; `moves e4` lists those that cover e4",
    "why": "explain why a move is illegal: `why e4/e5`",
    "hint": "suggest a move",
    "go": "play a good move for me",
    "undo": "take back my last move",
    "swap": "swap colours instead of placing a piece, if the rules allow it",
    "supply": "list the pieces that are left",
    "clock": "print the remaining time",
    "position": "print the position as text",
    "record": "print the game so far as a record",
    "review": "evaluate the moves so far; ctrl-c stops",
    "resign": "resign the game",
    "save": "save the game and print the file name",
    "quit": "quit; an unfinished game is saved",
}
"""Each command with its line in `help`."""

ALIASES = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "u": "undo",
    "b": "board",
    "scores": "score",
}


def find_command(text: str) -> tuple[str, str] | None:
    """Split a line into a command and its argument; return None if it is a move. A unique prefix will do."""
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    name = word if word in COMMANDS else _find_by_prefix(word) or ALIASES.get(word)
    return None if name is None else (name, rest.strip())


def _find_by_prefix(word: str) -> str | None:
    if len(word) < 2 or not word.isalpha():
        return None
    matches = [name for name in COMMANDS if name.startswith(word)]
    return matches[0] if len(matches) == 1 else None


def help_lines() -> list[str]:
    """Return the text of `help`, line by line."""
    width = max(map(len, COMMANDS))
    return [
        "Type a move: its light cells, a slash, its dark cells, such as e4/e5;",
        "for a piece without colours all its cells, such as e4e5e6f5. Or a command:",
        *(f"  {name:<{width}}  {help_text}" for name, help_text in COMMANDS.items()),
    ]
