"""Limits on guessing: per account, per address and per network, without locking anybody out."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from taiji.server.identity.limits import RateLimiter
    from taiji.server.identity.users import User

NETWORKS = {4: (32, 24), 6: (64, 48)}
"""The prefixes of an address and of its network: an IPv6 customer owns a whole /64."""
MAX_HOST_CHARS = 64
"""More than any address has, with the name of its interface."""


class ClientAddress(NamedTuple):
    """Where a request comes from."""

    address: str
    network: str

    @classmethod
    def parse(cls, host: str) -> ClientAddress:
        """Return the address and network of a client; an unknown form stands for itself."""
        return cls(*_prefixes(host[:MAX_HOST_CHARS]))


@lru_cache(maxsize=4096)
def _prefixes(host: str) -> tuple[str, str]:
    """Return the address and network of a host; every request asks, mostly about the same clients."""
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host, host
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    address, network = (
        str(ipaddress.ip_network((ip, prefix), strict=False)) for prefix in NETWORKS[ip.version]
    )
    return address, network


class AuthLimits:
    """Limits on sign-in, registration, recovery and tokens.

    Nobody can lock another out of an account by failing its sign-in: no limit is per account alone. Many
    failures of one account only reduce the attempts that each network has at it. A browser that was signed
    in to the account before has its own attempts, which others cannot use up.
    """

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    def before_sign_in(self, client: ClientAddress, account: str, known: User | None) -> None:
        """Count an attempt to sign in; `known` is the browser if the account was signed in there before."""
        if known is not None:
            self._limiter.acquire("sign-ins to one account", f"{account} by {known.id}")
            return
        if self._limiter.is_exhausted("failures of one account", account):
            self._limiter.acquire("sign-ins under attack", f"{account} from {client.network}")
        self._limiter.acquire("sign-ins to one account", f"{account} from {client.address}")
        self._limiter.acquire("sign-ins from one address", client.address)
        self._limiter.acquire("sign-ins from one network", client.network)

    def after_failure(self, account: str) -> None:
        """Count a wrong password."""
        self._limiter.add("failures of one account", account)

    def before_registration(self, client: ClientAddress) -> None:
        """Count a new account."""
        self._limiter.acquire("accounts from one address", client.address)
        self._limiter.acquire("accounts from one network", client.network)

    def before_recovery(self, client: ClientAddress, account: str) -> None:
        """Count an attempt to reset a password by a recovery code."""
        self._limiter.acquire("recoveries of one account", f"{account} from {client.network}")
        self._limiter.acquire("recoveries from one address", client.address)
        self._limiter.acquire("recoveries from one network", client.network)

    def before_token(self, client: ClientAddress, account_id: str) -> None:
        """Count a new bearer token."""
        self._limiter.acquire("tokens of one account", account_id)
        self._limiter.acquire("tokens from one address", client.address)
