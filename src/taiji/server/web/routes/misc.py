"""Health, QR codes, the page of the interface itself, and the sockets."""

import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response, WebSocket

from taiji import __version__
from taiji.server.contract import messages as wire
from taiji.server.web.routes.deps import Actor, Context, error_responses
from taiji.server.web.routes.openapi_page import page

router = APIRouter(tags=["server"])

UNSUPPORTED_PROTOCOL = 4426


@router.get("/api/health")
async def health(hall: Context) -> dict[str, Any]:
    """Tell how the server is."""
    return {
        "status": "ok",
        "version": __version__,
        "protocol": wire.PROTOCOL,
        "database": hall.store.backend,
        "tables": len(hall.rooms.rooms),
        "sockets": hall.sockets.count,
        "engines": hall.engines.stats(),
        "refused": dict(hall.rate_limiter.refused),
        "uptime_s": round((hall.times.now() - hall.opened_at) / 1000, 1),
    }


def _qr(request: Request, hall: Context, path: str) -> Response:
    import segno

    base = hall.settings.public_url or str(request.base_url)
    buffer = io.BytesIO()
    code = segno.make(base.rstrip("/") + path, error="m", micro=False)
    # Attributes only: a style element would break the content security policy.
    code.save(buffer, kind="svg", scale=8, border=2, svgclass=None, lineclass=None, xmldecl=False)
    return Response(buffer.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/api/qr.svg", response_class=Response, responses=error_responses("bad-request"))
def read_qr(
    request: Request,
    hall: Context,
    path: Annotated[str, Query(min_length=1, max_length=300, pattern=r"^/[!-~]*$")],
) -> Response:
    """Draw a path of this server as a QR code."""
    return _qr(request, hall, path)


@router.post("/api/qr.svg", response_class=Response, responses=error_responses("csrf", "too-many-requests"))
def make_qr(request: Request, given: wire.QrPath, hall: Context, person: Actor) -> Response:
    """Draw a path with a secret, which then stays out of every address and log."""
    return _qr(request, hall, given.path)


@router.get("/api/docs", response_class=Response, include_in_schema=False)
def docs(request: Request) -> Response:
    """Show this interface as a page."""
    return Response(page(request.app.openapi()), media_type="text/html; charset=utf-8")


@router.websocket("/ws/tables/{table_id}")
async def table_socket(websocket: WebSocket, table_id: str) -> None:
    """Connect to a table."""
    if websocket.query_params.get("protocol", str(wire.PROTOCOL)) != str(wire.PROTOCOL):
        await websocket.accept()
        await websocket.close(UNSUPPORTED_PROTOCOL)
        return
    after = websocket.query_params.get("after", "0")
    version = int(after) if after.isascii() and after.isdigit() and len(after) < 9 else 0
    await websocket.app.state.hall.sockets.table(websocket, table_id[:16], version)


@router.websocket("/ws/lobby")
async def lobby_socket(websocket: WebSocket) -> None:
    """Connect to the lobby."""
    await websocket.app.state.hall.sockets.lobby(websocket)


@router.websocket("/ws/tournaments/{contest_id}")
async def tournament_socket(websocket: WebSocket, contest_id: str) -> None:
    """Connect to a tournament."""
    await websocket.app.state.hall.sockets.tournament(websocket, contest_id[:16])
