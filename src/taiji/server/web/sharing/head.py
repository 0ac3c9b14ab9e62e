"""The tags of a link preview, written into the head of the page between two comments."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract.errors import ApiError
from taiji.server.identity.origins import is_secure
from taiji.server.store.writer import StoreError
from taiji.server.web.sharing.previews import find_preview
from taiji.server.web.sharing.texts import LOCALES, Words, preferred_language

if TYPE_CHECKING:
    from starlette.requests import Request

    from taiji.server.settings import ServerSettings
    from taiji.server.web.context import AppContext
    from taiji.server.web.sharing.cards import Preview

BLOCK = re.compile(rb"<!-- preview -->.*?<!-- /preview -->", re.DOTALL)
"""The tags of the app in its page, which those of a preview replace."""
NAME = "TAIJI"
APP_PICTURE = "/icons/preview.png"
FIND_TIMEOUT_S = 2.0
"""How long a page waits for its preview; without a database it is served with the one of the app."""
MAX_TITLE_CHARS, MAX_DESCRIPTION_CHARS = 120, 240


@dataclass(frozen=True, slots=True)
class Head:
    """The preview of one page, ready to be written."""

    origin: str
    path: str
    words: Words
    preview: Preview | None
    is_missing: bool = False
    """Whether what the path names does not exist."""

    def insert(self, page: bytes) -> bytes:
        """Return the page with the tags of the preview."""
        tags = f"<!-- preview -->\n{self.tags()}<!-- /preview -->".encode()
        return BLOCK.sub(lambda _: tags, page, count=1)

    def tags(self) -> str:
        """Return the tags, every text escaped."""
        from taiji.render.card import HEIGHT_PX, WIDTH_PX

        preview, words = self.preview, self.words
        title = NAME if preview is None else _cut(preview.title, MAX_TITLE_CHARS)
        about = words("about") if preview is None else _cut(preview.description, MAX_DESCRIPTION_CHARS)
        picture, alt = self.origin + APP_PICTURE, NAME
        if preview is not None:
            # The version names the content, so that no site shows an old picture.
            picture = f"{self.origin}/api/previews/{quote(self.path)}.png?v={preview.card.version}"
            alt = preview.alt
        properties = {
            "og:site_name": NAME,
            "og:type": "website",
            "og:locale": LOCALES[words.language],
            "og:title": title,
            "og:description": about,
            "og:url": f"{self.origin}/{quote(self.path)}",
            "og:image": picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH_PX),
            "og:image:height": str(HEIGHT_PX),
            "og:image:alt": alt,
        }
        names = {
            "description": about,
            "twitter:card": "summary_large_image",
            "twitter:title": title,
            "twitter:description": about,
            "twitter:image": picture,
            "twitter:image:alt": alt,
        }
        lines = [_meta("property", key, value) for key, value in properties.items()]
        lines += [_meta("name", key, value) for key, value in names.items()]
        return "".join([*lines, f"    <title>{escape(title)}</title>\n    "])


def _meta(kind: str, key: str, value: str) -> str:
    return f'    <meta {kind}="{key}" content="{escape(value)}" />\n'


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def site_origin(request: Request, settings: ServerSettings) -> str:
    """Return the address of this site as its visitors write it, without a slash at the end."""
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    # The host was checked against those that the server answers to.
    scheme = "https" if is_secure(request, settings) else "http"
    return f"{scheme}://{request.headers.get('host', '')}"


def request_words(request: Request) -> Words:
    """Return the words in the language that a request prefers."""
    return Words(preferred_language(request.headers.get("accept-language", "")))


async def page_head(context: AppContext, request: Request) -> Head:
    """Return the preview of the page that is requested."""
    path: str = request.scope["path"].strip("/")
    words = request_words(request)
    preview, is_missing = None, False
    try:
        async with asyncio.timeout(FIND_TIMEOUT_S):
            preview = await find_preview(context, words, path)
    except ApiError as error:
        is_missing = error.code == "not-found"
    except (SQLAlchemyError, StoreError, TimeoutError):
        pass  # the page itself works, and says what is wrong
    return Head(site_origin(request, context.settings), path, words, preview, is_missing)
