"""The reference of the HTTP interface and of the frames of the sockets, from the typed contract."""

from __future__ import annotations

from functools import cache
from typing import Any

from taiji.server.settings import ServerSettings
from taiji.server.web.app import create_app

METHODS = {"get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE"}
FRAMES = {
    "ClientFrame": "sent by the client to `/ws/tables/{id}`",
    "TableFrame": "sent by the server on `/ws/tables/{id}` and `/api/tables/{id}/stream`",
    "LobbyFrame": "sent by the server on `/ws/lobby`",
    "TournamentMessage": "sent by the server on `/ws/tournaments/{id}`",
    "Notice": "sent by the server on `/api/stream/events`",
    "TableEvent": "what happened at a table, inside a frame",
}
OPERATIONS = """\
Generated from the OpenAPI document that a server gives at `/api/openapi.json`.
[The protocol](../protocol-web.md) explains the same by example, [bots and scripts](../bots.md) how a program
signs in; the types are in [messages and frames](messages.md).
"""
MESSAGES = """\
The types of the contract between the server and its clients, generated from it. The TypeScript of the web app
is generated from the same types (`python -m taiji.server.contract`).
"""
BOUNDS = {
    "minimum": "≥",
    "exclusiveMinimum": ">",
    "maximum": "≤",
    "minLength": "length ≥",
    "maxLength": "length ≤",
    "maxItems": "items ≤",
}


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document of the server."""
    settings = ServerSettings(database_url="sqlite:///unused.sqlite", engines=0)
    found: dict[str, Any] = create_app(settings).openapi()
    return found


def operations_page() -> str:
    """Return the page of the operations, by tag."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            tag = operation.get("tags", ["other"])[0]
            by_tag.setdefault(tag, []).append(_operation(METHODS[method], path, operation))
    parts = [
        "# HTTP interface\n",
        document()["info"]["description"] + "\n",
        OPERATIONS,
    ]
    for tag, operations in by_tag.items():
        parts += [f"## {tag.capitalize()}\n", *operations]
    return "\n".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = []
    for one in operation.get("parameters", ()):
        optional = "" if one.get("required") else " (optional)"
        rows.append(f"| {one['in']} `{one['name']}`{optional} | {_type(one.get('schema', {}))} |")
    body = _json_schema(operation.get("requestBody", {}))
    if body:
        rows.append(f"| body | {_type(body)} |")
    for status, response in sorted(operation.get("responses", {}).items()):
        schema = _json_schema(response)
        description = response.get("description", "")
        shown = "" if description == "Successful Response" else _cell(description)
        what = " ".join(filter(None, [_type(schema) if schema else "", shown]))
        rows.append(f"| response {status} | {what} |")
    table = "\n".join(["| | |", "|---|---|", *rows, ""])
    return f"### `{method} {path}`\n\n{_prose(operation.get('description', ''))}\n\n{table}\n"


def _json_schema(holder: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = holder.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def messages_page() -> str:
    """Return the page of all types: the frames first."""
    schemas = document()["components"]["schemas"]
    parts = [
        "# Messages and frames\n",
        MESSAGES,
        "## Frames\n",
        "| type | |",
        "|---|---|",
        *(f"| {_link(name)} | {what} |" for name, what in FRAMES.items() if name in schemas),
        "",
        "## Types\n",
        *(_message(name, schemas[name]) for name in sorted(schemas)),
    ]
    return "\n".join(parts)


def _message(name: str, schema: dict[str, Any]) -> str:
    head = f"### {name} {{ #{name} }}\n\n{_prose(schema.get('description', ''))}\n"
    if "properties" not in schema:
        return f"{head}\n{_type(schema)}\n"
    required = schema.get("required", ())
    rows = [
        f"| `{key}`{'' if key in required else ' (optional)'} | {_type(value)} |"
        for key, value in schema["properties"].items()
    ]
    return "\n".join([head, "| field | type |", "|---|---|", *rows, ""])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(_type(one) for one in schema[several])
    if "const" in schema:
        return f"`{_cell(repr(schema['const']))}`"
    if "enum" in schema:
        return " or ".join(f"`{_cell(str(value))}`" for value in schema["enum"])
    if schema.get("type") == "array":
        items = schema.get("items", {})
        inner = ", ".join(map(_type, items)) if isinstance(items, list) else _type(items)
        return f"list of {inner or 'anything'}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    bounds = [f"{word} {schema[key]}" for key, word in BOUNDS.items() if key in schema]
    default = [f"default `{_cell(str(schema['default']))}`"] if schema.get("default") is not None else []
    return ", ".join([str(schema.get("type", "anything")), *bounds, *default])


def _link(name: str) -> str:
    return f"[{name}](messages.md#{name})"


def _prose(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;").replace("{", "&#123;")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
