"""The built web app: its files from memory, compressed once, with the caching that each allows."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

HASHED = "assets/"
"""The build puts files here whose names change with their content."""
CACHE_IMMUTABLE = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"
COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
INDEX = "index.html"
NOT_BUILT_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>taiji</title>"
    "<p>The server runs, but the web app is not built: <code>make setup</code> builds it."
    ' The interface for programs is at <a href="/api/docs">/api/docs</a>.'
)

# Python's table of types depends on the machine; a module script of the wrong type does not run.
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
        """Its media type."""
        ending = self.name[self.name.rfind(".") :]
        found = MEDIA_TYPES.get(ending) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        return f"{found}; charset=utf-8" if found.startswith("text/") else found

    @cached_property
    def etag(self) -> str:
        """Its ETag."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:24]}"'

    @cached_property
    def gzipped(self) -> bytes | None:
        """Its content compressed, where that is worth it."""
        if len(self.content) < 600 or not self.media_type.startswith(COMPRESSIBLE):
            return None
        return gzip.compress(self.content, 9, mtime=0)


class WebApp:
    """The files of the built app; a path that is no file is a page of the app."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}

    def find(self, path: str) -> File | None:
        """Return the file of a path, or the app's one page."""
        name = path.strip("/")
        if "." not in name.rpartition("/")[2]:
            name = INDEX
        known = self._files.get(name)
        if known is None:
            place = (self._folder / name).resolve()
            if not place.is_relative_to(self._folder.resolve()) or not place.is_file():
                return None
            known = File(name, place.read_bytes())
            # The page names the hashed files: it is read anew, so that a new build shows without a restart.
            if name != INDEX:
                self._files[name] = known
        return known

    def respond(self, request: Request) -> Response | None:
        """Answer a request for a file or page of the app, or None where there is no such file."""
        file = self.find(request.url.path)
        if file is None:
            page = "." not in request.url.path.rpartition("/")[2]
            return Response(NOT_BUILT_PAGE, media_type="text/html; charset=utf-8") if page else None
        headers = {
            "ETag": file.etag,
            "Cache-Control": CACHE_IMMUTABLE if file.name.startswith(HASHED) else CACHE_REVALIDATE,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        body = file.content
        if file.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = file.gzipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, media_type=file.media_type, headers=headers)
