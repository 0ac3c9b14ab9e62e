"""Hosts and origins: which names this server answers to, and which pages may use it."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.types import Scope

    from taiji.server.settings import ServerSettings

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
DEFAULT_PORTS = {"http": "80", "https": "443"}
ANY_HOST = "*"


def is_secure(connection: HTTPConnection, settings: ServerSettings) -> bool:
    """Return whether the browser uses https: by the connection, a trusted proxy or the public address."""
    return is_secure_scope(connection.scope, settings)


def is_secure_scope(scope: Scope, settings: ServerSettings) -> bool:
    """Return the same of an ASGI scope."""
    if scope["scheme"] in ("https", "wss"):
        return True
    public = None if settings.public_url is None else urlsplit(settings.public_url)
    header = next((value for name, value in scope["headers"] if name == b"host"), b"")
    host = split_host(header.decode("latin-1"))
    return public is not None and public.scheme == "https" and host is not None and host[0] == public.hostname


def is_same_origin(connection: HTTPConnection, settings: ServerSettings) -> bool:
    """Return whether a request comes from a page of this server, or from a program without Origin."""
    headers = connection.headers
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    claimed = parse_origin(origin)
    if claimed is None:
        return False
    scheme = "https" if is_secure(connection, settings) else "http"
    own = parse_origin(f"{scheme}://{headers.get('host', '')}")
    return claimed == own or claimed in _allowed_origins(settings)


def parse_origin(text: str) -> str | None:
    """Return an origin in its normal form, or None if it is not one of http or https."""
    scheme, separator, rest = text.lower().partition("://")
    host = split_host(rest)
    if not separator or scheme not in DEFAULT_PORTS or host is None:
        return None
    name, port = host
    return f"{scheme}://{name}:{port or DEFAULT_PORTS[scheme]}"


def split_host(text: str) -> tuple[str, str | None] | None:
    """Return name and port of a Host header, or None if it is not one."""
    match = HOST.fullmatch(text)
    if match is None:
        return None
    return match["name"].lower().removesuffix("."), match["port"]


def is_allowed_host(host: str, settings: ServerSettings) -> bool:
    """Return whether the server answers to a Host header.

    A page that binds its own name to the address of this server sends that name, so that an unknown name is
    refused. It cannot send an address, which makes games by link in a local network work without a setting.
    """
    parts = split_host(host)
    if parts is None:
        return False
    name = parts[0]
    allowed = _allowed_hosts(settings)
    return ANY_HOST in allowed or name in allowed or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=16)
def _allowed_origins(settings: ServerSettings) -> frozenset[str]:
    named = {*settings.origins, *([settings.public_url] if settings.public_url else [])}
    sites = (urlsplit(address) for address in named)
    parsed = (parse_origin(f"{site.scheme}://{site.netloc}") for site in sites)
    return frozenset(origin for origin in parsed if origin is not None)


@lru_cache(maxsize=16)
def _allowed_hosts(settings: ServerSettings) -> frozenset[str]:
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    names = {"localhost", machine, short, f"{short}.local", settings.host.lower(), *settings.allowed_hosts}
    for address in (settings.public_url, *settings.origins):
        name = urlsplit(address).hostname if address else None
        if name:
            names.add(name)
    return frozenset(names)
