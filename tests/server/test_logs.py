"""The log: one entry per event, whatever strangers send, without their paths and secrets; and the metrics."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from taiji.server.web.logs import NO_DESCRIPTORS, REQUEST_ID, JsonFormatter, LoopErrors, TextFormatter
from taiji.server.web.metrics import Metrics
from tests.server.inside import Inside
from tests.waiting import wait_until

FORGED = "x\nERROR taiji.server: the administrator has signed in\r\x1b[2K\u2028next\u202eevil"


def entry(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    trace = None if error is None else (type(error), error, None)
    return logging.LogRecord("taiji.server", logging.ERROR, "x.py", 1, message, arguments, trace)


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_no_text_can_forge_an_entry_or_reach_the_terminal(formatter: logging.Formatter) -> None:
    text = formatter.format(entry("the engine failed: %s", FORGED, error=ValueError(FORGED)))
    lines = text.splitlines()
    assert sum(line.startswith(("ERROR", "{")) for line in lines) == 1
    assert all(line.startswith("    ") for line in lines[1:])
    assert not set(text) & set("\r\x1b\u2028\u202e")
    assert "the administrator has signed in" in text


def test_json_entries_have_the_request_and_the_traceback() -> None:
    REQUEST_ID.set("0123")
    try:
        read = json.loads(JsonFormatter().format(entry("failed at %s", "a\nb", error=KeyError("k"))))
    finally:
        REQUEST_ID.set(None)
    assert (read["level"], read["logger"], read["request_id"]) == ("error", "taiji.server", "0123")
    assert read["message"] == "failed at a\\u000ab"
    assert read["traceback"][-1] == "KeyError: 'k'"


def test_requests_are_logged_by_template_with_the_id_of_their_answer(
    inside: Inside, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "taiji.requests")
    ada = inside.browser()
    caplog.clear()
    secret = "s3cret%0aERROR forged"
    answer = ada.request("GET", f"/api/tables/abc123?token={secret}", headers={"X-Request-ID": "mine"})
    ada.request("GET", f"/{secret}")
    ada.request("PO\u0141ST".encode("ascii", "replace").decode(), "/api/me")
    entries = [record.getMessage() for record in caplog.records]
    assert [text.rpartition(" in ")[0] for text in entries] == [
        "GET /api/tables/{table_id} 404",
        "GET none 404",
        "OTHER /api/me 405",
    ]
    assert "s3cret" not in caplog.text
    assert "abc123" not in caplog.text
    identity = answer.headers["x-request-id"]
    assert len(identity) == 16  # ours, not the stranger's


def test_an_unexpected_error_is_logged_without_the_path(
    inside: Inside, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError(FORGED)

    monkeypatch.setattr(inside.context.rooms, "get", fail)
    ada = inside.browser()
    assert ada.ask("GET", "/api/tables/s3cret?x=s3cret")[0] == 500
    written = [TextFormatter().format(record) for record in caplog.records if record.levelname == "ERROR"]
    assert len(written) == 1
    assert written[0].startswith("ERROR taiji.server: /api/tables/{table_id} failed")
    assert "s3cret" not in written[0]
    assert all(line.startswith("    ") for line in written[0].splitlines()[1:])


def test_the_loop_tries_to_accept_again_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    """Without file descriptors asyncio plans thousands of attempts, which fail once the server has closed."""

    async def retry() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(LoopErrors())
        with socket.create_server(("127.0.0.1", 0)) as listening:
            pass
        for _ in range(3):
            loop.call_soon(loop._start_serving, asyncio.Protocol, listening)  # type: ignore[attr-defined]
            loop.call_exception_handler({"message": NO_DESCRIPTORS, "exception": OSError("too many")})
        loop.call_soon(lambda: [].pop())
        await asyncio.sleep(0)

    asyncio.run(retry())
    errors = [record.getMessage() for record in caplog.records]
    assert [error[:34] for error in errors] == [
        "no visitor can be accepted: too ma",
        "Exception in callback test_the_loo",
    ]


def read_metrics(metrics: Metrics) -> dict[str, str]:
    """Return the value of each line that Prometheus reads."""
    text = generate_latest(metrics.registry).decode()
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))


def _text(metrics: Metrics) -> str:
    return generate_latest(metrics.registry).decode()


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", metrics_port=1).running() as server:
        ada, bob = server.browser(), server.browser("192.0.2.2")
        table = ada.table()
        bob.post(f"/api/tables/{table['id']}/join")
        light = ada if ada.get(f"/api/tables/{table['id']}")["your_seat"] == "first" else bob
        assert light.move(table["id"], 0, 0)[0] == 200
        assert ada.ask("GET", "/api/tables/none")[0] == 404
        with ada.socket(f"/ws/tables/{table['id']}") as socket:
            socket.receive_json()
            metrics = server.context.metrics
            assert metrics is not None
            lines = read_metrics(metrics)
            # Background tasks write, too.
            wait_until(lambda: read_metrics(metrics)["taiji_writes_queued"] == "0.0", "writes stay queued")
    assert float(lines["taiji_moves_total"]) == 1
    assert float(lines["taiji_sockets"]) == 1
    assert float(lines["taiji_rooms"]) == 1
    assert float(lines["taiji_commit_seconds_count"]) > 3
    assert float(lines['taiji_refused_total{code="not-found"}']) == 1
    assert float(lines['taiji_task_running{task="clocks"}']) == 1
    assert float(lines["taiji_engine_jobs_queued"]) == 0
    assert float(lines["taiji_pushes_queued"]) == 0
    moved = 'taiji_requests_total{method="POST",route="/api/tables/{table_id}/move",status="200"}'
    assert float(lines[moved]) == 1
    assert "process_resident_memory_bytes" in lines
