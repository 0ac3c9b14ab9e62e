"""Health, QR codes, and the API documentation."""

import io
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from taiji import __version__
from taiji.server.contract.messages import PROTOCOL
from taiji.server.contract.requests import QrPath
from taiji.server.contract.server_info import EngineLoad, Health, Ready
from taiji.server.web.routes.deps import Actor, Context, error_responses
from taiji.server.web.routes.openapi_page import page

router = APIRouter(tags=["server"])


@router.get("/api/health")
async def health(context: Context) -> Health:
    """Return the state of the server."""
    tasks = context.supervisor.health()
    return Health(
        status="ok" if all(task.running for task in tasks.values()) else "degraded",
        version=__version__,
        protocol=PROTOCOL,
        database=context.store.backend,
        tables=len(context.rooms.rooms),
        sockets=context.sockets.count,
        engines=EngineLoad(**context.engines.stats()),
        tasks=tasks,
        refused=dict(context.rate_limiter.refused),
        uptime_s=round(context.uptime_s, 1),
    )


@router.get("/api/ready", responses=error_responses("unavailable"))
async def ready(context: Context) -> Ready:
    """Return that the database can be read and written, or 503."""
    await context.readiness.check()
    return Ready()


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
