"""The contract: every answer is typed, frames are documented, and events send only what is public."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter, ValidationError

from taiji.server.contract import event_frames, events, frames
from taiji.server.contract.errors import DEFAULT_MESSAGES, HTTP_STATUS
from taiji.server.contract.schema import ANSWERS, contract_schema
from taiji.server.settings import ServerSettings
from taiji.server.store.upgrades import UnknownFormatError, read_event_data
from taiji.server.web.app import create_app


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    path = tmp_path_factory.mktemp("contract") / "games.sqlite"
    return create_app(ServerSettings(database_url=f"sqlite:///{path}"))


def answers(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every JSON answer of the document, with the name of its route and status."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for status, response in operation["responses"].items():
                for media, content in response.get("content", {}).items():
                    if media == "application/json":
                        yield f"{method.upper()} {path} {status}", content.get("schema", {})


def is_named(schema: dict[str, Any]) -> bool:
    return "$ref" in schema


def test_every_json_answer_has_a_named_type(app: FastAPI) -> None:
    listed = list(answers(app.openapi()))
    assert len(listed) > 100
    assert [name for name, schema in listed if not is_named(schema)] == []


def test_an_untyped_answer_would_be_found() -> None:
    any_object = {"type": "object", "additionalProperties": True}
    operation = {"responses": {"200": {"content": {"application/json": {"schema": any_object}}}}}
    document = {"paths": {"/x": {"get": operation}}}
    assert [name for name, schema in answers(document) if not is_named(schema)] == ["GET /x 200"]


def test_no_type_of_an_answer_is_any_object(app: FastAPI) -> None:
    """Every field of an answer has a type; only the parameters of a hint's reason are open."""
    untyped = []
    for name, schema in contract_schema()["$defs"].items():
        for field, value in schema.get("properties", {}).items():
            if value in ({}, {"type": "object"}) or value.get("additionalProperties") is True:
                untyped.append(f"{name}.{field}")
    assert untyped == ["MoveReason.params"]


def test_the_document_holds_the_frames_and_events(app: FastAPI) -> None:
    schemas = app.openapi()["components"]["schemas"]
    for name in ("TableFrame", "TableEvent", "ClientFrame", "LobbyFrame", "Notice", "TournamentMessage"):
        assert name in schemas
    text = json.dumps(app.openapi())
    assert "#/$defs/" not in text
    used = {ref.split('"')[0] for ref in text.split("#/components/schemas/")[1:]}
    assert used <= set(schemas)
    assert set(ANSWERS) <= set(schemas)


def test_every_event_has_a_stored_form_and_a_frame() -> None:
    stored = set(get_args(events.StoredEvent))
    assert {data.event_type for data in stored} == set(events.STORED_EVENTS) == set(event_frames.TABLE_EVENT)
    union = set(get_args(get_args(event_frames.TableEvent)[0]))
    assert union == set(event_frames.TABLE_EVENT.values())
    for event_type, frame in event_frames.TABLE_EVENT.items():
        public = frame.model_fields["data"].annotation  # type: ignore[attr-defined]
        assert issubclass(events.STORED_EVENTS[event_type], public)
        assert "user_id" not in public.model_fields


def test_a_stored_event_sends_only_the_fields_of_its_public_class() -> None:
    player = {"name": "Ada", "account_type": "person", "level": None, "rating": None, "guest": True}
    joined = events.StoredJoined.model_validate({"seat": "first", "player": player, "user_id": "secret"})
    added = events.StoredDeviceAdded(seat="first", user_id="secret")
    for data in (joined, added):
        assert set(data.public().model_dump()) == set(data.model_dump()) - {"user_id"}
        assert type(data.public()).model_fields.keys() == data.public().model_dump().keys()


def test_frames_are_told_apart_by_their_type() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(frames.TableFrame)
    moved = {
        "type": "event", "version": 4, "at": 5, "clock": None, "event_type": "takeback-offer",
        "data": {"seat": "first"},
    }  # fmt: skip
    assert type(adapter.validate_python(moved)) is event_frames.TakebackOfferEvent
    assert type(adapter.validate_python({"type": "ping", "n": 3})) is frames.PingFrame
    with pytest.raises(ValidationError):
        adapter.validate_python({**moved, "event_type": "dance"})


def test_an_event_of_a_newer_format_is_refused() -> None:
    with pytest.raises(UnknownFormatError, match=r"event format: 4 is too new \(expected at most 3\)"):
        read_event_data("start", {"turn": "first"}, 4)


def test_every_code_has_a_status_and_a_message() -> None:
    needs_message = {
        "bad-game", "bad-record", "bad-move", "bad-position", "illegal-move", "unsupported",
    }  # fmt: skip
    assert set(HTTP_STATUS) == set(DEFAULT_MESSAGES) | needs_message


def test_the_generator_writes_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    import runpy

    runpy.run_module("taiji.server.contract", run_name="__main__")
    assert json.loads(capsys.readouterr().out) == contract_schema()


def test_the_page_uses_the_protocol_of_the_server() -> None:
    from taiji.server.contract.messages import PROTOCOL

    web = Path(__file__).parents[2] / "web/src/net/socket.ts"
    assert f"protocol={PROTOCOL}" in web.read_text()


def test_guests_of_earlier_formats_are_marked_by_their_ids() -> None:
    player = {"name": "Ada", "account_type": "person", "level": None, "rating": None}
    for user_id, guest in (("vAbc", True), ("aAbc", False), ("computer", False)):
        data = {"seat": "first", "player": player, "user_id": user_id}
        joined = read_event_data("join", data, 2)
        assert isinstance(joined, events.StoredJoined)
        assert joined.player.guest is guest
