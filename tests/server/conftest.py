"""Servers for the tests: one for all that do not mind sharing, others on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from taiji.server.identity import passwords
from tests.server.databases import prepare_sqlite
from tests.server.inside import Inside
from tests.server.nats import Nats
from tests.server.postgres import Postgres
from tests.server.running import STARTED, Running, Visitor, end_since


@pytest.fixture(autouse=True)
def _end_what_the_test_started() -> Iterator[None]:
    """End the servers and visitors of a test, also if it fails; those of the session stay."""
    count = len(STARTED)
    yield
    end_since(count)


@pytest.fixture(scope="session", autouse=True)
def _cheap_hashes() -> Iterator[None]:
    """Hash the passwords of servers in this process with less work, unless a test asks for `real_hashes`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", cache(lambda: PasswordHasher.from_parameters(CHEAPEST)))
        yield


@pytest.fixture
def real_hashes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hash passwords with the work of a real server."""
    monkeypatch.setattr(passwords, "_hasher", cache(PasswordHasher))
    passwords._hash_of_nothing.cache_clear()
    yield
    passwords._hash_of_nothing.cache_clear()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on SQLite with one engine."""
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('server') / 'games.sqlite'}", "--engines=1")
    yield running
    assert running.stop() == 0
    assert running.errors == []


@pytest.fixture
def visitor(server: Running) -> Iterator[Callable[[], Visitor]]:
    """Makes visitors of the shared server."""
    made: list[Visitor] = []

    def make() -> Visitor:
        made.append(Visitor(server.url))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL cluster of our own, where Debian's package is installed."""
    cluster = Postgres.start()
    if cluster is None:
        pytest.skip("PostgreSQL is not installed")
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    """A NATS server that the tests of a file share."""
    server = Nats()
    yield server
    server.down()


def _cluster(request: pytest.FixtureRequest) -> Postgres:
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of either kind in which nothing is."""
    if request.param == "postgresql":
        return _cluster(request).empty_database()
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of either kind with the current schema and without rows."""
    if request.param == "postgresql":
        return _cluster(request).new_database()
    address = f"sqlite:///{tmp_path / 'games.sqlite'}"
    prepare_sqlite(address)
    return address


@pytest.fixture(scope="module")
def inside(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server in this process that the tests of a file share; each uses names of its own.

    A file whose tests register many accounts sets RATE_LIMIT_SCALE.
    """
    url = f"sqlite:///{tmp_path_factory.mktemp('inside') / 'games.sqlite'}"
    scale = getattr(request.module, "RATE_LIMIT_SCALE", 1)
    with Inside(url, rate_limit_scale=scale).running() as server:
        yield server


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Inside]:
    """A server in this process whose clock a test may move."""
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}").running() as server:
        yield server
