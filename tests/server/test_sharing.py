"""Link previews, their pictures and embedded boards, as crawlers and foreign pages ask for them."""

from __future__ import annotations

import html
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from taiji.server.contract.errors import ApiError
from taiji.server.web.sharing.texts import TEXTS, Words, preferred_language
from tests.server.inside import PASSWORD, Inside
from tests.server.running import Running, Visitor
from tests.waiting import PATIENCE_S

META = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />')
HOSTILE = '"><script>x</script>'
"""A name that is short enough, and ends an attribute if it is not escaped."""

Visitors = Callable[[], Visitor]


def crawl(server: Running, path: str, language: str = "en", status: int = 200) -> tuple[dict[str, str], str]:
    """Return the tags of a page, and the page, as a stranger without a cookie gets it."""
    headers = {"Accept-Language": language}
    page = httpx.get(server.url + path, headers=headers, timeout=PATIENCE_S)
    assert page.status_code == status
    assert "set-cookie" not in page.headers
    return {name: html.unescape(value) for name, value in META.findall(page.text)}, page.text


def open_game(visitor: Visitors, names: tuple[str, str] = ("Ada", "Ben"), **wish: Any) -> str:
    """Play three moves of a game between two guests who found each other in the lobby."""
    first, second = visitor(), visitor()
    for player, name in zip((first, second), names, strict=True):
        player.client.patch("/api/me", json={"name": name}).raise_for_status()
    table = first.table(opponent="open", colour="light", **wish)
    second.post(f"/api/tables/{table['id']}/join")
    for ply, (player, move) in enumerate(((first, "a1/a2"), (second, "b1/b2"), (first, "c1/c2"))):
        player.act(table["id"], "move", ply=ply, move=move)
    return str(table["id"])


