"""Studies as TOML files: `study.toml` in the folder of a study, or one that a person wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from taiji.arena.custom_game import read_game
from taiji.rules.errors import suggestion
from taiji.rules.tables import parse_toml
from taiji.study.spec import OpeningSearch, SpecError, Strength, StudiedGame, Study

SPEC_NAME = "study.toml"
MAX_SPEC_BYTES = 1_000_000
_TOP = ("kind", "title", "seed", "games", "random_plies", "batch", "net", "game", "strength", "openings")
_GAME = ("name", "label", "games", "boards", "winner", "note")
ValueT = TypeVar("ValueT", OpeningSearch, Strength)


def read_study(path: Path) -> Study:
    """Read and check a study; games in TOML files are looked for beside it."""
    if path.is_file() and path.stat().st_size > MAX_SPEC_BYTES:
        raise SpecError(f"{path}: too large (expected at most {MAX_SPEC_BYTES:,} bytes)")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(f"{path}: not UTF-8 text") from error
    try:
        study = study_from_dict(parse_toml(text, SpecError), path.parent)
        study.check()
    except (ValueError, TypeError) as error:
        raise SpecError(f"{path}: {error}") from error
    return study


def study_from_dict(data: Mapping[str, Any], folder: Path) -> Study:
    """Return the study that a parsed TOML file declares."""
    _check_keys("study", data, _TOP)
    values: dict[str, Any] = {
        key: data[key] for key in ("kind", "title", "seed", "random_plies", "batch", "net") if key in data
    }
    if "games" in data:
        values["count"] = data["games"]
    if "openings" in data:
        values["openings"] = _value(OpeningSearch, "openings", data["openings"])
    for key in ("kind", "title", "net"):
        if not isinstance(values.get(key, ""), str):
            raise SpecError(f"{key}: invalid {values[key]!r} (expected a text)")
    return Study(
        kind=values.pop("kind", "balance"),
        games=tuple(_game(entry, folder) for entry in _tables("game", data)),
        strengths=tuple(_value(Strength, "strength", entry) for entry in _tables("strength", data)),
        **values,
    )


def write_study(study: Study, folder: Path) -> None:
    """Write `study.toml` into a folder, and the declarations of custom games beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in study.games:
        if game.declaration:
            _replace(folder / f"{game.game}.toml", game.declaration)
    _replace(folder / SPEC_NAME, study_to_toml(study))


def study_to_toml(study: Study) -> str:
    """Return a study as TOML that `read_study` reads."""
    default = Study("balance", (), ())
    lines = [f"kind = {json.dumps(study.kind)}"]
    for key, name in (("title", "title"), ("seed", "seed"), ("count", "games")):
        lines += [f"{name} = {json.dumps(getattr(study, key), ensure_ascii=False)}"]
    for key in ("random_plies", "batch", "net"):
        if getattr(study, key) != getattr(default, key):
            lines.append(f"{key} = {json.dumps(getattr(study, key))}")
    if study.kind == "openings":
        lines += ["", "[openings]", *_pairs(study.openings)]
    for strength in study.strengths:
        lines += ["", "[[strength]]", *_pairs(strength)]
    for game in study.games:
        name = f"{game.game}.toml" if game.declaration else game.game
        lines += ["", "[[game]]", f"name = {json.dumps(name, ensure_ascii=False)}"]
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}"
            for key in _GAME[1:]
            if (value := getattr(game, key))
        ]
    return "\n".join(lines) + "\n"


def _pairs(value: Strength | OpeningSearch) -> list[str]:
    pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
    return [f"{key} = {json.dumps(item)}" for key, item in pairs if item is not None]


def _tables(key: str, data: Mapping[str, Any]) -> list[Any]:
    tables = data.get(key, [])
    if not isinstance(tables, list):
        raise SpecError(f"{key}: invalid (expected tables [[{key}]])")
    return tables


def _game(entry: Any, folder: Path) -> StudiedGame:
    _check_keys("game", entry, _GAME)
    name = entry.get("name")
    if not isinstance(name, str):
        raise SpecError("game: no name (expected a game or a TOML file)")
    for key in ("label", "winner", "note"):
        if not isinstance(entry.get(key, ""), str):
            raise SpecError(f"game {name}: invalid {key} (expected a text)")
    game, declaration = read_game(name, folder)
    return StudiedGame(game, declaration=declaration, **{k: v for k, v in entry.items() if k != "name"})


def _value(kind: type[ValueT], name: str, entry: Any) -> ValueT:
    _check_keys(name, entry, [field.name for field in fields(kind)])
    if not isinstance(entry.get("player", ""), str):
        raise SpecError(f"{name}: invalid player (expected a text)")
    return kind(**entry)


def _check_keys(name: str, data: Any, known: Any) -> None:
    if not isinstance(data, Mapping):
        raise SpecError(f"{name}: invalid (expected a table)")
    for key in data:
        if key not in known:
            hint = suggestion(key, known)
            raise SpecError(f"{name}: unknown key {key[:30]!r} ({hint}expected {', '.join(known)})")


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(path.name + ".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
