"""The same-origin check."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from taiji.server.settings import ServerSettings


def is_same_origin(headers: Headers, settings: ServerSettings) -> bool:
    """Return whether a request comes from a page of this server, or from a program without Origin."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    allowed = set(settings.origins)
    if settings.public_url:
        parts = urlsplit(settings.public_url)
        allowed.add(f"{parts.scheme}://{parts.netloc}")
    if origin in allowed:
        return True
    return urlsplit(origin).netloc == headers.get("host", "") != ""
