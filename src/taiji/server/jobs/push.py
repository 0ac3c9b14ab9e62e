"""Web push: a bounded queue of messages to browsers, each sent once, with time limits."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from taiji.server.contract.errors import ApiError
from taiji.server.contract.notifications import PushMessage
from taiji.server.jobs import push_crypto
from taiji.server.jobs.push_address import Resolver, parse_endpoint
from taiji.server.store import push_subscriptions as rows
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    import httpx

    from taiji.server.contract.notifications import NewSubscription
    from taiji.server.identity.limits import RateLimiter
    from taiji.server.identity.users import User
    from taiji.server.live.alerts import Alert
    from taiji.server.settings import ServerSettings
    from taiji.server.store.push_subscriptions import Subscription
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

MAX_QUEUED = 1000
MAX_AT_ONCE = 8
MAX_PURGED = 500
"""Rows per write."""
SEND_TIMEOUT_S = 10.0
TTL_S = 2 * 86_400
"""How long a push service keeps a push for a browser that is off."""
GONE = (404, 410)


class PushService:
    """Sends pushes to the browsers of players."""

    def __init__(
        self, store: Store, limiter: RateLimiter, time: TimeSource, settings: ServerSettings
    ) -> None:
        self._store = store
        self._limiter = limiter
        self._time = time
        self._local = settings.push_local
        self._contact = settings.push_contact or settings.public_url or "mailto:operator@localhost"
        self._is_wanted = settings.push and push_crypto.is_available()
        self._queue: asyncio.Queue[tuple[str, Alert]] = asyncio.Queue(MAX_QUEUED)
        self._resolver = Resolver(local=self._local)
        self._signer: push_crypto.Signer | None = None
        self._sending: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Read the server's key, or make it at the first start."""
        if not self._is_wanted:
            return
        key = await self._store.read(rows.push_key)
        if key is None:
            try:
                fresh = push_crypto.new_private_key()
                key = await self._store.write(partial(rows.keep_push_key, fresh=fresh))
            except IntegrityError:  # another server was quicker
                key = await self._store.read(rows.push_key)
        assert key is not None
        self._signer = push_crypto.Signer(key, self._contact)

    async def close(self) -> None:
        """Stop; pushes that were not sent are dropped."""
        for task in tuple(self._sending):
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        self._resolver.close()

    @property
    def queued(self) -> int:
        """The number of pushes that wait."""
        return self._queue.qsize()

    @property
    def public_key(self) -> str | None:
        """The key with which browsers subscribe, or None if no pushes are sent."""
        return None if self._signer is None else self._signer.public_key

    # --- subscriptions -------------------------------------------------------------------------------------

    async def subscribe(self, user: User, new: NewSubscription) -> int:
        """Store a browser; return the number of the player's devices."""
        if self._signer is None:
            raise ApiError("no-push")
        assert user.session_id is not None
        parse_endpoint(new.endpoint, local=self._local)
        push_crypto.check_keys(new.keys.p256dh, new.keys.auth)
        work = partial(rows.add, user_id=user.id, session_id=user.session_id, new=new, now=self._time.now())
        return await self._store.write(work)

    async def unsubscribe(self, user: User, endpoint: str) -> int:
        """Forget a browser; return the number of the player's devices."""
        return await self._store.write(partial(rows.remove, user_id=user.id, endpoint=endpoint))

    async def purge(self) -> None:
        """Forget the browsers whose session has ended."""
        # A reader searches all, so that the writer, for which moves wait, deletes only by key.
        ended = await self._store.read(rows.without_session)
        for start in range(0, len(ended), MAX_PURGED):
            await self._store.write(partial(rows.forget, keys=ended[start : start + MAX_PURGED]))

    # --- sending -------------------------------------------------------------------------------------------

    def enqueue(self, pushes: list[tuple[str, Alert]]) -> None:
        """Queue pushes to players; beyond a limit per player, or if the queue is full, they are dropped."""
        if self._signer is None:
            return
        for user_id, alert in pushes:
            try:
                self._limiter.acquire("pushes", user_id)
                self._queue.put_nowait((user_id, alert))
            except (ApiError, asyncio.QueueFull):
                self._limiter.count("push-dropped")

    async def run(self) -> None:
        """Send what is queued, a few at once; the HTTP client is loaded with the first push."""
        free = asyncio.Semaphore(MAX_AT_ONCE)
        user_id, alert = await self._queue.get()
        import httpx

        async with httpx.AsyncClient(
            timeout=SEND_TIMEOUT_S, follow_redirects=False, trust_env=False
        ) as client:
            while True:
                browsers = await self._store.read(partial(rows.of_player, user_id=user_id))
                for browser in browsers:
                    await free.acquire()
                    task = asyncio.create_task(self._send(client, browser, alert))
                    self._sending.add(task)
                    task.add_done_callback(self._sending.discard)
                    task.add_done_callback(lambda _: free.release())
                user_id, alert = await self._queue.get()

    async def _send(self, client: httpx.AsyncClient, browser: Subscription, alert: Alert) -> None:
        import httpx

        try:
            status = await self._post(client, browser, alert)
        except (OSError, TimeoutError, httpx.HTTPError, httpx.InvalidURL, ApiError, ValueError) as error:
            log.info("a push was not sent: %s", type(error).__name__)
            status = 0
        taken = 200 <= status < 300
        try:
            if not taken:
                self._limiter.count("push-failed")
                await self._store.write(partial(rows.failed, key=browser.hash, gone=status in GONE))
            elif browser.failures:
                await self._store.write(partial(rows.succeeded, key=browser.hash))
        except (SQLAlchemyError, StoreError) as error:
            log.info("the result of a push was not stored: %s", type(error).__name__)

    async def _post(self, client: httpx.AsyncClient, browser: Subscription, alert: Alert) -> int:
        """Send one push to the address that was checked; return the status, without reading the answer."""
        import httpx

        assert self._signer is not None
        endpoint = parse_endpoint(browser.endpoint, local=self._local)
        async with asyncio.timeout(SEND_TIMEOUT_S):
            address = await self._resolver.resolve(endpoint)
            url = httpx.URL(browser.endpoint).copy_with(host=address)
            message = PushMessage(
                kind=alert.kind,
                table=alert.table_id,
                game=alert.game,
                opponent=alert.opponent,
                language=browser.language,
            )
            body = push_crypto.encrypt(message.model_dump_json().encode(), browser.p256dh, browser.auth)
            headers = {
                **self._signer.headers(endpoint),
                "Host": endpoint.origin.partition("://")[2],
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(TTL_S),
                "Urgency": "normal",
                "Topic": f"{alert.kind}-{alert.table_id}"[:32],
            }
            request = client.build_request(
                "POST", url, headers=headers, content=body, extensions={"sni_hostname": endpoint.host}
            )
            answer = await client.send(request, stream=True)
            await answer.aclose()
            return answer.status_code
