"""Review: import a record, analyse it with a progress bar, cancel, step through it, play a variation."""

from __future__ import annotations

from playwright.sync_api import expect

from taiji.rules import parse_game
from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests


def record(game: str = "taiji:size=4") -> tuple[str, Mirror]:
    mirror = Mirror(game)
    texts = []
    while not mirror.state.is_over:
        move = mirror.choose()
        texts.append(str(move))
        mirror.play(move)
    return f'[Game "{game}"]\n\n{" ".join(texts)}\n', mirror


def upload(user: PageUser, text: str) -> None:
    user.open("/review")
    user.page.get_by_label("or its text").fill(text)
    user.button("Open").click()


def test_a_record_from_elsewhere(user: PageUser) -> None:
    text, mirror = record()
    upload(user, text)
    user.expect_moves(mirror.plies)
    page = user.page
    user.button("Start the review").click()
    graph = page.get_by_role("slider", name="Position")
    expect(graph).to_be_visible()
    expect(user.button("Review again")).to_be_visible(timeout=180_000)
    expect(page.locator("path.win")).to_have_count(1)
    graph.fill("2")
    expect(page.locator(".surface .piece:not(.ghost .piece)")).to_have_count(2)
    user.button("Evaluation").click()
    expect(page.locator("button.line").first).to_be_visible()
    # A variation: any move but the one that was played.
    replay = Mirror("taiji:size=4")
    for _ in range(2):
        replay.play(replay.choose())
    state = replay.state
    played = replay.choose()
    other = next(move for move in state.legal() if move != played)
    user.place(state, other)
    expect(page.get_by_text("Your variation from move 2.")).to_be_visible()
    user.expect_moves(mirror.plies + 1)
    expect(page.locator(".variation button")).to_have_count(1)
    user.button("Back to the game").click()
    expect(page.get_by_text("Your variation from move 2.")).to_have_count(0)


BLUNDER = '[Game "taiji:size=4"]\n\nc1/d1 b4/c4 d3/c3 a1/a2 b2/b3 c2/d2 a4/a3\n'
"""The third move throws the win away; the solver proves it."""


def test_a_review_stays_and_teaches(guest: Guests) -> None:
    """Accuracy, mistakes one by one, another try, a link that others open until it is made private."""
    ada, eve = guest(), guest()
    ada.settings(sounds=False)
    page = ada.page
    upload(ada, BLUNDER)
    ada.button("Start the review").click()
    expect(ada.button("Review again")).to_be_visible(timeout=180_000)
    row = page.get_by_role("row").nth(2)
    expect(row).to_contain_text("%")
    page.reload()
    expect(page.get_by_role("row")).to_have_count(3)
    ada.button("Go to start").click()
    ada.button("Next mistake").click()
    judged = page.get_by_label("Judgement")
    expect(judged).to_contain_text("win probability; better was")
    expect(page.locator(".ghost.hint")).to_be_visible()
    ada.button("Try again here").click()
    expect(page.locator(".ghost.hint")).to_have_count(0)
    expect(judged).to_contain_text("Find a better move for")
    ply = page.locator(".surface .piece:not(.ghost .piece)").count()
    state = parse_game("taiji:size=4").start()
    for text in BLUNDER.split("\n")[2].split()[:ply]:
        state = state.play(state.parse(text))
    ada.button("Show the answer").click()
    best = state.parse(judged.inner_text().split("Best move: ")[1].split(".")[0])
    ada.place(state, best)
    expect(judged).to_contain_text("is the best move.")
    ada.button("Back to the review").click()
    expect(ada.button("Try again here")).to_be_visible()

    page.get_by_text("Share and download").click()
    link = page.get_by_label("Link").input_value()
    eve.page.goto(link)
    expect(eve.page.get_by_role("row")).to_have_count(3)
    page.get_by_label("Only I can see this review").check()
    expect(page.get_by_label("Link")).to_have_count(0)
    eve.expected += ["status of 403", "status of 404"]
    eve.page.reload()
    expect(eve.page.get_by_role("alert")).to_have_text("This review is private: only its owner can see it.")
    ada.button("Delete the review").click()
    expect(ada.button("Start the review")).to_be_visible()
    eve.page.reload()
    expect(eve.page.get_by_role("alert")).to_have_text("This review was deleted or never existed.")


def test_on_a_phone_board_and_words_of_an_attempt_are_in_sight(guest: Guests) -> None:
    """The answer is found on the board while its words are read; no scrolling between them."""
    user = guest(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = user.page
    upload(user, BLUNDER)
    user.button("Start the review").tap()
    expect(user.button("Review again")).to_be_visible(timeout=180_000)
    user.button("Go to start").tap()
    user.button("Next mistake").tap()
    judged = page.get_by_label("Judgement")
    for text, button in (("better was", "Try again here"), ("Find a better move", "Show the answer")):
        expect(judged).to_contain_text(text)
        for part in (page.locator(".surface"), judged):
            expect(part).to_be_in_viewport(ratio=1)
        page.mouse.wheel(0, 300)
        user.button(button).tap()
    expect(judged).to_contain_text("Best move")
    expect(page.locator(".ghost.hint")).to_be_visible()


def test_a_review_can_be_cancelled(user: PageUser) -> None:
    text, _ = record("taiji:size=7")
    upload(user, text)
    user.page.get_by_label("Depth").select_option("deep")
    user.button("Start the review").click()
    expect(user.page.get_by_role("progressbar")).to_be_visible()
    user.button("Cancel").click()
    expect(user.page.get_by_role("progressbar")).to_have_count(0)
    expect(
        user.page.get_by_role("button", name="Start the review").or_(user.button("Review again"))
    ).to_be_enabled()


def test_a_record_that_cannot_be_read(user: PageUser) -> None:
    user.expected.append("status of 400")
    upload(user, '[Game "taiji:size=4"]\n\na1/b1 a1/b1\n')
    expect(user.page.get_by_role("alert")).to_contain_text("The record cannot be read")
