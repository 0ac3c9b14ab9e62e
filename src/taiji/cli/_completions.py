"""What a shell offers for a word that is not complete: games with their options, players, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def complete_game(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Offer games, editions, the options and values of a game, and files."""
    from click.shell_completion import CompletionItem

    from taiji.rules import EDITIONS, GAMES

    name, colon, rest = text.partition(":")
    if not colon:
        offers = [CompletionItem(game.name, help=game.title) for game in GAMES.values()]
        offers += [CompletionItem(f"{game.name}:", help="with options") for game in GAMES.values()]
        offers += [CompletionItem(edition.name, help=edition.title) for edition in EDITIONS.values()]
        begun = [offer for offer in offers if str(offer.value).startswith(text)]
        return [*begun, CompletionItem(text, type="file")]
    game = GAMES.get(name)
    if game is None:
        return []
    before, _, last = rest.rpartition(",")
    head = f"{name}:{before}," if before else f"{name}:"
    chosen = {part.partition("=")[0] for part in before.split(",")}
    key, equals, _ = last.partition("=")
    if equals:
        option = next((option for option in game.options if option.name == key), None)
        values = getattr(option, "values", None) or _numbers(option)
        words = [f"{key}={value}" for value in values]
    else:
        words = [f"{option.name}=" for option in game.options if option.name not in chosen]
    return [CompletionItem(head + word) for word in words if word.startswith(last)]


def _numbers(option: object) -> list[int]:
    low, high = getattr(option, "low", 0), getattr(option, "high", -1)
    return list(range(low, high + 1)) if high - low < 100 else []


def complete_player(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Offer the players, and `level:1` to `level:10`."""
    from click.shell_completion import CompletionItem

    from taiji.players.summaries import PLAYERS

    offers = [CompletionItem(word, help=player.summary) for player in PLAYERS for word in player.examples]
    return [offer for offer in offers if str(offer.value).startswith(text)]


def complete_opponent(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Offer `person` and the players."""
    from click.shell_completion import CompletionItem

    person = [CompletionItem("person", help="somebody at this terminal")] if "person".startswith(text) else []
    return [*person, *complete_player(context, parameter, text)]


def complete_puzzle_set(
    context: click.Context, parameter: click.Parameter, text: str
) -> list[CompletionItem]:
    """Offer the sets of puzzles of the package."""
    from click.shell_completion import CompletionItem

    from taiji.analysis.puzzles import shipped_sets

    return [CompletionItem(name) for name in shipped_sets() if name.startswith(text)]
