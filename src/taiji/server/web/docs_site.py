"""The documentation site under /docs, if `make docs` has built it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from taiji.server.web.static import INDEX, File, file_response

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

PREFIX = "/docs"


class DocsSite:
    """The files of the built site: only names that the folder had at the first request are served."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}

    @cached_property
    def _names(self) -> frozenset[str]:
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return frozenset(path.relative_to(self._folder).as_posix() for path in files)

    def respond(self, request: Request) -> Response | None:
        """Return the response for a path under /docs; None if it is another path or there is no such file."""
        path: str = request.scope["path"]
        if INDEX not in self._names or not path.startswith(PREFIX):
            return None
        if path == PREFIX:
            return RedirectResponse(f"{PREFIX}/", 308)
        if not path.startswith(f"{PREFIX}/"):
            return None
        name = path.removeprefix(f"{PREFIX}/")
        if not name or name.endswith("/"):
            name += INDEX
        if name not in self._names:
            return None
        if name not in self._files:
            # The site's own folder "assets" has names without a hash: the prefix keeps them revalidated.
            self._files[name] = File(f"docs/{name}", (self._folder / name).read_bytes())
        return file_response(self._files[name], request)
