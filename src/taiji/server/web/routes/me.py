"""The current user: name, account, sign-in and tokens."""

from fastapi import APIRouter, Request, Response

from taiji import __version__
from taiji.server.contract import account_changes, accounts
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import PROTOCOL
from taiji.server.identity.auth import bearer_token, legacy_cookie
from taiji.server.identity.credentials import csrf_token
from taiji.server.identity.devices import describe_device
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.sessions import NewSession
from taiji.server.identity.users import ANONYMOUS, User
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import (
    Actor,
    BrowserUser,
    Context,
    CredentialId,
    CurrentUser,
    client_address,
    error_responses,
    require_account,
)

router = APIRouter(prefix="/api", tags=["me"])


def me_view(user: User, token: str | None) -> accounts.Me:
    """Return what a user may know of themselves."""
    account = user.account
    return accounts.Me(
        name=user.name,
        account=None
        if account is None
        else accounts.AccountInfo(name=account.name, account_type=account.account_type),
        csrf=None if token is None else csrf_token(token),
        protocol=PROTOCOL,
        version=__version__,
    )


def device(request: Request) -> str:
    """Return the browser of a request in a few words."""
    return describe_device(request.headers.get("user-agent", ""))


def start_session(
    context: AppContext, request: Request, response: Response, session: NewSession
) -> accounts.Me:
    """Set the cookie of a new session, and return its user."""
    context.authenticator.set_cookie(request, response, session, context.time.now())
    return me_view(session.user, session.token)


@router.get("/me", responses=error_responses("bad-token", "too-many-requests"))
async def read_me(request: Request, response: Response, context: Context) -> accounts.Me:
    """Return the current user; the first call of a browser starts its session."""
    response.headers["Cache-Control"] = "no-store"
    user = await context.authenticator.authenticate(request)
    if user is not ANONYMOUS:
        token = None if bearer_token(request) else context.authenticator.session_token(request)
        return me_view(user, token)
    if not is_same_origin(request, context.settings):
        return me_view(ANONYMOUS, None)  # another site must not replace the session
    context.rate_limiter.acquire("sessions", client_address(request).address)
    old = legacy_cookie(request)
    session = None if old is None else await context.sessions.exchange(old, device(request))
    return start_session(context, request, response, session or await context.sessions.issue(device(request)))


@router.patch("/me", responses=error_responses("csrf", "name-taken", "too-many-requests", "no-session"))
async def rename_me(
    request: Request, change: accounts.NameChange, context: Context, user: BrowserUser
) -> accounts.Me:
    """Change my display name."""
    renamed = await context.users.rename(user, change.name)
    return me_view(renamed, context.authenticator.session_token(request))


@router.post(
    "/account",
    status_code=201,
    responses=error_responses("csrf", "name-taken", "common-password", "too-many-requests", "no-session"),
)
async def create_account(
    request: Request, response: Response, new: accounts.NewAccount, context: Context, user: BrowserUser
) -> account_changes.Registered:
    """Create an account; it takes over the games played so far, in a new session."""
    if user.account is not None:
        raise ApiError("name-taken", "you are signed in already")
    context.auth_limits.before_registration(client_address(request))
    account, codes = await context.users.register(new.name, new.password, bot=new.bot)
    session = await context.sessions.sign_in(user, account.id, device(request))
    me = start_session(context, request, response, session)
    return account_changes.Registered(**me.model_dump(), recovery_codes=codes)


@router.post(
    "/session",
    responses=error_responses("csrf", "wrong-password", "account-closed", "too-many-requests", "no-session"),
)
async def sign_in(
    request: Request, response: Response, credentials: accounts.SignIn, context: Context, user: BrowserUser
) -> accounts.Me:
    """Sign in with name and password, in a new session."""
    account_id = await check_sign_in(context, request, credentials, user)
    session = await context.sessions.sign_in(user, account_id, device(request))
    return start_session(context, request, response, session)


async def check_sign_in(
    context: AppContext, request: Request, credentials: accounts.SignIn, user: User
) -> str:
    """Return the id of the account with this name and password, within the limits on guessing."""
    limits, key = context.auth_limits, credentials.name.lower()
    account = None if user.last_account_id is None else await context.users.find_account(credentials.name)
    is_known = account is not None and account.id == user.last_account_id
    limits.before_sign_in(client_address(request), key, user if is_known else None)
    try:
        return await context.users.check_password(credentials.name, credentials.password)
    except ApiError:
        limits.after_failure(key)
        raise


@router.delete(
    "/session", status_code=204, responses=error_responses("csrf", "too-many-requests", "no-session")
)
async def sign_out(request: Request, context: Context, user: BrowserUser) -> Response:
    """Sign out; the browser becomes a new guest."""
    response = Response(status_code=204)
    start_session(context, request, response, await context.sessions.sign_out(user, device(request)))
    return response


@router.get("/account/tokens", responses=error_responses("no-account"))
async def list_tokens(context: Context, user: CurrentUser) -> accounts.TokenList:
    """List my bearer tokens."""
    return accounts.TokenList(tokens=await context.users.list_tokens(require_account(user)))


@router.post(
    "/account/tokens",
    status_code=201,
    responses=error_responses("csrf", "no-account", "no-session", "too-many-requests"),
)
async def create_token(
    request: Request, new: accounts.NewToken, context: Context, user: BrowserUser
) -> accounts.CreatedToken:
    """Create a bearer token for a bot or script, from a browser; its secret is sent only once.

    A token creates no other: one that leaked ends when it is revoked.
    """
    account = require_account(user)
    context.auth_limits.before_token(client_address(request), account.id)
    identity, token = await context.users.add_token(account, new.label)
    return accounts.CreatedToken(id=identity, label=new.label, token=token)


@router.delete(
    "/account/tokens/{token_id}",
    status_code=204,
    responses=error_responses("csrf", "no-account", "not-found", "too-many-requests"),
)
async def revoke_token(token_id: CredentialId, context: Context, user: Actor) -> Response:
    """Revoke a token."""
    await context.users.revoke_token(require_account(user), token_id)
    return Response(status_code=204)
