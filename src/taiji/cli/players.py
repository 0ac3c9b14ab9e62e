"""`taiji players`: list the computer players."""

from __future__ import annotations

import click

from taiji.cli._output import to_json


@click.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    r"""List the computer players, the Elo of the levels, and the games for which `neural` has a net.

    A player is written NAME or NAME:option=value,option=value; docs/players.md has the options.

    \b
    Examples:
      taiji players
      taiji arena level:5 mcts:playouts=1000 --game taiji:size=7
    """
    from taiji.nets.net import bundled_nets, open_net
    from taiji.players.level_table import levels
    from taiji.players.summaries import PLAYERS

    elos = {
        f"{name} {width}×{width}": [level.elo for level in rows]
        for name, by_width in levels().items()
        for width, rows in by_width.items()
    }
    nets = [open_net(path) for path in bundled_nets()]
    if as_json:
        players = [
            {"name": each.name, "summary": each.summary, "examples": list(each.examples)} for each in PLAYERS
        ]
        listing = {
            "players": players,
            "levels": elos,
            "nets": [{"name": net.name, "games": [str(game) for game in net.games]} for net in nets],
        }
        click.echo(to_json(listing))
        return
    for each in PLAYERS:
        shown = each.examples[0] if len(each.examples) < 3 else f"{each.examples[0]} … {each.examples[-1]}"
        click.echo(f"{each.name:<10} {each.summary}  ({shown})")
    click.echo("Elo of level 1 to 10 above level 1 (?: too few games):")
    for game, ratings in elos.items():
        texts = ["?" if elo is None else str(elo) for elo in ratings]
        click.echo(f"  {game:<27} {' '.join(f'{elo:>4}' for elo in texts)}")
    click.echo(f"nets of neural: {', '.join(f'{net.name} ({len(net.games)} games)' for net in nets)}")
