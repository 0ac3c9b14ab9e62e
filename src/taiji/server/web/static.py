"""The static files of the web app, from memory, compressed once, with cache headers."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

HASHED = "assets/"
"""The folder of files whose names contain a hash of their content."""
CACHE_IMMUTABLE = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"
COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
INDEX = "index.html"
PAGES = re.compile(
    r"|one-screen|join|learn|review|games|tournaments|ratings|sessions|settings|account"
    r"|(?:game|learn|tournament)/[^/]+|review/(?:table|record)/[^/]+"
)
"""The paths of the screens, as in `web/src/screens/Screens.svelte`; others get the page with status 404."""
NOT_BUILT_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>taiji</title>"
    "<p>The server is running, but the web app is not built: run <code>make setup</code>."
    ' The API is documented at <a href="/api/docs">/api/docs</a>.'
)

# Python's media types depend on the machine; browsers refuse a module script of the wrong type.
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
}


@dataclass
class File:
    """One file of the app."""

    name: str
    content: bytes

    @cached_property
    def media_type(self) -> str:
        """The media type of the file."""
        suffix = self.name[self.name.rfind(".") :]
        media_type = (
            MEDIA_TYPES.get(suffix) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        )
        return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type

    @cached_property
    def etag(self) -> str:
        """The ETag of the file."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:24]}"'

    @cached_property
    def gzipped(self) -> bytes | None:
        """The compressed content, or None if compression does not help."""
        if len(self.content) < 600 or not self.media_type.startswith(COMPRESSIBLE):
            return None
        return gzip.compress(self.content, 9, mtime=0)


class WebApp:
    """The files of the built app; a path without a dot is a page of the app."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}

    def find(self, path: str) -> File | None:
        """Return the file of a path, or the index page."""
        name = path.strip("/")
        if "." not in name.rpartition("/")[2]:
            name = INDEX
        known = self._files.get(name)
        if known is None:
            try:
                file = (self._folder / name).resolve()
                if not file.is_relative_to(self._folder.resolve()) or not file.is_file():
                    return None
                known = File(name, file.read_bytes())
            except (OSError, ValueError):  # a name that no file can have
                return None
            # The index page is not cached, so that a new build is served without a restart.
            if name != INDEX:
                self._files[name] = known
        return known

    def respond(self, request: Request) -> Response | None:
        """Return the response for a file or page of the app, or None if there is no such file."""
        file = self.find(request.scope["path"])
        if file is None:
            page = "." not in request.scope["path"].rpartition("/")[2]
            return Response(NOT_BUILT_PAGE, media_type="text/html; charset=utf-8") if page else None
        headers = {
            "ETag": file.etag,
            "Cache-Control": CACHE_IMMUTABLE if file.name.startswith(HASHED) else CACHE_REVALIDATE,
            "Vary": "Accept-Encoding",
        }
        is_known = file.name != INDEX or PAGES.fullmatch(request.scope["path"].strip("/"))
        if is_known and request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        body = file.content
        if file.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = file.gzipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, 200 if is_known else 404, headers, file.media_type)
