"""Names: a key by which look-alikes are equal, reserved names, and the names of guests."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache

STARS = (
    "Adhara", "Albireo", "Alcor", "Aldebaran", "Alhena", "Alioth", "Alkaid", "Alnair", "Alnitak", "Alphard",
    "Altair", "Antares", "Arcturus", "Atria", "Avior", "Bellatrix", "Canopus", "Capella", "Caph", "Castor",
    "Deneb", "Diphda", "Dubhe", "Electra", "Elnath", "Enif", "Fomalhaut", "Gacrux", "Hadar", "Hamal", "Izar",
    "Kochab", "Maia", "Markab", "Megrez", "Menkar", "Merak", "Merope", "Miaplacidus", "Mimosa", "Mintaka",
    "Mira", "Mirach", "Mirfak", "Mizar", "Naos", "Nunki", "Phecda", "Polaris", "Pollux", "Procyon",
    "Regulus", "Rigel", "Sabik", "Sadr", "Saiph", "Scheat", "Shaula", "Sirius", "Spica", "Tarazed", "Thuban",
    "Vega", "Wezen",
)  # fmt: skip
"""Stars: proper names that are the same in every language of the web app."""

RESERVED = (
    "admin", "administrator", "computer", "deleted", "guest", "moderator", "operator", "owner", "root",
    "security", "server", "staff", "support", "system", "taiji",
)  # fmt: skip
"""Names that seem to speak for the server."""


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each confusable character, from the data of UTS #39.

    The library lists, for each character, those that look like it. The lists form stars: the prototype has
    several neighbours, and each of them has only the prototype.
    """
    from confusable_homoglyphs.confusables import confusables_data

    alike = {
        _plain(one): [_plain(entry["c"]) for entry in entries] for one, entries in confusables_data.items()
    }
    return {one: _centre(one, others, alike) for one, others in alike.items() if len(one) == 1}


def _centre(one: str, others: list[str], alike: dict[str, list[str]]) -> str:
    """Return the prototype among a character and its neighbours; of a mere pair, the simpler one."""
    if len(others) > 1:
        return one
    other = others[0]
    if len(alike.get(other, [])) > 1:
        return other
    return min(one, other, key=lambda text: (not text.isascii(), -len(text), text))


def _plain(text: str) -> str:
    """Return an entry without the marks that the library puts around right-to-left characters."""
    return text.replace("\u200e", "")


def skeleton(name: str) -> str:
    """Return what a name looks like: look-alikes have the same skeleton (UTS #39), also in another case.

    Case is folded between the passes, because capitals have look-alikes of their own. I, l, 1 and i are one
    letter: the first three look alike, and the fourth is the first in another case. Spaces do not count.
    """
    prototypes = _prototypes()
    text = name
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        text = unicodedata.normalize(form, text)
        text = "".join(prototypes.get(one, one) for one in text).casefold()
    return "".join(text.split()).replace("i", "l")


def look_key(name: str) -> str:
    """Return the hash of a name's skeleton; that of a deleted account stays, so that none takes its name."""
    return hashlib.sha256(f"taiji name:{skeleton(name)}".encode()).hexdigest()


@cache
def _reserved_skeletons() -> frozenset[str]:
    return frozenset(map(skeleton, RESERVED))


@cache
def _star_skeletons() -> frozenset[str]:
    return frozenset(map(skeleton, STARS))


def is_server_name(name: str) -> bool:
    """Return whether a name seems to speak for the server."""
    return skeleton(name) in _reserved_skeletons()


def is_reserved(name: str) -> bool:
    """Return whether an account cannot have a name because it seems to be the server's or a guest's."""
    return is_server_name(name) or (skeleton(name)[:-2] in _star_skeletons() and name[-2:].isdigit())


def guest_name(visitor_id: str) -> str:
    """Return the name of a guest who has not chosen one, such as `Altair 42`; it depends only on the id."""
    drawn = int(hashlib.sha256(f"taiji guest name:{visitor_id}".encode()).hexdigest()[:15], 16)
    choice, number = divmod(drawn, 90)
    return f"{STARS[choice % len(STARS)]} {10 + number}"
