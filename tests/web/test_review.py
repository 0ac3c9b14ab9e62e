"""Review: import a record, analyse it with a progress bar, cancel, step through it, play a variation."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser


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
    expect(page.locator(".surface .piece")).to_have_count(2)
    user.button("Analyse this position").click()
    line = page.locator("button.line").first
    expect(line).to_be_visible()
    # A variation: any move but the one that was played.
    replay = Mirror("taiji:size=4")
    for _ in range(2):
        replay.play(replay.choose())
    state = replay.state
    played = replay.choose()
    other = next(move for move in state.legal() if move != played)
    user.place(state, other)
    expect(page.get_by_text("Your variation from move 2.")).to_be_visible()
    user.expect_moves(3)
    user.button("Back to the game").click()
    user.expect_moves(mirror.plies)


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
