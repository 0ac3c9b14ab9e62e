"""`taiji bot`: connect a player to a server, as an example of the bot API."""

from __future__ import annotations

import click

from taiji.cli._completions import complete_game, complete_player
from taiji.cli._options import GAME_FILES


@click.command(epilog="Example: taiji bot --url http://127.0.0.1:8321 --token taiji_… --player level:5")
@click.option("--url", required=True, help="The server's address.")
@click.option(
    "--token", required=True, envvar="TAIJI_TOKEN", help="A token of the bot's account.  [also: TAIJI_TOKEN]"
)
@click.option(
    "--player",
    default="level:5",
    show_default=True,
    shell_complete=complete_player,
    help="The player that chooses the moves.",
)
@click.option(
    "--offer",
    metavar="GAME",
    shell_complete=complete_game,
    help="First create an open challenge for this game.",
)
@GAME_FILES
def command(url: str, token: str, player: str, offer: str | None) -> None:
    """Accept challenges on a server and play them.

    Create an account there, then a token: docs/bots.md shows each step. The bot plays any number of tables at
    once and reconnects by itself.
    """
    import asyncio

    import httpx

    from taiji.players import make_player
    from taiji.protocol.bot_client import Bot

    make_player(player).close()
    challenge = {"game": offer, "opponent": "open", "match": False} if offer else None
    try:
        asyncio.run(Bot(url, token, player, click.echo).run(challenge))
    except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
        raise ValueError(f"{url}: cannot connect: {error}") from error
