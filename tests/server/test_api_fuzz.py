"""Schemathesis over the OpenAPI document: whatever is asked, the answer keeps the contract, never a 5xx.

A short run by default; `make fuzz-api` runs 10,000 cases (TAIJI_FUZZ_CASES).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.server.running import Running, Visitor
from tests.waiting import PATIENCE_S

CASES = int(os.environ.get("TAIJI_FUZZ_CASES", "150"))
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of its own, whose bounds on requests are out of the way."""
    url = f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'games.sqlite'}"
    running = Running(url, "--engines=1", "--limit-scale=100000")
    yield running
    assert running.stop() == 0
    assert running.errors == []


def operations(server: Running) -> list[schemathesis.APIOperation]:
    """Every operation but the streams, which go on until one side leaves and have tests of their own."""
    document = httpx.get(f"{server.url}/api/openapi.json", timeout=PATIENCE_S).json()
    schema = schemathesis.openapi.from_dict(document)
    return [found.ok() for found in schema.get_all_operations() if "stream" not in found.ok().path]


def arrive(server: Running) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Start a session; return a table and a record that exist, and the headers and cookies of the session."""
    visitor = Visitor(server.url)
    table = visitor.table(opponent="open", game="taiji:size=3")
    record = visitor.post("/api/records", {"game": "taiji:size=3", "moves": [0]}, 201)
    existing = {"table_id": table["id"], "identity": record["id"]}
    csrf, cookies = visitor.client.headers["X-CSRF-Token"], dict(visitor.client.cookies)
    visitor.close()
    return existing, {"X-CSRF-Token": csrf}, cookies


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_whatever_is_asked_there_is_an_answer(fuzzed: Running) -> None:
    existing, headers, cookies = arrive(fuzzed)
    cases = [operation.as_strategy(mode) for operation in operations(fuzzed) for mode in MODES]
    seen: Counter[int] = Counter()

    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(cases), real=st.booleans())
    def ask(case: schemathesis.Case, real: bool) -> None:
        if real:  # half of the cases meet a table and a record that exist
            for name in existing.keys() & case.path_parameters.keys():
                case.path_parameters[name] = existing[name]
        answer = case.call(base_url=fuzzed.url, headers=headers, cookies=cookies, timeout=PATIENCE_S)
        seen[answer.status_code] += 1
        if answer.status_code == 401 and answer.json()["error"]["code"] == "no-session":
            for known, new in zip((existing, headers, cookies), arrive(fuzzed), strict=True):
                known.update(new)  # an earlier case signed out or registered
        assert answer.status_code < 500, f"{case.as_curl_command()}\n{answer.text}"
        if answer.status_code >= 400:
            assert set(answer.json()) == {"error"}
            assert answer.json()["error"]["message"]

    ask()
    print(f"{sum(seen.values())} cases: {dict(sorted(seen.items()))}")
    assert sum(seen.values()) >= CASES
    assert {200, 404, 422} <= set(seen)
