"""Accounts: passwords and recovery codes, and attacks on each."""

from __future__ import annotations

import statistics
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from taiji.server.identity.passwords import count_guesses
from taiji.server.identity.recovery import CODE_CHARS, CODES, clean_code
from taiji.server.store.schema import accounts
from tests.server.inside import PASSWORD, Browser, Inside

FRESH = "an entirely other phrase"
RATE_LIMIT_SCALE = 1000


def reset(browser: Browser, name: str, code: str, password: str = FRESH) -> tuple[int, Any]:
    body = {"name": name, "code": code, "password": password}
    return browser.ask("POST", "/api/account/recovery", body)


def changed(browser: Browser, current: str, new: str) -> tuple[int, Any]:
    return browser.ask("POST", "/api/account/password", {"current": current, "new": new})


# --- passwords ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "password",
    ["password1234", "P@ssw0rd123", "qwertyuiop", "iloveyou2", "12345678901", "aaaaaaaaaaaa", "taijitaiji",
     "liverpool1", "Common-Name", "hunter22", "letmein123"],
)  # fmt: skip
def test_passwords_that_are_guessed_first_are_refused(inside: Inside, password: str) -> None:
    new = {"name": "Common-Name", "password": password}
    status, body = inside.browser().ask("POST", "/api/account", new)
    assert (status, body) == (422, "common-password")


def test_the_three_thousand_commonest_passwords_are_refused() -> None:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    common = [word for word in FREQUENCY_LISTS["passwords"] if len(word) >= 8][:3000]
    assert len(common) == 3000
    assert [word for word in common[::30] if count_guesses(word, "Ada") >= 10**6] == []


@pytest.mark.parametrize(
    "password", ["correct horse battery", "zq8vkm2x", "Größe der Wüste", "x 9 y 8 z", "🐉🐢🐯🐦 dragon"]
)
def test_other_passwords_need_no_capitals_or_digits(password: str) -> None:
    assert count_guesses(password, "Ada") >= 10**6


def test_long_passwords_count_to_their_last_character(inside: Inside) -> None:
    ada, long = inside.browser(), "a phrase of many words " * 8
    assert len(long) > 180
    ada.post("/api/account", {"name": "Wordy", "password": long})
    assert inside.browser().sign_in("Wordy", long[:-1])[0] == 401
    assert inside.browser().sign_in("Wordy", long.upper())[0] == 401
    assert inside.browser().sign_in("Wordy", long)[0] == 200


def test_a_very_long_password_is_judged_quickly() -> None:
    began = time.process_time()
    count_guesses("ab1!" * 50, "Ada")
    count_guesses("4@8({[<3691!|70$5+%2" * 10, "Ada")  # each character stands for several letters
    assert time.process_time() - began < 4


def test_changing_the_password_ends_the_other_sessions_and_rotates_this_one(inside: Inside) -> None:
    ada, phone = inside.browser(), inside.browser()
    ada.register("Changer")
    assert phone.sign_in("Changer")[0] == 200
    before = ada.cookie
    assert changed(ada, "wrong password", FRESH)[1] == "wrong-password"
    assert changed(ada, PASSWORD, "password1234")[1] == "common-password"
    assert changed(ada, PASSWORD, FRESH)[0] == 200
    assert ada.cookie != before
    assert ada.get("/api/me")["account"]["name"] == "Changer"
    assert phone.get("/api/me")["account"] is None
    assert inside.browser().sign_in("Changer")[0] == 401
    assert inside.browser().sign_in("Changer", FRESH)[0] == 200


def test_a_copied_cookie_is_worthless_after_a_change_of_password(inside: Inside) -> None:
    ada, thief = inside.browser(), inside.browser()
    ada.register("Copied")
    thief.cookie = ada.cookie
    assert thief.account == "Copied"
    assert changed(ada, PASSWORD, FRESH)[0] == 200
    assert (ada.account, thief.account) == ("Copied", None)


# --- recovery codes ----------------------------------------------------------------------------------------