def test_a_public_game_has_a_title_a_description_and_a_picture(server: Running, visitor: Visitors) -> None:
    table = open_game(visitor)
    tags, page = crawl(server, f"/game/{table}")
    assert tags["og:title"] == "Ada – Ben · TAIJI 4×4"
    assert tags["og:description"].startswith("Move 3, ")
    assert tags["og:image:alt"] == "Board of TAIJI 4×4 after 3 moves"
    assert (tags["og:url"], tags["og:locale"]) == (f"{server.url}/game/{table}", "en_GB")
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["description"] == tags["og:description"] == tags["twitter:description"]
    assert page.count("<title>") == 1
    assert "<script>" not in page  # no inline script, as the policy demands
    picture = httpx.get(tags["og:image"], timeout=PATIENCE_S)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    width, height = struct.unpack(">II", picture.content[16:24])
    assert (str(width), str(height)) == (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    known = {"If-None-Match": picture.headers["etag"]}
    assert httpx.get(tags["og:image"], headers=known, timeout=PATIENCE_S).status_code == 304


def test_the_picture_of_a_game_changes_with_its_moves(server: Running, visitor: Visitors) -> None:
    first, second = visitor(), visitor()
    table = first.table(opponent="open", colour="light")["id"]
    second.post(f"/api/tables/{table}/join")
    before = crawl(server, f"/game/{table}")[0]["og:image"]
    assert crawl(server, f"/game/{table}")[0]["og:image"] == before
    first.act(table, "move", ply=0, move="a1/a2")
    assert crawl(server, f"/game/{table}")[0]["og:image"] != before


def test_previews_speak_the_language_that_is_asked_for(server: Running, visitor: Visitors) -> None:
    path = f"/game/{open_game(visitor)}"
    titles = {language: crawl(server, path, language)[0] for language in TEXTS}
    assert len({tags["og:description"] for tags in titles.values()}) == len(TEXTS)
    assert titles["nl"]["og:locale"] == "nl_NL"
    assert crawl(server, path, "de, pt-BR;q=0.8, es;q=0.9")[0] == titles["es"]
    assert crawl(server, path, "x;q=;;,,*")[0] == titles["en"]


def test_hostile_names_stay_text(server: Running, visitor: Visitors) -> None:
    table = open_game(visitor, (HOSTILE, "{winner} \\1 & <b>"))
    tags, page = crawl(server, f"/game/{table}")
    assert tags["og:title"] == f"{HOSTILE} – {{winner}} \\1 & <b> · TAIJI 4×4"
    assert "<script>x" not in page
    assert "<b>" not in page
    assert httpx.get(tags["og:image"], timeout=PATIENCE_S).status_code == 200
    # A host that this server does not answer to never reaches a tag.
    forged = httpx.get(f"{server.url}/game/{table}", headers={"Host": "evil.example"}, timeout=PATIENCE_S)
    assert forged.status_code == 421


def test_nothing_of_private_games_is_shown(server: Running, visitor: Visitors) -> None:
    player, friend = visitor(), visitor()
    player.client.patch("/api/me", json={"name": "Secretive"}).raise_for_status()
    practice = player.table(opponent="computer", level=1, colour="light")["id"]
    player.act(practice, "move", ply=0, move="a1/a2")
    by_link = player.table(opponent="link", colour="light")
    friend.post("/api/join", {"secret": by_link["invite"].partition("#")[2]})
    generic = crawl(server, "/")[0]
    for table in (practice, by_link["id"], "nosuchtable"):
        for page in (f"game/{table}", f"review/table/{table}"):
            tags, text = crawl(server, f"/{page}", status=404 if table == "nosuchtable" else 200)
            assert {**tags, "og:url": ""} == {**generic, "og:url": ""}
            assert "Secretive" not in text
            picture = httpx.get(f"{server.url}/api/previews/{page}.png", timeout=PATIENCE_S)
            assert picture.status_code == 404
        # Not even its players can embed it, and a private game looks like none at all.
        answer = player.client.get(f"/api/embed/game/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


def test_reviews_are_shown_as_far_as_their_owner_and_their_game_allow(
    server: Running, visitor: Visitors
) -> None:
    owner = visitor()
    record = owner.post("/api/records", {"game": "taiji:size=4", "moves": ["a1/a2", "b1/b2", "c1/c2"]}, 201)[
        "id"
    ]
    review = owner.post("/api/reviews", {"record": record, "depth": "quick"}, 202)["id"]
    tags = crawl(server, f"/review/{review}")[0]
    assert tags["og:title"] == "Review: TAIJI 4×4"
    assert httpx.get(tags["og:image"], timeout=PATIENCE_S).status_code == 200
    shown = httpx.get(f"{server.url}/api/embed/review/{review}", timeout=PATIENCE_S).json()
    assert (shown["path"], len(shown["moves"])) == (f"/review/{review}", 3)
    owner.client.patch(f"/api/reviews/{review}", json={"shared": False}).raise_for_status()
    assert crawl(server, f"/review/{review}")[0]["og:title"] == "TAIJI"
    assert owner.client.get(f"/api/embed/review/{review}").status_code == 404
    owner.client.delete(f"/api/reviews/{review}?forget=true").raise_for_status()
    assert crawl(server, f"/review/{review}", status=404)[0]["og:title"] == "TAIJI"
    # A shared review of practice would show the practice.
    practice = owner.table(opponent="computer", level=1, colour="light")["id"]
    owner.act(practice, "move", ply=0, move="a1/a2")
    owner.act(practice, "resign")
    hidden = owner.post("/api/reviews", {"table": practice, "depth": "quick"}, 202)["id"]
    assert crawl(server, f"/review/{hidden}")[0]["og:title"] == "TAIJI"
    assert owner.client.get(f"/api/embed/review/{hidden}").status_code == 404


def test_puzzles_have_a_preview_and_unknown_ones_do_not(server: Running) -> None:
    tags = crawl(server, "/puzzles/taiji-9/taiji-1-1")[0]
    assert tags["og:title"] == "Puzzle: TAIJI 9×9"
    assert httpx.get(tags["og:image"], timeout=PATIENCE_S).status_code == 200
    today = crawl(server, "/puzzles/daily", "nl")[0]
    assert today["og:title"].startswith("Puzzel van de dag: ")
    assert httpx.get(today["og:image"], timeout=PATIENCE_S).headers["content-type"] == "image/png"
    for path in ("/puzzles/taiji-9/none", "/puzzles/nothing/taiji-1-1"):
        assert crawl(server, path, status=404)[0]["og:title"] == "TAIJI"


def test_players_have_a_preview_with_a_public_game_and_never_a_private_one(
    server: Running, visitor: Visitors
) -> None:
    def picture() -> str:
        """Ask for the page of a player, which may not exist yet, and return the address of its picture."""
        page = httpx.get(f"{server.url}/player/Previewed", timeout=PATIENCE_S)
        tags = {name: html.unescape(value) for name, value in META.findall(page.text)}
        assert tags["og:title"] == "Previewed"
        assert "Previewed plays TAIJI here" in tags["og:description"]
        return tags["og:image"]

    player, other = visitor(), visitor()
    player.post("/api/account", {"name": "Previewed", "password": "correct horse battery"}, 201)
    before = picture()
    for opponent in ("link", "open"):
        table = player.table(opponent=opponent, colour="light", match=False)
        if opponent == "link":
            other.post("/api/join", {"secret": table["invite"].partition("#")[2]})
        else:
            other.post(f"/api/tables/{table['id']}/join")
        player.act(table["id"], "move", ply=0, move="a1/a2")
        player.act(table["id"], "resign")
        assert (picture() == before) == (opponent == "link")
    assert httpx.get(picture(), timeout=PATIENCE_S).status_code == 200
    unknown = httpx.get(f"{server.url}/api/previews/player/NobodyAtAll.png", timeout=PATIENCE_S)
    assert unknown.status_code == 404


def test_what_does_not_exist_answers_404_with_the_page(
    alone: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the address of a private game may look at it: only what nobody can see is missing."""
    ada = alone.browser()
    ada.register("ada")
    private = ada.table(opponent="link")["id"]
    contest = ada.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})["id"]
    known = (f"game/{private}", f"review/table/{private}", f"tournament/{contest}")
    stranger = alone.browser("192.0.2.7")
    for path in (*known, "player/ada", "player/ADA", "player/ada/"):
        assert stranger.request("GET", f"/{path}").status_code == 200, path
    page = stranger.request("GET", "/").text
    unknown = ("game/none", "review/table/none", "tournament/none", "review/none", "player/bob")
    for path in (*unknown, "game/no-such-name", "player/%C3%A9%C3%A9", "puzzles/taiji-9/none"):
        answer = stranger.request("GET", f"/{path}")
        assert answer.status_code == 404, path
        assert META.sub("", answer.text) == META.sub("", page)
        assert stranger.ask("GET", f"/api/previews/{path}.png") == (404, "not-found")
    ada.post("/api/me/delete", {"password": PASSWORD})
    assert stranger.request("GET", "/player/ada").status_code == 404
    # Without a database nothing is known to be missing.
    monkeypatch.setattr(alone.context.rooms, "get", unavailable)
    assert stranger.request("GET", "/game/none").status_code == 200


async def unavailable(table_id: str) -> None:
    raise ApiError("unavailable")


def test_only_embedded_boards_may_be_framed(server: Running, visitor: Visitors) -> None:
    table = open_game(visitor)
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        for path in (
            "/embed/",
            f"/embed/game/{table}",
            "/embed/review/abc",
            f"/embed/game/{table}?theme=dark",
        ):
            page = client.get(path)
            policy = page.headers["content-security-policy"]
            assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
            assert policy.endswith("frame-ancestors *")
            assert "script-src 'self'" in policy
            assert "data-embed" in page.text
        for path in (
            "/", f"/game/{table}", "/embedded", "/embed/other/abc", "/embed/game/a/b", "/settings",
            f"/api/embed/game/{table}", "/api/docs", "/icon.svg", "/embed.html/x",
        ):  # fmt: skip
            assert "frame-ancestors 'none'" in client.get(path).headers["content-security-policy"], path
        shown = client.get(f"/api/embed/game/{table}")
        assert not client.cookies
    assert [len(shown.json()["moves"]), shown.json()["names"]] == [3, {"first": "Ada", "second": "Ben"}]


def test_every_system_finds_its_icon(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        icon = client.get("/favicon.ico")
        assert icon.headers["content-type"] == "image/x-icon"
        _, kind, count = struct.unpack("<HHH", icon.content[:6])
        assert (kind, count) == (1, 3)
        for number in range(count):
            size, *_, length, offset = struct.unpack("<BBBBHHII", icon.content[6 + 16 * number :][:16])
            image = icon.content[offset : offset + length]
            assert struct.unpack(">II", image[16:24]) == (size, size)
        assert client.get("/apple-touch-icon.png").headers["content-type"] == "image/png"
        manifest = json.loads(client.get("/manifest.webmanifest").text)
        purposes = set()
        for entry in manifest["icons"]:
            found = client.get(f"/{entry['src']}")
            assert found.headers["content-type"].startswith(entry["type"])
            purposes.add((entry.get("purpose"), entry["sizes"]))
            if entry["type"] == "image/png":
                wide, high = struct.unpack(">II", found.content[16:24])
                assert f"{wide}x{high}" == entry["sizes"]
        assert {("maskable", "192x192"), ("maskable", "512x512"), (None, "any")} <= purposes
        assert client.get("/icons/preview.png").status_code == 200


@pytest.mark.parametrize("language", TEXTS)
def test_the_languages_have_the_same_texts(language: str) -> None:
    names = {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in TEXTS[language].items()}
    assert names == {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in TEXTS["en"].items()}
    assert set(TEXTS) == {path.stem for path in Path("web/src/i18n").glob("*.json")}
    assert Words(language)("guest")
    assert preferred_language(f"xx, {language}-XX;q=0.3") == language
