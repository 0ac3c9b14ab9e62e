"""Names: look-alikes are one name, nothing invisible is shown, guests have memorable names."""

from __future__ import annotations

import re
import unicodedata

import pytest
from pydantic import TypeAdapter, ValidationError

from taiji.server.contract.visible_text import (
    INVISIBLE_RANGES,
    VISIBLE,
    Label,
    Name,
    Remark,
    Title,
    make_visible,
)
from taiji.server.domain.names import RESERVED, STARS, guest_name, is_reserved, look_key, skeleton

ALIKE = [
    ("Ada", "аda"),  # Cyrillic
    ("Ada", "ΑDΑ"),  # Greek capitals
    ("Ada", "ＡＤＡ"),  # full width
    ("Ada", "𝔸𝕕𝕒"),  # letters of mathematics
    ("Ada", "ᎪdᎪ"),  # Cherokee
    ("scope", "ѕсоре"),
    ("paypal", "paypaI"),
    ("paypal", "PAYPAL"),
    ("mike", "MIKE"),
    ("bot1", "botl"),
    ("b0b", "bob"),
    ("modern", "rnodern"),
    ("a-b", "a‐b"),
    ("Ada", "A d a"),
]
DIFFERENT = [("Ada", "Bob"), ("Ada", "Adá"), ("player-1", "player-2"), ("anna", "ana"), ("Zoë", "Zoé")]
HIDDEN = {
    "null": "\x00", "line feed": "\n", "delete": "\x7f", "soft hyphen": "\xad", "joiner": "\u034f",
    "Arabic mark": "\u061c", "Hangul filler": "\u3164", "zero-width space": "\u200b",
    "zero-width joiner": "\u200d", "left-to-right mark": "\u200e", "right-to-left override": "\u202e",
    "first strong isolate": "\u2068", "word joiner": "\u2060", "byte order mark": "\ufeff",
    "variation selector": "\ufe0f", "Braille blank": "\u2800", "tag": "\U000e0041",
    "language tag": "\U000e0001",
    "variation selector 17": "\U000e0100", "private use": "\ue000", "no-break space": "\xa0",
    "hair space": "\u200a", "line separator": "\u2028",
}  # fmt: skip


@pytest.mark.parametrize(("one", "two"), ALIKE)
def test_names_that_look_alike_have_one_key(one: str, two: str) -> None:
    assert look_key(one) == look_key(two)


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_names_that_differ_have_different_keys(one: str, two: str) -> None:
    assert look_key(one) != look_key(two)


def test_every_pair_of_the_unicode_data_has_one_skeleton() -> None:
    from confusable_homoglyphs.confusables import confusables_data

    marked = [
        (one, entry["c"])
        for one, entries in confusables_data.items()
        for entry in entries
        if "\u200e" not in one + entry["c"]
    ]
    assert len(marked) > 10_000
    assert [pair for pair in marked if skeleton(pair[0]) != skeleton(pair[1])] == []


@pytest.mark.parametrize("kind", [Name, Title, Label, Remark])
@pytest.mark.parametrize("what", HIDDEN)
def test_invisible_characters_are_refused_wherever_a_text_is_shown(kind: object, what: str) -> None:
    adapter: TypeAdapter[str] = TypeAdapter(kind)
    assert adapter.validate_python("Ada Lovelace") == "Ada Lovelace"
    with pytest.raises(ValidationError):
        adapter.validate_python(f"Ada{HIDDEN[what]}Lovelace")


def test_the_ranges_hold_every_control_and_format_character() -> None:
    def hidden(code: int) -> bool:
        return any(first <= code <= last for first, last in INVISIBLE_RANGES)

    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or (category == "Zs" and code != 0x20):
            assert hidden(code), f"U+{code:04X} {category}"
        elif category[0] in "LN" and "FILLER" not in unicodedata.name(chr(code), ""):
            assert not hidden(code), f"U+{code:04X} {category}"


def test_names_of_many_languages_are_fine() -> None:
    names = TypeAdapter(Name)
    for name in (
        "Ada",
        "José",
        "Σωκράτης",
        "Юлия",
        "小林",
        "علي",
        "שרה",
        "나래",
        "प्रिया",
        "Nguyễn",
        "🐉",
        "x",
    ):
        assert names.validate_python(name) == name
    for name in ("", " Ada", "Ada ", "x" * 25, "Z" + "\u0301" * 4):
        with pytest.raises(ValidationError):
            names.validate_python(name)


def test_a_guest_has_a_memorable_name_of_their_own() -> None:
    names = {guest_name(f"v{n}") for n in range(2000)}
    assert len(names) > 1500
    assert all(re.fullmatch(r"[A-Z][a-z]+ \d\d", name) and name.split()[0] in STARS for name in names)
    assert all(re.fullmatch(VISIBLE, name) and len(name) <= 24 for name in names)
    assert guest_name("v1") == guest_name("v1")


def test_accounts_cannot_have_names_of_guests_or_of_the_server() -> None:
    assert all(is_reserved(name) for name in RESERVED)
    for name in ("Adm1n", "GUEST", "Vega-42".replace("-", ""), "vega42", "Rigel77"):
        assert is_reserved(name), name
    for name in ("Vega", "Vega-4", "Ada", "administrative"):
        assert not is_reserved(name), name


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u0e38", "\u20dd", "\u1ab0"])
def test_no_letter_covers_the_lines_around_it(mark: str) -> None:
    """Names that players choose are refused, those in files are shortened."""
    with pytest.raises(ValidationError):
        TypeAdapter(Name).validate_python(f"a{mark * 8}b")
    shown = make_visible(f"a{mark * 500}b", 60)
    assert unicodedata.normalize("NFD", shown) == f"a{mark * 3}b"


def test_texts_of_files_are_shown_without_what_cannot_be_seen() -> None:
    hidden = "\u202e\u2066\U000e0041\u200b\ufeff\x1b[31m\r\n\x00"
    assert make_visible(f"  An{hidden}a  ", 60) == "An [31m a"
    assert make_visible("x" * 100, 60) == "x" * 60
    assert make_visible("Zoë Ångström", 60) == "Zoë Ångström"
