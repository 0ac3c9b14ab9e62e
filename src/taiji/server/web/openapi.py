"""The OpenAPI document: the routes, and the frames and events of the sockets and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

if TYPE_CHECKING:
    from fastapi import FastAPI


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the document; the schemas that no route uses are those of frames, events and notices."""
    if app.openapi_schema is None:
        from taiji.server.contract.schema import contract_schema

        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        frames = contract_schema("#/components/schemas/{model}")["$defs"]
        document["components"]["schemas"] = {**frames, **document["components"]["schemas"]}
        app.openapi_schema = document
    return app.openapi_schema
