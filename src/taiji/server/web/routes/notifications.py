"""Notifications: my list, its settings, and the browsers that receive pushes."""

from fastapi import APIRouter, Response

from taiji.server.contract import notifications
from taiji.server.web.routes.deps import Actor, BrowserUser, Context, CurrentUser, error_responses
from taiji.server.web.routes.tables import CHANGING

router = APIRouter(prefix="/api", tags=["notifications"])


@router.get("/notifications", responses=error_responses("bad-token"))
async def list_notifications(context: Context, user: CurrentUser) -> notifications.NotificationList:
    """List my notifications, latest first."""
    return await context.inbox.read(user)


@router.post("/notifications/read", status_code=204, responses=error_responses(*CHANGING))
async def mark_read(seen: notifications.NotificationsRead, context: Context, user: Actor) -> Response:
    """Mark the notifications of a table, or all, as read."""
    await context.inbox.mark_read(user, seen.table)
    return Response(status_code=204)


@router.get("/notifications/settings", responses=error_responses("bad-token"))
async def read_settings(context: Context, user: CurrentUser) -> notifications.NotificationSettings:
    """Return which notifications I want."""
    return await context.inbox.settings(user)


@router.put("/notifications/settings", responses=error_responses(*CHANGING))
async def change_settings(
    settings: notifications.NotificationSettings, context: Context, user: Actor
) -> notifications.NotificationSettings:
    """Choose which notifications I want."""
    await context.inbox.change_settings(user, settings)
    return settings


@router.get("/push")
async def push_info(context: Context) -> notifications.PushInfo:
    """Return the key with which a browser subscribes to pushes."""
    return notifications.PushInfo(key=context.pushes.public_key)


@router.post(
    "/push/subscriptions",
    status_code=201,
    responses=error_responses(*CHANGING, "no-session", "no-push", "bad-endpoint"),
)
async def subscribe(
    new: notifications.NewSubscription, context: Context, user: BrowserUser
) -> notifications.PushStatus:
    """Send pushes to this browser, until its session ends."""
    context.rate_limiter.acquire("subscriptions", user.id)
    return notifications.PushStatus(devices=await context.pushes.subscribe(user, new))


@router.post("/push/unsubscribe", responses=error_responses(*CHANGING, "no-session"))
async def unsubscribe(
    browser: notifications.PushEndpoint, context: Context, user: BrowserUser
) -> notifications.PushStatus:
    """Send no more pushes to a browser."""
    return notifications.PushStatus(devices=await context.pushes.unsubscribe(user, browser.endpoint))
