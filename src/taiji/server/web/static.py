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

from taiji.analysis.puzzles.files import shipped_sets
from taiji.rules.catalogue import GAMES
from taiji.server.web.middleware import CONTENT_SECURITY_POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from taiji.server.web.sharing.head import Head

HASHED = "assets/"
"""The folder of files whose names contain a hash of their content."""
CACHE_IMMUTABLE = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"
COMPRESSIBLE = (
    "text/",
    "application/javascript",
    "application/json",
    "application/manifest",
    "application/octet-stream",
    "application/wasm",
    "image/svg",
)
"""Types that are compressed once and kept; the engine is too large to compress per visitor."""
INDEX = "index.html"
MAX_PAGES = 64
"""Pages with a preview that are kept."""
EMBED = "embed.html"
"""The page of embedded boards, at every path under /embed."""
EMBED_PATH = re.compile(r"embed(?:/(?:(?:game|review)/[A-Za-z0-9]{1,16})?)?")
PAGES = re.compile(
    r"|new|watch|analysis|one-screen|join|learn|studies|puzzles|review|games|tournaments|ratings|sessions|settings|account"
    r"|notifications|agenda"
    r"|(?:learn|local|puzzles)/[^/]+|puzzles/[^/]+/[^/]+|review/(?:local|record)/[^/]+"
    r"|(?:game|review|review/table|tournament)/[A-Za-z0-9]{1,16}|player/[A-Za-z0-9_-]{2,24}"
)
"""The paths of the screens, as in `web/src/screens/Screens.svelte`; others get the page with status 404.

So do games, players and other things that do not exist, which `Head.is_missing` tells."""
NOT_BUILT_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>taiji</title>"
    "<p>The server is running, but the web app is not built: run <code>make setup</code>."
    ' The API is documented at <a href="/api/docs">/api/docs</a>.'
)
ALIASES = {
    name: f"icons/{name.replace('-precomposed', '')}"
    for name in ("favicon.ico", "apple-touch-icon.png", "apple-touch-icon-precomposed.png")
}
"""Icons that systems ask for at the root, without reading the page."""
EMBED_HEADERS = {
    # Only embedded boards may be shown in the pages of others; they use no cookie.
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
}

# Python's media types depend on the machine; browsers refuse a module script of the wrong type.
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
    ".wasm": "application/wasm",
    ".net": "application/gzip",
    ".book": "application/octet-stream",
    ".jsonl": "application/jsonl",
}


@dataclass
class File:
    """One file of the app."""

    name: str
    content: bytes
    stamp: tuple[int, ...] = ()
    """What the file system said of a page when it was read."""

    def prepare(self) -> File:
        """Compute what every answer needs, and return the file."""
        _ = self.etag, self.gzipped
        return self

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


def is_page(path: str) -> bool:
    """Return whether a screen of the app has this path; lessons and puzzles are known by their names."""
    if not PAGES.fullmatch(path):
        return False
    screen, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    if screen == "learn" and name:
        return name in GAMES
    return screen != "puzzles" or name in ("", "daily") or name in shipped_sets()


def _file_name(path: str) -> str:
    """Return the name of the file that a path asks for; any path without a dot is a page."""
    name = ALIASES.get(path.strip("/"), path.strip("/"))
    if "." in name.rpartition("/")[2]:
        return name
    return EMBED if EMBED_PATH.fullmatch(name) else INDEX


class WebApp:
    """The files of the built app; a path without a dot is a page of the app."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}
        self._pages: dict[tuple[tuple[int, ...], Head], File] = {}

    def find(self, path: str) -> File | None:
        """Return the file of a path, or the index page."""
        name = _file_name(path)
        known = self._files.get(name)
        if known is None or (name in (INDEX, EMBED) and known.stamp != self._stamp(name)):
            try:
                file = (self._folder / name).resolve()
                if not file.is_relative_to(self._folder.resolve()) or not file.is_file():
                    return None
                stamp = self._stamp(name)  # before the content: what changes between them is read again
                known = File(name, file.read_bytes(), stamp).prepare()
            except (OSError, ValueError):  # a name that no file can have
                return None
            self._files[name] = known
        return known

    def _stamp(self, name: str) -> tuple[int, ...]:
        """Return what changes with a page, so that a new build is served without a restart."""
        try:
            status = (self._folder / name).stat()
        except (OSError, ValueError):
            return ()
        return status.st_mtime_ns, status.st_size, status.st_ino

    def is_ready(self, path: str, head: Head | None) -> bool:
        """Return whether a file or page is in memory: nothing need be read or compressed for it."""
        name = _file_name(path)
        known = self._files.get(name)
        if known is None or (name in (INDEX, EMBED) and known.stamp != self._stamp(name)):
            return False
        return name != INDEX or head is None or (known.stamp, head) in self._pages

    def _page(self, file: File, head: Head) -> File:
        """Return a page with its preview; equal ones are written and compressed once."""
        key = (file.stamp, head)
        page = self._pages.get(key)
        if page is None:
            if len(self._pages) >= MAX_PAGES:
                self._pages.clear()
            page = self._pages[key] = File(INDEX, head.insert(file.content), file.stamp).prepare()
        return page

    def respond(self, request: Request, head: Head | None = None) -> Response | None:
        """Return the response for a file or page of the app, or None if there is no such file.

        `head` is the preview of a page, written into it.
        """
        file = self.find(request.scope["path"])
        if file is None:
            page = "." not in request.scope["path"].rpartition("/")[2]
            return Response(NOT_BUILT_PAGE, media_type="text/html; charset=utf-8") if page else None
        if file.name == EMBED:
            answer = file_response(file, request)
            answer.headers.update(EMBED_HEADERS)
            return answer
        if file.name != INDEX:
            return file_response(file, request)
        is_known = is_page(request.scope["path"].strip("/")) and not (head and head.is_missing)
        if head is not None:
            file = self._page(file, head)
        answer = file_response(file, request, 200 if is_known else 404)
        answer.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return answer


def file_response(file: File, request: Request, status: int = 200) -> Response:
    """Return a file, compressed if the client accepts that, or 304 if the client has it."""
    headers = {
        "ETag": file.etag,
        "Cache-Control": CACHE_IMMUTABLE if file.name.startswith(HASHED) else CACHE_REVALIDATE,
        "Vary": "Accept-Encoding",
    }
    if status == 200 and request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    body = file.content
    if file.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = file.gzipped
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, file.media_type)
