"""Addresses of push services: public and https, checked again each time after their name is resolved.

An endpoint is chosen by a browser, so by a stranger: it must not lead this server to a machine of its own
network. The connection goes to the address that was checked, and to no other.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from taiji.server.contract.errors import ApiError

RESOLVE_TIMEOUT_S = 5.0
TRANSLATED = tuple(
    ipaddress.ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)
"""IPv6 addresses that hide an IPv4 address."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint in parts."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """The origin of the push service, for which a push is signed."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        default = 443 if self.scheme == "https" else 80
        return f"{self.scheme}://{host}" + ("" if self.port == default else f":{self.port}")


def parse_endpoint(url: str, *, local: bool) -> Endpoint:
    """Return the parts of an endpoint; raise `ApiError` unless it is https at the usual port.

    `local` also allows http and other ports and addresses, for tests on one machine.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ApiError("bad-endpoint") from None
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        raise ApiError("bad-endpoint")
    if not local and (parts.scheme != "https" or port not in (None, 443)):
        raise ApiError("bad-endpoint")
    literal = _literal(host)
    if not local and (is_private(literal) if literal else "." not in host.strip(".")):
        raise ApiError("bad-endpoint")
    return Endpoint(url, parts.scheme, host, port or (443 if parts.scheme == "https" else 80))


def _literal(host: str) -> str | None:
    """Return a host that is an address."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def is_private(address: str) -> bool:
    """Return whether an address is not one of the public internet."""
    known = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return is_private(str(known.ipv4_mapped))
        if any(known in network for network in TRANSLATED):
            return True
    return not known.is_global or known.is_multicast or known.is_reserved


class Resolver:
    """Resolves names in threads of its own, so that slow ones delay nothing else."""

    def __init__(self, *, local: bool) -> None:
        self._local = local
        self._threads = ThreadPoolExecutor(2, "taiji-resolver")

    async def resolve(self, endpoint: Endpoint) -> str:
        """Return an address to connect to; raise `OSError` if there is none, or if any is private."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(RESOLVE_TIMEOUT_S):
            addresses = await loop.run_in_executor(self._threads, _look_up, endpoint.host, endpoint.port)
        if not addresses or (not self._local and any(map(is_private, addresses))):
            raise PrivateAddressError(f"{endpoint.origin}: not a public address")
        return addresses[0]

    def close(self) -> None:
        """Stop without waiting for names that are being resolved."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class PrivateAddressError(OSError):
    """An endpoint leads into a private network."""


def _look_up(host: str, port: int) -> list[str]:
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(entry[4][0]) for entry in entries]
