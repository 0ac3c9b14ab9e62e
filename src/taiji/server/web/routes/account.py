"""The account: password, recovery codes, export and deletion."""

import json
from functools import partial

from fastapi import APIRouter, Request, Response

from taiji.server.contract import account_changes, accounts
from taiji.server.contract.errors import ApiError
from taiji.server.identity.users import ANONYMOUS, User
from taiji.server.web.context import AppContext
from taiji.server.web.export import export_user
from taiji.server.web.routes.deps import (
    BrowserUser,
    Context,
    CurrentUser,
    client_address,
    error_responses,
    require_account,
)
from taiji.server.web.routes.me import device, start_session

router = APIRouter(prefix="/api", tags=["account"])

CHANGING = error_responses("csrf", "no-account", "no-session", "wrong-password", "too-many-requests")


def _before_password(context: AppContext, request: Request, user: User) -> None:
    """Limit guesses of the password in a session that is not its owner's."""
    key = require_account(user).name.lower()
    context.auth_limits.before_sign_in(client_address(request), key, user)


@router.post("/account/password", responses=CHANGING)
async def change_password(
    request: Request,
    response: Response,
    change: account_changes.PasswordChange,
    context: Context,
    user: BrowserUser,
) -> accounts.Me:
    """Change my password; all other sessions end, and this one continues under a new cookie."""
    account = require_account(user)
    _before_password(context, request, user)
    await context.account_service.change_password(account, change.current, change.new)
    session = await context.sessions.sign_in(user, account.id, device(request))
    await context.sessions.revoke_account(account.id, keep=session.user.session_id)
    return start_session(context, request, response, session)


@router.post(
    "/account/recovery",
    responses=error_responses("csrf", "no-session", "wrong-code", "common-password", "too-many-requests"),
)
async def reset_password(
    request: Request,
    response: Response,
    reset: account_changes.PasswordReset,
    context: Context,
    user: BrowserUser,
) -> accounts.Me:
    """Set a new password by a recovery code and sign in; all sessions and tokens before end."""
    context.auth_limits.before_recovery(client_address(request), reset.name.lower())
    account_id = await context.account_service.reset_password(reset.name, reset.code, reset.password)
    await context.sessions.revoke_account(account_id, tokens_too=True)
    session = await context.sessions.sign_in(user, account_id, device(request))
    return start_session(context, request, response, session)


@router.get("/account/recovery-codes", responses=error_responses("no-account"))
async def recovery_status(context: Context, user: CurrentUser) -> account_changes.RecoveryStatus:
    """Return how many of my recovery codes are left."""
    return account_changes.RecoveryStatus(
        unused=await context.account_service.count_codes(require_account(user))
    )


@router.post("/account/recovery-codes", status_code=201, responses=CHANGING)
async def new_recovery_codes(
    request: Request, proof: account_changes.PasswordConfirmation, context: Context, user: BrowserUser
) -> account_changes.RecoveryCodes:
    """Replace my recovery codes; they are sent only once."""
    _before_password(context, request, user)
    codes = await context.account_service.new_codes(require_account(user), proof.password)
    return account_changes.RecoveryCodes(codes=codes)


@router.get(
    "/me/export", response_class=Response, responses=error_responses("no-session", "too-many-requests")
)
async def export(context: Context, user: CurrentUser) -> Response:
    """Download everything that the server stores about me."""
    if user is ANONYMOUS:
        raise ApiError("no-session")
    context.rate_limiter.acquire("exports", user.id)
    document = await context.store.read(partial(export_user, user=user, now=context.time.now()))
    headers = {"Content-Disposition": 'attachment; filename="taiji-export.json"', "Cache-Control": "no-store"}
    content = json.dumps(document, ensure_ascii=False, indent=1)
    return Response(content, media_type="application/json", headers=headers)


@router.post("/me/delete", responses=CHANGING)
async def delete_me(
    request: Request,
    response: Response,
    deletion: account_changes.Deletion,
    context: Context,
    user: BrowserUser,
) -> accounts.Me:
    """Delete my account, or me as a guest; my games stay with a nameless player, and I become a new guest."""
    if user.account is not None:
        _before_password(context, request, user)
        await context.account_service.confirm(user.account, deletion.password or "")
        await context.sessions.revoke_account(user.account.id, tokens_too=True)
    await context.erasure.erase(user)
    await context.sessions.recheck()
    return start_session(context, request, response, await context.sessions.issue(device(request)))
