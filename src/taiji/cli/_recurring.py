"""`taiji admin recurring`: tournaments that begin every week."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection

    from taiji.server.identity.moderation import Operator

    Database = Callable[[click.Context], AbstractContextManager[Connection]]
    MakeOperator = Callable[[click.Context, str], Operator]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FORMATS = ("swiss", "round-robin", "double-round-robin", "knockout")
TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
CLOCK = re.compile(r"([0-9]{1,4})\+([0-9]{1,3})")
IDENTITY = click.argument("identity", metavar="ID")


def parse_time(text: str) -> int:
    """Return the minute of the day of a time such as 19:30."""
    match = TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"time: invalid {text!r} (expected HH:MM)")
    return 60 * int(match[1]) + int(match[2])


def parse_clock(text: str) -> dict[str, Any] | None:
    """Return the time control of a text: minutes+seconds per move, or `none`."""
    if text == "none":
        return None
    match = CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"clock: invalid {text!r} (expected MINUTES+SECONDS, such as 5+5, or none)")
    return {"clock_type": "fischer", "main_s": 60 * int(match[1]), "increment_s": int(match[2])}


def recurring_commands(database: Database, operator: MakeOperator) -> Iterator[click.Command]:
    """Yield the group `recurring` and the command `unlist`."""

    @click.group("recurring", epilog="Example: taiji admin recurring list")
    def group() -> None:
        """Let tournaments begin every week: announced ahead, open to everyone, started by the server.

        A tournament with too few players at its time is cancelled with a note.
        """

    @group.command(
        "add", epilog='Example: taiji admin recurring add "Sunday 7x7" --weekday sunday --time 19:00 --rated'
    )
    @click.argument("name", metavar="NAME")
    @click.option("--game", default="nestorgames-7x7", show_default=True, help="Game or edition.")
    @click.option("--clock", default="5+5", show_default=True, help="MINUTES+SECONDS per move, or none.")
    @click.option("--weekday", required=True, type=click.Choice(WEEKDAYS), help="The day of the week.")
    @click.option("--time", "at", required=True, metavar="HH:MM", help="When it begins.")
    @click.option("--timezone", default="UTC", show_default=True, help="Such as Europe/Lisbon.")
    @click.option(
        "--format",
        "format_",
        default="swiss",
        show_default=True,
        type=click.Choice(FORMATS),
        help="Format of each.",
    )
    @click.option("--rounds", type=click.IntRange(1, 30), help="Of a Swiss.  [default: by the players]")
    @click.option("--match/--single", default=True, help="Two games per pairing, or one.  [default: match]")
    @click.option("--rated", is_flag=True, help="Only accounts can enter.")
    @click.option(
        "--min-players", default=4, show_default=True, type=click.IntRange(2, 64), help="Fewer cancel it."
    )
    @click.option("--ahead", default=7, show_default=True, type=click.IntRange(1, 60), help="Days of notice.")
    @click.pass_context
    def add(context: click.Context, /, name: str, at: str, clock: str, weekday: str, **more: Any) -> None:
        """Switch a weekly tournament on; a running server announces it within seconds."""
        from taiji.server.tournaments.recurring import add_recurring

        settings = {
            "name": name,
            "format": more["format_"],
            "game": more["game"],
            "rounds": more["rounds"],
            "match": more["match"],
            "clock": parse_clock(clock),
            "rated": more["rated"],
        }
        with database(context) as connection:
            one = add_recurring(
                connection,
                settings,
                weekday=WEEKDAYS.index(weekday),
                minute=parse_time(at),
                timezone=more["timezone"],
                min_players=more["min_players"],
                ahead_days=more["ahead"],
                by=operator(context, ""),
            )
        click.echo(f"{one.id}  {name}: every {weekday} at {at} {more['timezone']}")

    @group.command("list", epilog="Example: taiji admin recurring list")
    @click.pass_context
    def list_(context: click.Context) -> None:
        """List the weekly tournaments: id, name, day, time, time zone, players and state."""
        from taiji.server.tournaments.recurring import list_recurring

        with database(context) as connection:
            rows = list_recurring(connection)
        for one in rows:
            when = f"{WEEKDAYS[one.weekday]} {one.minute // 60:02}:{one.minute % 60:02} {one.timezone}"
            state = "on" if one.enabled else "off"
            target = f"{one.settings['name']}  {one.settings['game']}"
            click.echo(f"{one.id}  {target}  {when}  {one.min_players} players or more  {state}")

    def switch(context: click.Context, identity: str, *, enabled: bool) -> None:
        from taiji.server.tournaments.recurring import switch_recurring

        with database(context) as connection:
            switch_recurring(connection, identity, enabled=enabled, by=operator(context, ""))
        click.echo(f"{identity} is {'on' if enabled else 'off'}")

    @group.command("on", epilog="Example: taiji admin recurring on 4kWz7QpLx2Ba")
    @IDENTITY
    @click.pass_context
    def on(context: click.Context, identity: str) -> None:
        """Switch a weekly tournament on again."""
        switch(context, identity, enabled=True)

    @group.command("off", epilog="Example: taiji admin recurring off 4kWz7QpLx2Ba")
    @IDENTITY
    @click.pass_context
    def off(context: click.Context, identity: str) -> None:
        """Announce no more of a weekly tournament; those that are announced take place."""
        switch(context, identity, enabled=False)

    @group.command("remove", epilog="Example: taiji admin recurring remove 4kWz7QpLx2Ba")
    @IDENTITY
    @click.pass_context
    def remove(context: click.Context, identity: str) -> None:
        """Forget a weekly tournament; those that are announced take place."""
        from taiji.server.tournaments.recurring import remove_recurring

        with database(context) as connection:
            remove_recurring(connection, identity, by=operator(context, ""))
        click.echo(f"{identity} is removed")

    @click.command("unlist", epilog="Example: taiji admin unlist 4kWz7QpLx2Ba --reason advertising")
    @IDENTITY
    @click.option("--reason", default="", help="Why, for the audit log.")
    @click.pass_context
    def unlist(context: click.Context, identity: str, reason: str) -> None:
        """Take a tournament off the public list; whoever has its link can still see it."""
        from taiji.server.tournaments.recurring import unlist_tournament

        with database(context) as connection:
            unlist_tournament(connection, identity, by=operator(context, reason))
        click.echo(f"{identity} is not listed any more")

    yield group
    yield unlist
