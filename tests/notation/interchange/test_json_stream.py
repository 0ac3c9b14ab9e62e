"""Objects come out of a JSON text whole, wherever it is cut."""

from __future__ import annotations

import io
import json

import pytest

from taiji.notation.interchange import json_stream
from taiji.notation.interchange.errors import ConversionError
from taiji.notation.interchange.json_stream import json_objects, parse_json

OBJECTS = [
    {"a": 1},
    {"text": 'braces { } and "quotes" and \\ backslash \\"'},
    {"nested": {"deep": [{"x": "}"}, {}]}},
    {},
    {"ends in a backslash": "\\"},
    {"ä": "\n\u2028"},
]
LAYOUTS = {
    "a list": json.dumps(OBJECTS),
    "an indented list": json.dumps(OBJECTS, indent=2),
    "lines": "\n".join(map(json.dumps, OBJECTS)),
    "unescaped": json.dumps(OBJECTS, ensure_ascii=False),
}


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64, 1 << 16])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_objects_come_out_whole(layout: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "CHUNK_CHARS", chunk)
    found = list(json_objects(io.StringIO(LAYOUTS[layout])))
    assert [json.loads(text) for _, text in found] == OBJECTS


def test_lines_are_counted() -> None:
    lines = [line for line, _ in json_objects(io.StringIO('\n{"a":\n1}\n\n{"b": 2} {"c": 3}\n{}'))]
    assert lines == [2, 5, 5, 6]


def test_what_stands_between_objects_is_refused_and_they_are_not() -> None:
    found = list(json_objects(io.StringIO('[{"a": 1}, 17, {"b": 2} "x" ] }')))
    assert [item if isinstance(item, tuple) else "refused" for item in found] == [
        (1, '{"a": 1}'),
        "refused",
        (1, '{"b": 2}'),
        "refused",
    ]


def test_an_object_without_end_is_refused() -> None:
    [error] = json_objects(io.StringIO('{"a": {"b": 1}'))
    assert isinstance(error, ConversionError)
    assert "ends within" in error.message


def test_an_object_that_is_too_long_is_refused_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_OBJECT_CHARS", 100)
    monkeypatch.setattr(json_stream, "CHUNK_CHARS", 16)
    long = json.dumps({"list": list(range(500))})
    first, second = json_objects(io.StringIO(f'[{long}, {{"b": 2}}]'))
    assert "(maximum 100 " in first.message
    assert second == (1, '{"b": 2}')


def test_a_string_without_end_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_OBJECT_CHARS", 100)
    monkeypatch.setattr(json_stream, "CHUNK_CHARS", 16)
    [error] = json_objects(io.StringIO('{"a": "' + "x" * 1000 + '"} {"b": 2}'))
    assert "unclosed string" in error.message


def test_an_error_counts_its_line_from_where_the_object_starts() -> None:
    with pytest.raises(ConversionError) as caught:
        parse_json('{\n"a": 1,\n"b": oops}', 10)
    assert (caught.value.line, caught.value.category) == (12, "cannot be read")
    with pytest.raises(ConversionError, match="number too long") as caught:
        parse_json('{"a": ' + "9" * 5000 + "}", 10)
    assert caught.value.line == 10
