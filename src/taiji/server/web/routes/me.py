"""The current user: name, account, sign-in and tokens."""

from fastapi import APIRouter, Request, Response

from taiji import __version__
from taiji.server.contract import accounts
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import PROTOCOL
from taiji.server.identity.auth import bearer_token, get_or_create_cookie, read_cookie, set_cookie
from taiji.server.identity.credentials import csrf_token, new_secret
from taiji.server.identity.users import User
from taiji.server.web.routes.deps import (
    Actor,
    Context,
    CurrentUser,
    client_address,
    error_responses,
    require_account,
)

router = APIRouter(prefix="/api", tags=["me"])


def me_view(user: User, cookie: str | None) -> accounts.Me:
    """Return what a user may know of themselves."""
    account = user.account
    return accounts.Me(
        name=user.name,
        account=None
        if account is None
        else accounts.AccountInfo(name=account.name, account_type=account.account_type),
        csrf=None if cookie is None else csrf_token(cookie),
        protocol=PROTOCOL,
        version=__version__,
    )


def _cookie(request: Request) -> str:
    """Return the cookie of a request that must come from a browser."""
    cookie = read_cookie(request)
    if cookie is None or bearer_token(request) is not None:
        raise ApiError("csrf", "this request needs a browser's cookie, not a token")
    return cookie


@router.get("/me", responses=error_responses("bad-token"))
async def read_me(request: Request, response: Response, context: Context) -> accounts.Me:
    """Return the current user; a visitor's first call sets the cookie."""
    response.headers["Cache-Control"] = "no-store"
    if bearer_token(request) is not None:
        return me_view(await context.authenticator.authenticate(request), None)
    cookie = get_or_create_cookie(request, response)
    return me_view(await context.users.find_by_cookie(cookie), cookie)


@router.patch("/me", responses=error_responses("csrf", "name-taken", "too-many-requests", "bad-token"))
async def rename_me(
    request: Request, change: accounts.NameChange, context: Context, user: Actor
) -> accounts.Me:
    """Change my display name."""
    cookie = _cookie(request)
    return me_view(await context.users.rename(user, cookie, change.name), cookie)


@router.post(
    "/account",
    status_code=201,
    responses=error_responses("csrf", "name-taken", "too-many-requests", "bad-token"),
)
async def create_account(
    request: Request, new: accounts.NewAccount, context: Context, user: Actor
) -> accounts.Me:
    """Create an account; it takes over the games played so far."""
    cookie = _cookie(request)
    if user.account is not None:
        raise ApiError("name-taken", "you are signed in already")
    context.rate_limiter.acquire("accounts", client_address(request))
    await context.users.register(cookie, new.name, new.password, bot=new.bot)
    return me_view(await context.users.find_by_cookie(cookie), cookie)


@router.post(
    "/session", responses=error_responses("csrf", "wrong-password", "too-many-requests", "bad-token")
)
async def sign_in(
    request: Request, response: Response, credentials: accounts.SignIn, context: Context, user: Actor
) -> accounts.Me:
    """Sign in with name and password."""
    old = _cookie(request)
    context.rate_limiter.acquire("sign-ins", f"{client_address(request)} {credentials.name.lower()}")
    cookie = await context.users.sign_in(old, credentials.name, credentials.password)
    set_cookie(request, response, cookie)
    return me_view(await context.users.find_by_cookie(cookie), cookie)


@router.delete(
    "/session", status_code=204, responses=error_responses("csrf", "too-many-requests", "bad-token")
)
async def sign_out(request: Request, context: Context, user: Actor) -> Response:
    """Sign out; the browser becomes a new visitor."""
    await context.users.sign_out(_cookie(request))
    response = Response(status_code=204)
    set_cookie(request, response, new_secret())
    return response


@router.get("/account/tokens", responses=error_responses("no-account"))
async def list_tokens(context: Context, user: CurrentUser) -> accounts.TokenList:
    """List my bearer tokens."""
    return accounts.TokenList(tokens=await context.users.list_tokens(require_account(user)))


@router.post(
    "/account/tokens", status_code=201, responses=error_responses("csrf", "no-account", "too-many-requests")
)
async def create_token(new: accounts.NewToken, context: Context, user: Actor) -> accounts.CreatedToken:
    """Create a bearer token for a bot or script; its secret is sent only once."""
    identity, token = await context.users.add_token(require_account(user), new.label)
    return accounts.CreatedToken(id=identity, label=new.label, token=token)


@router.delete(
    "/account/tokens/{token_id}",
    status_code=204,
    responses=error_responses("csrf", "no-account", "not-found", "too-many-requests"),
)
async def revoke_token(token_id: str, context: Context, user: Actor) -> Response:
    """Revoke a token."""
    await context.users.revoke_token(require_account(user), token_id)
    return Response(status_code=204)