def test_registration_gives_codes_that_are_shown_once_and_stored_hashed(inside: Inside) -> None:
    ada = inside.browser()
    codes = ada.register("Coded")["recovery_codes"]
    assert len(set(codes)) == CODES
    assert all(len(clean_code(code)) == CODE_CHARS for code in codes)
    assert ada.get("/api/account/recovery-codes") == {"unused": CODES}
    assert "recovery_codes" not in ada.get("/api/me")
    path = Path(inside.context.store.url.database or "")
    stored = b"".join(file.read_bytes() for file in path.parent.glob("games.sqlite*"))
    for code in codes:
        assert code.encode() not in stored
        assert clean_code(code).encode() not in stored


def test_a_code_sets_a_new_password_once_and_ends_every_session_and_token(inside: Inside) -> None:
    ada, other = inside.browser(), inside.browser()
    codes = ada.register("Forgetful")["recovery_codes"]
    token = ada.post("/api/account/tokens", {"label": "bot"})["token"]
    assert reset(other, "forgetful", codes[0].lower().replace("-", " "))[0] == 200
    assert other.get("/api/me")["account"]["name"] == "Forgetful"
    assert other.get("/api/account/recovery-codes") == {"unused": CODES - 1}
    assert ada.get("/api/me")["account"] is None
    assert inside.browser(token=token).ask("GET", "/api/me") == (401, "bad-token")
    assert reset(inside.browser(), "Forgetful", codes[0])[1] == "wrong-code"
    assert inside.browser().sign_in("Forgetful", FRESH)[0] == 200


def test_codes_of_others_and_codes_that_were_replaced_open_nothing(inside: Inside) -> None:
    ada, eve = inside.browser(), inside.browser()
    old = ada.register("Careful")["recovery_codes"]
    foreign = eve.register("Eve-1")["recovery_codes"]
    status, body = ada.ask("POST", "/api/account/recovery-codes", {"password": "wrong password"})
    assert (status, body) == (401, "wrong-password")
    fresh = ada.post("/api/account/recovery-codes", {"password": PASSWORD})["codes"]
    assert not {*old} & {*fresh}
    for code in (old[0], foreign[0], "0" * 24, "'; DROP TABLE accounts; --"):
        assert reset(inside.browser(), "Careful", code) == (401, "wrong-code")
    assert reset(inside.browser(), "Careful", fresh[0])[0] == 200


def test_two_requests_cannot_use_one_code_twice(inside: Inside) -> None:
    import asyncio

    codes = inside.browser().register("Racing")["recovery_codes"]
    service = inside.context.account_service

    async def race() -> list[Any]:
        tries = [service.reset_password("Racing", codes[0], FRESH) for _ in range(4)]
        return await asyncio.gather(*tries, return_exceptions=True)

    results = inside.run(race)
    assert sum(isinstance(one, str) for one in results) == 1


def test_a_bearer_token_cannot_take_over_the_account(inside: Inside) -> None:
    ada = inside.browser()
    ada.register("Tokened")
    token = ada.post("/api/account/tokens", {"label": "bot"})["token"]
    script = inside.browser(token=token)
    for path, body in (
        ("/api/account/password", {"current": PASSWORD, "new": FRESH}),
        ("/api/account/recovery-codes", {"password": PASSWORD}),
        ("/api/me/delete", {"password": PASSWORD}),
    ):
        assert script.ask("POST", path, body) == (403, "csrf"), path


def test_every_change_of_an_account_is_protected_against_other_sites(inside: Inside) -> None:
    ada = inside.browser()
    ada.register("Forged")
    for path, body in (
        ("/api/account/password", {"current": PASSWORD, "new": FRESH}),
        ("/api/account/recovery", {"name": "Forged", "code": "x", "password": FRESH}),
        ("/api/account/recovery-codes", {"password": PASSWORD}),
        ("/api/me/delete", {"password": PASSWORD}),
    ):
        for forged in ({"X-CSRF-Token": ""}, {"X-CSRF-Token": "x" * 24}, {"Origin": "https://evil.example"}):
            assert ada.request("POST", path, json=body, headers=forged).status_code == 403, path
    assert ada.get("/api/me")["account"]["name"] == "Forged"


