"""Health, QR codes, the API documentation, and the sockets."""

import io
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, WebSocket

from taiji import __version__
from taiji.server.contract.messages import PROTOCOL
from taiji.server.contract.requests import QrPath
from taiji.server.contract.server_info import EngineLoad, Health
from taiji.server.web.routes.deps import Actor, Context, error_responses
from taiji.server.web.routes.openapi_page import page

router = APIRouter(tags=["server"])

UNSUPPORTED_PROTOCOL = 4426


@router.get("/api/health")
async def health(context: Context) -> Health:
    """Return the state of the server."""
    return Health(
        version=__version__,
        protocol=PROTOCOL,
        database=context.store.backend,
        tables=len(context.rooms.rooms),
        sockets=context.sockets.count,
        engines=EngineLoad(**context.engines.stats()),
        refused=dict(context.rate_limiter.refused),
        uptime_s=round((context.time.now() - context.opened_at) / 1000, 1),
    )


def _qr(request: Request, context: Context, path: str) -> Response:
    import segno

    base = context.settings.public_url or str(request.base_url)
    buffer = io.BytesIO()
    code = segno.make(base.rstrip("/") + path, error="m", micro=False)
    # Attributes only: a style element would violate the content security policy.
    code.save(buffer, kind="svg", scale=8, border=2, svgclass=None, lineclass=None, xmldecl=False)
    return Response(buffer.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/api/qr.svg", response_class=Response, responses=error_responses("bad-request"))
def read_qr(
    request: Request,
    context: Context,
    path: Annotated[str, Query(min_length=1, max_length=300, pattern=r"^/[!-~]*$")],
) -> Response:
    """Return a path of this server as a QR code."""
    return _qr(request, context, path)


@router.post("/api/qr.svg", response_class=Response, responses=error_responses("csrf", "too-many-requests"))
def create_qr(request: Request, encoded: QrPath, context: Context, user: Actor) -> Response:
    """Return a path with a secret as a QR code, without the secret in the URL."""
    return _qr(request, context, encoded.path)


@router.get("/api/docs", response_class=Response, include_in_schema=False)
def docs(request: Request) -> Response:
    """Return the API documentation."""
    return Response(page(request.app.openapi()), media_type="text/html; charset=utf-8")


@router.websocket("/ws/tables/{table_id}")
async def table_socket(websocket: WebSocket, table_id: str) -> None:
    """Connect to a table."""
    if websocket.query_params.get("protocol", str(PROTOCOL)) != str(PROTOCOL):
        await websocket.accept()
        await websocket.close(UNSUPPORTED_PROTOCOL)
        return
    after = websocket.query_params.get("after", "0")
    version = int(after) if after.isascii() and after.isdigit() and len(after) < 9 else 0
    await websocket.app.state.context.sockets.table(websocket, table_id[:16], version)


@router.websocket("/ws/lobby")
async def lobby_socket(websocket: WebSocket) -> None:
    """Connect to the lobby."""
    await websocket.app.state.context.sockets.lobby(websocket)


@router.websocket("/ws/tournaments/{tournament_id}")
async def tournament_socket(websocket: WebSocket, tournament_id: str) -> None:
    """Connect to a tournament."""
    await websocket.app.state.context.sockets.tournament(websocket, tournament_id[:16])
