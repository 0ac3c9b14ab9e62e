"""On a phone the board fills the width, and the controls need no scrolling."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import expect

from tests.web.conftest import Guests
from tests.web.game_places import hot_seat
from tests.web.places import visit

WIDTH, HEIGHT = 390, 844


def test_the_board_fills_the_width_and_the_hand_is_in_reach(guest: Guests) -> None:
    user = guest(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    for name in ("tailits", "taiji-11"):
        visit(user, name)
        board = user.surface.bounding_box()
        assert board is not None
        assert board["width"] >= WIDTH - 2 * 12
        for label in ("Turn", "Flip", "Place"):
            if name == "taiji-11":
                expect(user.button(label)).to_have_count(0)
                continue
            button = user.button(label).bounding_box()
            assert button is not None
            assert button["y"] + button["height"] <= HEIGHT
            assert button["height"] >= 44


def test_the_first_button_needs_no_scrolling(guest: Guests) -> None:
    user = guest(viewport={"width": WIDTH, "height": HEIGHT})
    user.open("/")
    expect(user.button("Play now")).to_be_in_viewport()


CUT = """() => [...document.querySelectorAll('.strip strong, .strip .sub')]
    .filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.innerText)"""
"""The texts of the strips that do not fit."""


def test_two_strips_in_one_row_cut_no_word(guest: Guests) -> None:
    """Of puzzles and of embedded boards, in every language on the narrowest phone."""
    for language in ("en-GB", "nl-NL", "pt-PT", "es-ES"):
        user = guest(viewport={"width": 360, "height": 640}, locale=language)
        record = quote('[Game "taiji:size=7"]\n\n1. c3/c4')
        for path in ("/puzzles/taiji-9", "/puzzles/tailits+taiji", f"/embed/#record={record}"):
            user.open(path)
            expect(user.page.locator(".strip")).to_have_count(2)
            user.page.evaluate("document.fonts.ready")
            assert user.page.evaluate(CUT) == [], (language, path)


LONG_HINT = (
    "Prueba la jugada marcada, d10e9/d11e10. Tus puntos suben de 3 a 4. Negro no gana ningún punto con ello."
)
"""As long as a hint gets: one that gives two reasons, in Spanish."""


def test_a_hint_on_a_phone_is_read_without_scrolling(guest: Guests) -> None:
    user = guest(locale="es-ES")
    for name in ("coached", "coached-tailits"):
        visit(user, name)
        user.button("Pista").click()
        user.page.locator(".hint p").evaluate("(words, text) => (words.textContent = text)", LONG_HINT)
        for width, height in ((360, 640), (390, 844), (844, 390)):
            user.page.set_viewport_size({"width": width, "height": height})
            box = user.page.locator(".words")
            assert box.evaluate("box => box.scrollHeight <= box.clientHeight"), (name, width)


SPILLED = """() => [...document.querySelectorAll('.actions button, .hand button')].filter((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
    return inner.left < outer.left || inner.right > outer.right;
}).map((button) => button.innerText)"""
"""The buttons whose words are wider than they are."""


def test_the_words_of_a_button_stay_inside_it(guest: Guests) -> None:
    """In every language on the narrowest phone, with the swap among the buttons."""
    for language in ("en-GB", "nl-NL", "pt-PT", "es-ES"):
        user = guest(viewport={"width": 360, "height": 640}, locale=language)
        hot_seat("battle-of-lits", 1, computer={"seat": 0, "level": 1})(user)
        user.wait_for_turn()
        expect(user.page.locator(".swap")).to_be_visible()
        user.page.evaluate("document.fonts.ready")
        assert user.page.evaluate(SPILLED) == [], language
