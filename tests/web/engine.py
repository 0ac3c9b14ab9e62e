"""The built worker of the page's engine, driven from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from taiji.rules import State
from taiji.server.domain.game_definition import game_definition
from tests.web.browser import ROOT

ASSETS = ROOT / "src" / "taiji" / "server" / "static" / "assets"
SCRIPT = Path(__file__).with_name("engine_worker.js")
Job = dict[str, Any]


def asset(pattern: str) -> str:
    """Return the address of the one asset whose name fits the pattern."""
    (found,) = ASSETS.glob(pattern)
    return f"/assets/{found.name}"


def job(state: State, request: dict[str, Any]) -> Job:
    """Return a request about a position."""
    placed = {"placed": [list(stage) for stage in state.placed], "swapped": state.swapped}
    return {"game": str(state.game), "placed": placed, "request": request}


def think(state: State, player: str, seed: int) -> Job:
    """Return a request to choose a move."""
    return job(state, {"op": "think", "player": player, "seed": seed, "limit": {}, "match": None})


def run_engine(page: Page, jobs: list[Job], *, nets: bool = True) -> dict[str, Any]:
    """Start the worker in a page, let it answer the jobs, and return what it said."""
    # Absolute, as the page gives them: the worker's script has an address of its own.
    names = ("taiji", "tailits", "battle-of-lits") if nets else ()
    origin = str(page.evaluate("location.origin"))
    files = {
        "simd": origin + asset("taiji-simd-*.wasm"),
        "basic": next(
            origin + f"/assets/{p.name}" for p in ASSETS.glob("taiji-*.wasm") if "simd" not in p.name
        ),
        "nets": {name: origin + asset(f"{name}-*.net") for name in names},
    }
    games = {one["game"]: game_definition(one["game"]).model_dump(mode="json") for one in jobs}
    arguments = {"script": asset("worker-*.js"), "files": files, "games": games, "jobs": jobs}
    found: dict[str, Any] = page.evaluate(SCRIPT.read_text(), arguments)
    return found
