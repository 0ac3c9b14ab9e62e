"""The API documentation: plain HTML from the OpenAPI document, without scripts."""

from html import escape
from typing import Any

STYLE = "/api/docs.css"


def page(document: dict[str, Any]) -> str:
    """Return the page."""
    operations = "".join(
        _operation(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    messages = "".join(
        _message(name, schema)
        for name, schema in document["components"]["schemas"].items()
        if "properties" in schema
    )
    title = escape(document["info"]["title"])
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: API</title>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="/icon.svg">'
        f'<link rel="stylesheet" href="{STYLE}"></head>'
        f"<body><main><h1>{title}: API</h1><p>{escape(document['info'].get('description', ''))}</p>"
        '<p>OpenAPI document: <a href="/api/openapi.json">openapi.json</a>.</p>'
        f"{operations}<h1>Messages</h1>{messages}</main></body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        (f"{one['in']} <code>{escape(one['name'])}</code>", _type(one.get("schema", {})))
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        rows.append(("body", _type(body)))
    for status, response in sorted(operation.get("responses", {}).items()):
        description = response.get("description", "")
        shown = "" if description == "Successful Response" else escape(description)
        rows.append((f"response {escape(str(status))}", shown))
    return (
        f"<section><h2><code>{escape(method.upper())} {escape(path)}</code></h2>"
        f"<p>{escape(operation.get('description', ''))}</p>{_table(rows)}</section>"
    )


def _message(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = [
        (f"<code>{escape(key)}</code>{'' if key in required else ' (optional)'}", _type(value))
        for key, value in schema["properties"].items()
    ]
    return (
        f'<section id="{escape(name)}"><h2><code>{escape(name)}</code></h2>'
        f"<p>{escape(schema.get('description', ''))}</p>{_table(rows)}</section>"
    )


def _table(rows: list[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{what}</td></tr>" for name, what in rows) + "</table>"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(one) for one in schema[several])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    words = [str(schema.get("type", ""))]
    words += [f"{word} {schema[key]}" for key, word in BOUNDS.items() if key in schema]
    return escape(" ".join(words).strip())


BOUNDS = {
    "const": "",
    "enum": "of",
    "minimum": "from",
    "maximum": "to",
    "minLength": "from length",
    "maxLength": "to length",
    "default": "default",
}

CSS = """
body { background: #f4ecdc; color: #2b2723; font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-family: Georgia, serif; font-weight: normal; }
h2 { font-size: 1.05rem; margin: 2.5rem 0 0.3rem; border-top: 1px solid #c9b68f; padding-top: 1rem; }
table { border-collapse: collapse; font-size: 0.9rem; }
th { text-align: left; font-weight: normal; color: #6b5d45; }
th { padding: 0.15rem 1.5rem 0.15rem 0; vertical-align: top; }
td { padding: 0.15rem 0; overflow-wrap: anywhere; }
a { color: #b5442e; }
@media (prefers-color-scheme: dark) { body { background: #1c2129; color: #ece4d4; } th { color: #a89a7f; } }
"""
