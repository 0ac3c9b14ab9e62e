"""Limits on guessing: not evaded by fresh cookies, forged headers or fresh keys, and nobody is locked out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from taiji.server.identity import limits
from taiji.server.identity.auth_limits import AuthLimits, ClientAddress
from taiji.server.identity.limits import RateLimiter, Sketch
from taiji.server.identity.users import Users
from tests.server.inside import Inside, SetTime

TOO_MANY = (429, "too-many-requests")


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare passwords without the work of a real hash, which these tests do not measure."""

    async def check(self: Users, name: str, password: str) -> str:
        from taiji.server.contract.errors import ApiError

        account = await self.find_account(name)
        if account is None or password != "right password":
            raise ApiError("wrong-password")
        return account.id

    monkeypatch.setattr(Users, "check_password", check)


@pytest.fixture
def inside(tmp_path: Path, quick_passwords: None) -> Iterator[Inside]:
    """A server with an account `victim`."""
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}").running() as server:
        server.browser("203.0.113.1").register("victim")
        yield server


def guess(inside: Inside, address: str, **options: Any) -> tuple[int, Any]:
    """Guess once, from a fresh browser."""
    browser = inside.browser(address)
    return browser.ask("POST", "/api/session", {"name": "victim", "password": "guess"}, **options)


def test_fresh_cookies_do_not_evade_the_limit(inside: Inside) -> None:
    answers = [guess(inside, "198.51.100.1") for _ in range(12)]
    assert answers[:10] == [(401, "wrong-password")] * 10
    assert answers[10:] == [TOO_MANY] * 2
    refused = inside.browser("198.51.100.1")
    answer = refused.request("POST", "/api/session", json={"name": "victim", "password": "guess"})
    assert 1 <= int(answer.headers["Retry-After"]) <= 6
    inside.time.advance(seconds=int(answer.headers["Retry-After"]))
    assert guess(inside, "198.51.100.1") == (401, "wrong-password")


def test_forged_headers_do_not_evade_the_limit(inside: Inside) -> None:
    forged = [{"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=203.0.113.{n}"} for n in range(12)]
    answers = [guess(inside, "198.51.100.1", headers=headers) for headers in forged]
    assert answers[10:] == [TOO_MANY] * 2


@pytest.mark.parametrize("network", ["2001:db8:1:2::{:x}", "2001:db8:1:2:ffff:{:x}::1"])
def test_the_addresses_of_one_ipv6_customer_are_one(inside: Inside, network: str) -> None:
    answers = [guess(inside, network.format(n)) for n in range(1, 13)]
    assert answers[10:] == [TOO_MANY] * 2


def test_behind_a_trusted_proxy_the_clients_are_told_apart(tmp_path: Path, quick_passwords: None) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    with Inside(url, trusted_proxies=("10.0.0.0/8",)).running() as inside:
        # A client may begin the list as it likes; what the proxy added counts.
        lines = [{"X-Forwarded-For": f"203.0.113.{n}, 198.51.100.7"} for n in range(12)]
        assert [guess(inside, "10.1.2.3", headers=line)[0] for line in lines] == [401] * 10 + [429] * 2
        assert guess(inside, "10.1.2.3", headers={"X-Forwarded-For": "198.51.100.8"})[0] == 401


def test_nobody_is_locked_out_by_the_failures_of_others(inside: Inside) -> None:
    """An attacker with a thousand networks fails all the time; the owner signs in from a new browser."""
    home = inside.browser("203.0.113.1")
    codes = []
    for n in range(300):
        codes.append(guess(inside, f"100.{n // 250}.{n % 250}.1")[0])
    assert set(codes) == {401}
    owner = inside.browser("203.0.113.77")
    assert owner.sign_in("victim", "right password")[0] == 200
    assert home.sign_in("victim", "right password")[0] == 200


def test_under_attack_each_network_has_fewer_guesses(inside: Inside) -> None:
    for n in range(60):
        guess(inside, f"100.1.{n}.1")
    answers = [guess(inside, f"198.51.100.{n}") for n in range(6)]
    assert answers == [(401, "wrong-password")] * 3 + [TOO_MANY] * 3