def test_guesses_of_codes_are_limited_and_the_owner_is_not_locked_out(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'games.sqlite'}").running() as server:
        codes = server.browser().register("Guessed")["recovery_codes"]
        tries = [reset(server.browser("203.0.113.9"), "Guessed", "0" * 24) for _ in range(6)]
        assert tries == [(401, "wrong-code")] * 5 + [(429, "too-many-requests")]
        body = {"name": "Guessed", "code": codes[0], "password": FRESH}
        refused = server.browser("203.0.113.77").request("POST", "/api/account/recovery", json=body)
        assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
        assert reset(server.browser("198.51.100.1"), "Guessed", codes[0])[0] == 200


# --- enumeration -------------------------------------------------------------------------------------------


def test_no_answer_to_a_wrong_credential_tells_whether_the_account_exists(inside: Inside) -> None:
    inside.browser().register("Existing")
    for path, body in (
        ("/api/session", {"password": "not the password"}),
        ("/api/account/recovery", {"code": "0000-1111", "password": FRESH}),
    ):
        answers = [
            inside.browser().ask("POST", path, {**body, "name": name}) for name in ("Existing", "Missing")
        ]
        assert answers[0] == answers[1], path


def test_what_belongs_to_others_looks_like_what_does_not_exist(inside: Inside) -> None:
    ada, eve = inside.browser(), inside.browser()
    ada.register("Owner-1"), eve.register("Prying")
    token = ada.post("/api/account/tokens", {"label": "x"})["id"]
    session = ada.get("/api/sessions")["sessions"][0]["id"]
    table = ada.table(opponent="link")
    ada.post(f"/api/tables/{table['id']}/seat-link")
    link = ada.get("/api/seat-links")["links"][0]["id"]
    for path, identity in (("account/tokens", token), ("sessions", session), ("seat-links", link)):
        missing = "".join(reversed(identity))
        answers = [eve.request("DELETE", f"/api/{path}/{one}") for one in (identity, missing)]
        assert [answer.status_code for answer in answers] == [404, 404], path
        assert answers[0].text == answers[1].text, path
    names = [eve.get(f"/api/ratings/{name}?game=taiji")["history"] for name in ("Owner-1", "Nobody-1")]
    assert names == [[], []]
    assert ada.account == "Owner-1"


def test_signing_in_takes_as_long_for_names_that_do_not_exist(inside: Inside, real_hashes: None) -> None:
    """The work is compared by CPU time, in turns, so that a busy machine does not blur it."""
    inside.browser().register("Timed")
    users = inside.context.users

    async def spend(name: str) -> float:
        began = time.process_time()
        with pytest.raises(Exception, match="wrong name or password"):
            await users.check_password(name, "not the password")
        return time.process_time() - began

    for name in ("Timed", "Nobody"):
        inside.run(spend, name)
    times: dict[str, list[float]] = {"Timed": [], "Nobody": []}
    for _ in range(8):
        for name, taken in times.items():
            taken.append(inside.run(spend, name))
    existing, missing = (statistics.median(times[name]) for name in times)
    assert abs(existing - missing) / max(existing, missing) < 0.1, times


def test_no_password_or_code_reaches_the_log(inside: Inside, caplog: pytest.LogCaptureFixture) -> None:
    ada = inside.browser()
    codes = ada.register("Logged")["recovery_codes"]
    ada.sign_in("Logged", "a wrong pass phrase")
    reset(ada, "Logged\r\nINFO forged line", codes[0])
    for secret in (PASSWORD, "a wrong pass phrase", codes[0], "forged line"):
        assert secret not in caplog.text


def test_a_new_server_has_no_account_and_nobody_takes_the_name_of_one(alone: Inside) -> None:
    count = select(func.count()).select_from(accounts)
    read = partial(alone.context.store.read, lambda connection: connection.execute(count).scalar())
    assert alone.run(read) == 0
    for name in ("admin", "Administrator", "root", "moderator", "taiji"):
        body = {"name": name, "password": PASSWORD}
        assert alone.browser().ask("POST", "/api/account", body)[0] in (409, 422), name
