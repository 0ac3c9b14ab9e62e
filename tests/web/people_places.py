"""The front page of somebody who plays, games to watch, and the page of a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from playwright.sync_api import expect

from tests.server.running import Visitor
from tests.web.browser import Mirror, PageUser

CLOCK = {"clock_type": "fischer", "main_s": 300, "increment_s": 5}
DAYS = {"clock_type": "correspondence", "days": 3}
PASSWORD = "quite unusual words 17"


def new_name(name: str) -> str:
    """Return a name that nobody has."""
    return f"{name}-{uuid4().hex[:6]}"


class Player(Visitor):
    """Somebody with an account who plays by requests."""

    def __init__(self, url: str, name: str, *, bot: bool = False) -> None:
        super().__init__(url)
        self.name = new_name(name)
        self.post("/api/account", {"name": self.name, "password": PASSWORD, "bot": bot}, 201)

    def challenge(self, game: str, **wish: Any) -> str:
        """Create an open challenge as Light, and return its table."""
        wish = {"opponent": "open", "colour": "light", "match": False, "clock": CLOCK, **wish}
        identity: str = self.table(game=game, **wish)["id"]
        return identity

    def meet(self, other: Visitor, game: str, plies: int, **wish: Any) -> str:
        """Play the first moves of a game with somebody."""
        table = self.challenge(game, **wish)
        other.post(f"/api/tables/{table}/join")
        play((self, other), table, game, plies)
        return table


def play(players: tuple[Visitor, Visitor], table: str, game: str, plies: int) -> None:
    """Make random moves in turn."""
    mirror = Mirror(game, seed=4)
    while mirror.plies < plies and not mirror.state.is_over:
        move = mirror.choose()
        seat = mirror.state.seat_to_move
        players[seat].act(table, "move", ply=mirror.plies, move=move.action)
        mirror.play(move)


def call(user: PageUser, method: str, path: str, body: object = None) -> Any:
    """Ask the server with the cookies of the page and return the answer; it takes no page."""
    requests = user.context.request
    headers = {"Origin": user.url, "X-CSRF-Token": requests.get("/api/me").json()["csrf"]}
    answer = requests.fetch(path, method=method, headers=headers, data=body)
    return None if answer.status == 204 else answer.json()


class Club:
    """Two players and a bot with games behind and before them; the user plays one of each."""

    def __init__(self, user: PageUser) -> None:
        url = user.url
        self.ana, self.bo = Player(url, "Ana"), Player(url, "Bo")
        self.bot = Player(url, "Counter", bot=True)
        for loser, game in ((self.bo, "taiji:size=7"), (self.ana, "taiji:size=7"), (self.bo, "tailits")):
            table = self.ana.meet(self.bo, game, 9, rated=True)
            loser.act(table, "resign")
        self.ana.act(self.bot.meet(self.ana, "battle-of-lits", 5), "resign")
        self.live = self.ana.meet(self.bo, "taiji", 14)
        quick, slow = {"taiji:size=7": 7, "taiji": 1}, {"tailits": 5, "battle-of-lits": 3}
        for game, plies in {**quick, **slow}.items():
            clock = CLOCK if game in quick else DAYS
            table = self.ana.challenge(game, clock=clock)
            call(user, "POST", f"/api/tables/{table}/join")
            mirror = Mirror(game, seed=4)
            while mirror.plies < plies:
                move = mirror.choose()
                if mirror.state.seat_to_move == 0:
                    self.ana.act(table, "move", ply=mirror.plies, move=move.action)
                else:
                    body = {"id": f"m{mirror.plies}", "ply": mirror.plies, "move": move.action}
                    call(user, "POST", f"/api/tables/{table}/move", body)
                mirror.play(move)
        call(user, "PUT", f"/api/following/{self.ana.name}")
        call(user, "PUT", f"/api/following/{self.bot.name}")


def returning(user: PageUser) -> None:
    Club(user)
    user.open("/")
    expect(user.page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(user.page.get_by_role("heading", name="Latest results")).to_be_visible()


def watch(user: PageUser) -> None:
    Club(user)
    user.open("/watch")
    expect(user.page.locator("li .thumbnail svg").first).to_be_visible()


def player(user: PageUser) -> None:
    user.open(f"/player/{Club(user).ana.name}")
    expect(user.page.get_by_role("heading", name="Results by opponent")).to_be_visible()
    expect(user.page.locator("li .thumbnail svg").first).to_be_visible()


def menu(user: PageUser) -> None:
    user.open("/learn")
    user.page.locator("summary[aria-label=Menu]").click()
    expect(user.page.get_by_role("navigation", name="Menu")).to_be_visible()


PEOPLE_PLACES: dict[str, Callable[[PageUser], None]] = {
    "returning": returning,
    "watch": watch,
    "player": player,
    "menu": menu,
}
