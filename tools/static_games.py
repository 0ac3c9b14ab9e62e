"""Write the catalogue and the definitions of games for a static build of the web app: `make static`.

Without a server nothing compiles a game, so every combination of options that the page offers is a file.
Random boards are offered by seed up to MAX_SEED, in the usual size; drawing one needs a server. So do the
options of a fair start, whose combinations would be too many files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from taiji.rules import GameError, parse_game
from taiji.rules.fair_start import KOMI, OPENING, PIE
from taiji.server.contract.catalogue import Catalogue, GameInfo
from taiji.server.domain.game_definition import catalogue, game_definition

MAX_SEED = 20
SEEDS = 10_000
"""An option with at least this many values is a seed, as in the page."""
FAIR_START = frozenset({"tie", KOMI.name, PIE.name, OPENING.name})


def limited(game: GameInfo) -> GameInfo:
    """Return a game with the options that a static build offers."""
    offered = [option for option in game.options if option.name not in FAIR_START]
    has_seed = any(option.type == "whole" and option.high >= SEEDS for option in offered)
    options = [
        option.model_copy(update={"low": 1, "high": MAX_SEED})
        if option.type == "whole" and option.high >= SEEDS
        else option
        for option in offered
        if option.type != "drawn" and not (has_seed and option.name == "size")
    ]
    return game.model_copy(update={"options": options})


def texts(game: GameInfo) -> Iterator[str]:
    """Yield every text of a game that the form of the page can make."""
    choices: list[list[str]] = []
    for option in game.options:
        values = option.values if option.type == "choice" else range(option.low, option.high + 1)
        others = [f"{option.name}={value}" for value in values if value != option.default]
        choices.append(["", *others])
    for chosen in product(*choices):
        options = ",".join(filter(None, chosen))
        yield f"{game.name}:{options}" if options else game.name


def exists(text: str) -> bool:
    """Return whether the options of a text go together."""
    try:
        parse_game(text)
    except GameError:
        return False
    return True


def file_name(text: str) -> str:
    """Return the name of a game's file, as in `web/src/net/definitionPath.ts`."""
    name, _, options = text.partition(":")
    parts = [name, *(sorted(options.split(",")) if options else ())]
    return ".".join(parts).replace("+", "_").replace("=", "-") + ".json"


def main(folder: Path) -> None:
    """Write every file into the folder."""
    whole = catalogue()
    offered = Catalogue(
        games=[limited(game) for game in whole.games],
        editions=whole.editions,
        openings=[],
        levels=whole.levels,
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.json").write_text(offered.model_dump_json(), encoding="utf-8")
    names = [text for game in offered.games for text in texts(game)] + [one.name for one in whole.editions]
    for text in filter(exists, names):
        (folder / file_name(text)).write_text(game_definition(text).model_dump_json(), encoding="utf-8")
    print(f"{len(list(folder.iterdir())) - 1} games in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
