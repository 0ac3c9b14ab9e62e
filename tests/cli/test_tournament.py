"""Tournaments from the command line: a whole club evening, and bad input."""

import json

import pytest

from tests.cli.run import refusal, taiji


@pytest.fixture
def club(tmp_path):
    path = str(tmp_path / "club.tour")
    say("new", path, "--game", "nestorgames-7x7", "--name", "Club Night", "--rounds", "2")
    say("join", path, "Ana Lima=1700", "Bo=1600", "Cy", "Dee")
    return path


def say(*arguments):
    result = taiji("tournament", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def no(*arguments):
    return refusal("tournament", *arguments)


def test_an_evening(club, tmp_path):
    assert "Ana Lima" in say("pair", club)
    assert "Ana Lima" in say("result", club, "ana lima", "20-18", "15-21")
    said = say("result", club, "2", "20-18", "24-4")
    assert "round 1 is complete" in said
    say("result", club, "1", "--correct", "20-18", "22-10", "--reason", "read the wrong way round")
    assert "round 2" in say("pair", club)
    say("result", club, "Ana Lima", "--winner", "draw")
    assert "all rounds are complete" in say(
        "result", club, _other_board(club), "--forfeit", _other_board(club)
    )
    data = json.loads(say("standings", club, "--json"))
    assert data["over"]
    assert sum(line["points"] for line in data["standings"]) == 4
    assert "Buchholz" in say("standings", club)
    assert "round 2" in say("standings", club, "--crosstable")
    assert "read the wrong way round" in say("log", club)
    for ending in ("txt", "html", "csv", "trf", "pdf", "json"):
        say("export", club, str(tmp_path / f"out.{ending}"))
        assert (tmp_path / f"out.{ending}").stat().st_size > 100
    again = str(tmp_path / "again.tour")
    assert "4 players, 2 rounds" in say("import", again, str(tmp_path / "out.trf"))
    points = {line["name"]: line["points"] for line in data["standings"]}
    read = json.loads(say("standings", again, "--json"))
    assert {line["name"]: line["points"] for line in read["standings"]} == points


def test_every_change_can_be_answered_in_json(tmp_path):
    path, sheet = str(tmp_path / "club.tour"), str(tmp_path / "club.csv")

    def answer(*arguments):
        return json.loads(say(*arguments, "--json"))

    assert answer("new", path, "--game", "taiji:size=7", "--format", "round-robin")["standings"] == []
    joined = answer("join", path, "Ana=1700", "Bo")
    assert [(line["name"], line["rating"]) for line in joined["standings"]] == [("Ana", 1700), ("Bo", 0)]
    assert len(answer("pair", path)["rounds"]) == 1
    assert answer("pair", path, "--undo")["rounds"] == []
    say("pair", path)
    assert answer("result", path, "1", "20-18", "15-10")["rounds"][0][0]["scores"] == [[20, 18], [15, 10]]
    withdrawn = answer("withdraw", path, "Bo")["standings"]
    assert {line["name"] for line in withdrawn if line["withdrawn"]} == {"Bo"}
    exported = taiji("tournament", "export", path, sheet)
    assert exported.stdout == ""
    assert f"{sheet}: " in exported.stderr
    again = answer("import", str(tmp_path / "again.tour"), sheet, "--game", "taiji:size=7")
    assert len(again["rounds"]) == 1


def test_bad_input(club, tmp_path):
    assert "enters" not in no("join", club, "bo")
    assert "there is no round" in no("result", club, "1", "20-18", "20-18")
    say("pair", club)
    assert "not finished" in no("pair", club)
    assert "no board 7" in no("result", club, "7", "20-18", "20-18")
    assert "more than 24" in no("result", club, "1", "25-18", "20-18")
    assert "invalid score" in no("result", club, "1", "twenty", "20-18")
    assert "nobody named Zed" in no("result", club, "Zed", "20-18", "20-18")
    assert "does not play on this board" in no("result", club, "Ana Lima", "--forfeit", _other_board(club))
    assert "never overwritten" in no("new", club)
    assert "No such file" in no("pair", str(tmp_path / "nothing.tour"))
    say("pair", club, "--undo")
    say("join", club, "Late")
    say("withdraw", club, "Late", "--bye", "half")
    assert "bye" in say("pair", club)


def _other_board(club):
    """Return a player who does not play Ana Lima."""
    data = json.loads(say("standings", club, "--json"))
    names = {line["number"]: line["name"] for line in data["standings"]}
    tables = [{names[p["first"]], names[p["second"]]} for p in data["rounds"][-1]]
    return min(name for table in tables if "Ana Lima" not in table for name in table)


def test_engines_run_and_resume(tmp_path):
    spec = tmp_path / "engines.toml"
    spec.write_text(
        "game='taiji:size=3'\nplayouts=5\n[[player]]\nplayer='random'\n[[player]]\nplayer='greedy'\n"
    )
    first = json.loads(say("run", str(spec), "--json"))
    assert first["games_played"] == 2
    assert json.loads(say("run", str(spec), "--json")) == first
    assert (tmp_path / "engines" / "games.tji").read_text().count("[Game ") == 2
    assert "seed" in no("run", str(spec), "--seed", "2"), "a run keeps its seed"
    say("run", str(spec), "--seed", "2", "-o", str(tmp_path / "other"))
    games = [(tmp_path / name / "games.tji").read_text() for name in ("engines", "other")]
    assert games[0] != games[1]
    spec.write_text("[[player]]\nplayer='nobody'\n[[player]]\nplayer='greedy'\n")
    assert "nobody" in no("run", str(spec))
