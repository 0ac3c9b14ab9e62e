"""`taiji admin`: moderate the accounts of a server and its recurring tournaments, also while it runs."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._output import to_json
from taiji.cli._recurring import recurring_commands

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.identity.moderation import Operator

NAME = click.argument("name", metavar="NAME")
REASON = click.option("--reason", default="", help="Why, for the audit log.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: taiji admin close spammer --reason advertising",
)
@click.option(
    "--database-url",
    envvar="TAIJI_DATABASE_URL",
    help="Database: sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: that of taiji serve]",
)
@click.option("--by", metavar="OPERATOR", help="Your name in the audit log.  [default: your login]")
@click.pass_context
def command(context: click.Context, database_url: str | None, by: str | None) -> None:
    """List and moderate the accounts of a server.

    A running server follows within a second: it closes the connections of ended sessions and shows new names.
    Every action is written to the audit log.
    """
    from taiji.server.settings import default_database

    context.obj = (database_url or default_database(), by or getpass.getuser())


@contextmanager
def _database(context: click.Context) -> Iterator[Connection]:
    """Open the database for one transaction, beside a server that may be using it."""
    from sqlalchemy.exc import SQLAlchemyError

    from taiji.server.store.database import DatabaseError, parse_url, require_current, writing_engine

    url = parse_url(context.obj[0])
    require_current(url)
    engine = writing_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        address = url.render_as_string(hide_password=True)
        raise DatabaseError(f"{address}: cannot use the database: {reason}") from error
    finally:
        engine.dispose()


def _operator(context: click.Context, reason: str) -> Operator:
    from taiji.server.identity.moderation import Operator

    return Operator(context.obj[1], time.time_ns() // 1_000_000, reason)


def _print_rows(rows: list[dict[str, Any]], as_json: bool, line: Callable[[dict[str, Any]], str]) -> None:
    for row in rows:
        click.echo(to_json(row) if as_json else line(row))


def _date(at: int | None) -> str:
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.gmtime(at / 1000))


@command.command("list", epilog="Example: taiji admin list ada --only closed")
@click.argument("contains", default="", metavar="[PART-OF-NAME]")
@click.option("--only", type=click.Choice(["closed", "muted"]), help="Only accounts in this state.")
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 10_000), help="Rows to print."
)
@AS_JSON
@click.pass_context
def list_(context: click.Context, contains: str, only: str | None, limit: int, as_json: bool) -> None:
    """List accounts: name, type, creation (UTC), sessions, tokens and state."""
    from dataclasses import asdict

    from taiji.server.identity.moderation import list_accounts

    with _database(context) as connection:
        rows = [asdict(row) for row in list_accounts(connection, contains, limit, only=only)]

    def line(row: dict[str, Any]) -> str:
        states = [state for state in ("closed", "muted") if row[f"{state}_at"] is not None]
        counts = f"{row['sessions']} sessions  {row['tokens']} tokens"
        text = f"{row['name']:<24}  {row['account_type']:<6}  {_date(row['created_at'])}  {counts}"
        return "  ".join([text, *states])

    _print_rows(rows, as_json, line)


@command.command("log", epilog="Example: taiji admin log --account ada")
@click.option("--account", metavar="NAME", help="Only entries of this account.")
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 100_000), help="Rows to print."
)
@AS_JSON
@click.pass_context
def log(context: click.Context, account: str | None, limit: int, as_json: bool) -> None:
    """Print the audit log, newest first (UTC)."""
    from dataclasses import asdict

    from taiji.server.identity.moderation import find_account
    from taiji.server.store.audit import latest_entries

    with _database(context) as connection:
        account_id = None if account is None else find_account(connection, account).id
        rows = [asdict(entry) for entry in latest_entries(connection, limit, account_id)]

    def line(row: dict[str, Any]) -> str:
        who = row["name"] or row["account_id"] or ""
        return f"{_date(row['at'])}  {row['actor']}  {row['action']}  {who}  {row['detail']}".rstrip()

    _print_rows(rows, as_json, line)


@command.command("reports", epilog="Example: taiji admin reports --json")
@click.option("--closed", is_flag=True, help="Those that were closed instead, latest first.")
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 100_000), help="Rows to print."
)
@AS_JSON
@click.pass_context
def reports(context: click.Context, closed: bool, limit: int, as_json: bool) -> None:
    """List what players have reported, oldest first (UTC)."""
    from dataclasses import asdict

    from taiji.server.identity.reports import list_reports

    with _database(context) as connection:
        rows = [asdict(row) for row in list_reports(connection, limit, closed=closed)]

    def line(row: dict[str, Any]) -> str:
        where = f"  game {row['table']}" if row["table"] else ""
        who = f"{row['reporter']} reports {row['reported']}"
        text = f"{row['reason']}  {row['comment']}".rstrip()
        return f"{row['id']}  {_date(row['created_at'])}  {who}{where}  {text}"

    _print_rows(rows, as_json, line)


@command.command("close-report", epilog="Example: taiji admin close-report 17 --reason warned")
@click.argument("number", type=click.IntRange(1))
@REASON
@click.pass_context
def close_report(context: click.Context, number: int, reason: str) -> None:
    """Close a report that needs nothing more; the audit log keeps who closed it and why."""
    from taiji.server.identity import reports as all_reports

    with _database(context) as connection:
        closed = all_reports.close_report(connection, number, _operator(context, reason))
    click.echo(f"report {number} about {closed.reported} is closed")


def _moderate(context: click.Context, action: str, name: str, reason: str, done: str, **more: Any) -> None:
    """Run a function of the moderation module on an account, and say what was done."""
    from taiji.server.identity import moderation

    actions: dict[str, Callable[..., None]] = {
        "close": moderation.close_account,
        "reopen": moderation.reopen_account,
        "mute": moderation.mute_account,
        "unmute": moderation.unmute_account,
        "rename": moderation.rename_account,
        "revoke": moderation.revoke_credentials,
    }
    with _database(context) as connection:
        actions[action](connection, name, by=_operator(context, reason), **more)
    click.echo(done)


@command.command("close", epilog="Example: taiji admin close spammer --reason advertising")
@NAME
@REASON
@click.pass_context
def close(context: click.Context, name: str, reason: str) -> None:
    """Close an account: its sessions and tokens end, and nobody can sign in."""
    _moderate(context, "close", name, reason, f"{name} is closed")


@command.command("reopen", epilog="Example: taiji admin reopen ada")
@NAME
@REASON
@click.pass_context
def reopen(context: click.Context, name: str, reason: str) -> None:
    """Let the owner of a closed account sign in again."""
    _moderate(context, "reopen", name, reason, f"{name} is open")


@command.command("mute", epilog="Example: taiji admin mute shouter --reason insults")
@NAME
@REASON
@click.pass_context
def mute(context: click.Context, name: str, reason: str) -> None:
    """Mute an account: no open challenges, challenges of players, or tournaments."""
    _moderate(context, "mute", name, reason, f"{name} is muted")


@command.command("unmute", epilog="Example: taiji admin unmute shouter")
@NAME
@REASON
@click.pass_context
def unmute(context: click.Context, name: str, reason: str) -> None:
    """Lift a mute."""
    _moderate(context, "unmute", name, reason, f"{name} is not muted")


@command.command("rename", epilog="Example: taiji admin rename rude player-17")
@NAME
@click.argument("new_name", metavar="NEW-NAME")
@REASON
@click.pass_context
def rename(context: click.Context, name: str, new_name: str, reason: str) -> None:
    """Give an account another name, also in its past games."""
    _moderate(context, "rename", name, reason, f"{name} is now {new_name}", new_name=new_name)


@command.command("revoke", epilog="Example: taiji admin revoke ada --tokens")
@NAME
@click.option("--tokens", "tokens_too", is_flag=True, help="Also its bearer tokens.")
@REASON
@click.pass_context
def revoke(context: click.Context, name: str, tokens_too: bool, reason: str) -> None:
    """End the sessions of an account."""
    _moderate(context, "revoke", name, reason, f"the sessions of {name} have ended", tokens_too=tokens_too)


for _more in recurring_commands(_database, _operator):
    command.add_command(_more)