def test_a_browser_that_was_signed_in_has_its_own_attempts(inside: Inside) -> None:
    """Also a neighbour behind the same address cannot use them up."""
    owner = inside.browser("198.51.100.1")
    assert owner.sign_in("victim", "right password")[0] == 200
    owner.sign_out()
    while guess(inside, "198.51.100.1") != TOO_MANY:
        pass
    assert owner.sign_in("victim", "right password")[0] == 200


def test_registrations_are_limited_per_address_and_network(inside: Inside) -> None:
    def register(address: str, name: str) -> int:
        body = {"name": name, "password": "quite unusual words 17"}
        return inside.browser(address).ask("POST", "/api/account", body)[0]

    limiter = AuthLimits(inside.context.rate_limiter)
    client = ClientAddress.parse("198.51.100.1")
    for _ in range(10):
        inside.run(_async(limiter.before_registration), client)
    assert register("198.51.100.1", "late-1") == 429
    for n in range(2, 7):
        for _ in range(10):
            inside.run(_async(limiter.before_registration), ClientAddress.parse(f"198.51.100.{n}"))
    assert register("198.51.100.9", "late-2") == 429
    assert register("198.51.101.9", "early-1") == 201


def _async(function: Any) -> Any:
    async def call(*arguments: Any) -> Any:
        return function(*arguments)

    return call


def test_tokens_are_limited_per_account(inside: Inside) -> None:
    owner = inside.browser("203.0.113.1")
    assert owner.sign_in("victim", "right password")[0] == 200
    codes = [owner.ask("POST", "/api/account/tokens", {"label": str(n)})[0] for n in range(21)]
    assert codes == [201] * 20 + [429]


def test_twenty_thousand_fresh_keys_are_bounded_and_forget_nobody() -> None:
    time = SetTime()
    limiter = RateLimiter(time)
    for _ in range(10):
        limiter.add("sign-ins to one account", "victim")
    assert limiter.is_exhausted("sign-ins to one account", "victim")
    sketch = limiter._sketch("sign-ins to one account")
    size = sketch._paid.buffer_info()
    for n in range(20_000):
        limiter.add("sign-ins to one account", f"fresh {n}")
    assert limiter.is_exhausted("sign-ins to one account", "victim")
    assert sketch._paid.buffer_info() == size
    assert size[1] * sketch._paid.itemsize == 8 * Sketch.ROWS * Sketch.WIDTH
    strangers = [limiter.is_exhausted("sign-ins to one account", f"stranger {n}") for n in range(1000)]
    assert not any(strangers)  # the crowd takes nobody's own attempts


def test_a_sketch_gives_back_what_time_has_paid() -> None:
    time = SetTime()
    sketch = Sketch(10, 60_000)
    assert [sketch.acquire("a", time.now()) for _ in range(12)] == [0] * 10 + [6000] * 2
    time.advance(seconds=5)
    assert sketch.acquire("a", time.now()) == 1000
    time.advance(seconds=1)
    assert [sketch.acquire("a", time.now()) for _ in range(2)] == [0, 6000]
    time.advance(minutes=2)
    assert [sketch.acquire("a", time.now()) for _ in range(11)] == [0] * 10 + [6000]


@pytest.mark.parametrize(
    ("host", "address", "network"),
    [
        ("198.51.100.7", "198.51.100.7/32", "198.51.100.0/24"),
        ("::ffff:198.51.100.7", "198.51.100.7/32", "198.51.100.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("testclient", "testclient", "testclient"),
        ("x" * 500, "x" * 64, "x" * 64),
    ],
)
def test_addresses_and_networks(host: str, address: str, network: str) -> None:
    assert ClientAddress.parse(host) == (address, network)


def test_every_limit_is_one_that_is_used() -> None:
    sources = "".join(
        file.read_text()
        for file in (Path(limits.__file__).parents[1]).rglob("*.py")
        if file.name != "limits.py"
    )
    constants = {value: name for name, value in vars(limits).items() if isinstance(value, str)}
    used = {name: constants.get(name, f'"{name}"') for name in limits.LIMITS}
    assert [name for name, written in used.items() if written not in sources] == []
