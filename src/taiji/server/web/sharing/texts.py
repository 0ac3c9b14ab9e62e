"""The words of link previews, in the languages of the web app."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

DEFAULT: Final = "en"
LOCALES: Final = {"en": "en_GB", "nl": "nl_NL", "pt": "pt_PT", "es": "es_ES"}
"""The locale of each language, as Open Graph writes it."""
MAX_HEADER_CHARS = 500
"""How much of an Accept-Language header is read."""

TEXTS: Final[dict[str, dict[str, str]]] = json.loads(
    files("taiji.server.web.sharing").joinpath("texts.json").read_text(encoding="utf-8")
)
"""Each language with the same keys; `{name}` is filled in."""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its values filled in; a name with braces stays as it is."""
        return TEXTS[self.language][key].format_map(values)


def preferred_language(accepted: str) -> str:
    """Return the supported language that an Accept-Language header ranks first."""
    ranked = []
    for position, part in enumerate(accepted[:MAX_HEADER_CHARS].split(",")):
        name, _, parameters = part.partition(";")
        short = name.strip().lower().partition("-")[0]
        if short in TEXTS:
            ranked.append((-_quality(parameters), position, short))
    return min(ranked)[2] if ranked else DEFAULT


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
