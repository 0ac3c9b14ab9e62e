"""What can be typed instead of a move, and what it means."""

from __future__ import annotations

COMMANDS = {
    "help": "this list",
    "board": "draw the board; `board off` leaves it out after moves, `board on` brings it back",
    "read": "say what lies on each row",
    "score": "say the scores and what they are made of",
    "moves": "list the moves; `moves e4` only those that cover e4",
    "why": "say why a move is not allowed: `why e4/e5`",
    "hint": "propose a move",
    "go": "play a good move for me",
    "undo": "take back my last move",
    "swap": "exchange colours instead of placing, where the rules allow it",
    "supply": "say which pieces are left",
    "clock": "say how much time is left",
    "position": "print the position as text",
    "record": "print the game so far as a record",
    "resign": "give the game up",
    "save": "save the game and say where",
    "quit": "leave; an unfinished game is saved",
}
"""The commands, with what `help` says about each."""

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
    """Split a line into a command and its rest; None where it is a move. A unique beginning is enough."""
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    if word in COMMANDS:
        return word, rest.strip()
    if len(word) >= 2 and word.isalpha():
        fitting = [name for name in COMMANDS if name.startswith(word)]
        if len(fitting) == 1:
            return fitting[0], rest.strip()
    aliases = {
        "?": "help",
        "h": "help",
        "q": "quit",
        "exit": "quit",
        "u": "undo",
        "b": "board",
        "scores": "score",
    }
    return (aliases[word], rest.strip()) if word in aliases else None


def help_lines() -> list[str]:
    """Return the list of commands."""
    width = max(map(len, COMMANDS))
    return [
        "Type a move: its light cells, a stroke, its dark cells, such as e4/e5;",
        "of a piece without colours all cells, such as e4e5e6f5. Or one of these words:",
        *(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()),
    ]
