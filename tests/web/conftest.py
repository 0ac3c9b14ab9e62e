"""Fixtures: a server process, a browser, and visitors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserType, expect, sync_playwright

from tests.server.running import Running
from tests.web.browser import CHROMIUM, FLAGS, HEADLESS_SHELL, ROOT, TIMEOUT_MS, PageUser, visiting

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a server with the built app on a free port, with a new database and one engine."""
    if not (ROOT / "src/taiji/server/static/index.html").exists():
        pytest.skip("the web app is not built: make setup")
    database = f"sqlite:///{tmp_path_factory.mktemp('site') / 'games.sqlite'}"
    # All tests come from one address, which may create few accounts.
    running = Running(database, "--engines=1", "--rate-limit-scale=20")
    yield running
    assert running.stop() == 0


class Driver(NamedTuple):
    """Starts browsers; Playwright leaves its event loop running in this thread."""

    chromium: BrowserType
    loop: asyncio.AbstractEventLoop | None


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """Playwright, whose event loop is suspended between the tests, for others may run their own."""
    if not Path(CHROMIUM).exists():
        pytest.skip("Chromium is not installed: tools/debian-packages")
    with sync_playwright() as playwright:
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        yield Driver(playwright.chromium, loop)
        asyncio._set_running_loop(loop)


@contextmanager
def launched(driver: Driver, path: str) -> Iterator[Browser]:
    """Run a browser; the event loop is awake as it starts and ends."""
    asyncio._set_running_loop(driver.loop)
    browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
    asyncio._set_running_loop(None)
    yield browser
    asyncio._set_running_loop(driver.loop)
    browser.close()
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def chromium(driver: Driver) -> Iterator[Browser]:
    """Debian's Chromium, without windows where that is installed."""
    with launched(driver, HEADLESS_SHELL if Path(HEADLESS_SHELL).exists() else CHROMIUM) as browser:
        yield browser


@pytest.fixture(scope="module")
def whole_chromium(driver: Driver) -> Iterator[Browser]:
    """Debian's Chromium as people use it."""
    with launched(driver, CHROMIUM) as browser:
        yield browser


@pytest.fixture
def browser(driver: Driver, chromium: Browser) -> Iterator[Browser]:
    """The browser, with its event loop for the length of a test."""
    asyncio._set_running_loop(driver.loop)
    yield chromium
    asyncio._set_running_loop(None)


Guests = Callable[..., PageUser]


@pytest.fixture
def guest(browser: Browser, site: Running) -> Iterator[Guests]:
    """Return a function that opens visitors; a fault in any page fails the test."""
    with ExitStack() as stack:

        def make(**settings: Any) -> PageUser:
            return stack.enter_context(visiting(browser, site.url, **settings))

        yield make


@pytest.fixture
def user(guest: Guests) -> PageUser:
    """One visitor."""
    return guest()
