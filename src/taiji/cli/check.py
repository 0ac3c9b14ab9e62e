"""`taiji check`: compare the events of a database with the columns derived from them."""

from __future__ import annotations

from itertools import chain

import click

from taiji.cli._options import database_option


@click.command(epilog="Example: taiji check --limit 1000")
@database_option
@click.option(
    "--limit",
    type=click.IntRange(1),
    help="Replay only this many games, those changed last.  [default: all]",
)
def command(database_url: str | None, limit: int | None) -> None:
    """Check that the stored events lead to what lists, clocks and ratings show, also beside a running server.

    Prints one line per problem; exits with status 1 if there is one.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from taiji.server.settings import default_database
    from taiji.server.store.database import DatabaseError, parse_url, require_current, snapshot
    from taiji.server.store.integrity import find_problems
    from taiji.server.tournaments import integrity as tournaments

    url = parse_url(database_url or default_database())
    require_current(url)
    count = 0
    try:
        with snapshot(url) as connection:
            for problem in chain(find_problems(connection, limit), tournaments.find_problems(connection)):
                click.echo(problem)
                count += 1
    except SQLAlchemyError as error:
        address = url.render_as_string(hide_password=True)
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise DatabaseError(f"{address}: cannot read the database: {reason}") from error
    if count:
        raise SystemExit(1)
    click.echo("no problems")
