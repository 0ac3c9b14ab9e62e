"""The application: routes, middleware and error responses over one context."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from taiji import __version__
from taiji.server.contract.errors import ApiError, ErrorResponse
from taiji.server.settings import ServerSettings, trusted_proxies
from taiji.server.store.writer import StoreError
from taiji.server.time_source import SystemTimeSource, TimeSource
from taiji.server.web.context import AppContext
from taiji.server.web.docs_site import PREFIX as DOCS_PREFIX
from taiji.server.web.docs_site import DocsSite
from taiji.server.web.middleware import SecurityHeadersMiddleware, UnexpectedErrorMiddleware
from taiji.server.web.openapi import openapi_document
from taiji.server.web.request_checks import RequestCheckMiddleware
from taiji.server.web.request_log import RequestLogMiddleware
from taiji.server.web.routes import (
    account,
    agenda,
    analysis,
    catalogue,
    me,
    misc,
    notifications,
    people,
    puzzles,
    records,
    sessions,
    shared,
    socket_routes,
    streams,
    tables,
    talk,
    tournaments,
)
from taiji.server.web.routes.openapi_page import CSS, STYLE
from taiji.server.web.sharing.head import page_head
from taiji.server.web.sockets import invalid_fields
from taiji.server.web.static import WebApp

if TYPE_CHECKING:
    from taiji.server.cluster.bus import MessageBus

log = logging.getLogger("taiji.server")


class PagePath(PathConvertor):
    """Any path but those of the API and the sockets."""

    regex = "(?!api/|ws/).*"


register_url_convertor("page", PagePath())

DESCRIPTION = (
    "Tables, moves, records and analysis of the TAIJI family. Programs send Authorization: Bearer TOKEN;"
    " browsers send their cookie and, with every change, the X-CSRF-Token that GET /api/me returns."
)


def create_app(
    settings: ServerSettings, time: TimeSource | None = None, bus: MessageBus | None = None
) -> FastAPI:
    """Create the application; `bus` replaces the one of the settings."""
    context = AppContext(settings, time or SystemTimeSource(), bus)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await context.open()
        try:
            yield
        finally:
            await context.close()

    app = FastAPI(
        title="taiji",
        version=__version__,
        description=DESCRIPTION,
        lifespan=life,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.context = context
    app.openapi = partial(openapi_document, app)  # type: ignore[method-assign]
    # First what is asked most: every route before the one that matches costs time.
    _serve_files(app, context, DocsSite(settings.docs_dir), WebApp(settings.static_dir))
    for part in (
        socket_routes,
        me,
        account,
        sessions,
        catalogue,
        tables,
        people,
        talk,
        notifications,
        agenda,
        tournaments,
        analysis,
        puzzles,
        records,
        shared,
        streams,
        misc,
    ):
        app.include_router(part.router)
    _add_error_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    count = context.rate_limiter.count
    app.add_middleware(RequestCheckMiddleware, settings=settings, limiter=context.rate_limiter)
    app.add_middleware(UnexpectedErrorMiddleware, count=count)
    app.add_middleware(SecurityHeadersMiddleware, settings=settings)
    app.add_middleware(RequestLogMiddleware, metrics=context.metrics)
    proxies = trusted_proxies(settings)
    if proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)
    return app


def _error_response(request: Request, error: ApiError) -> Response:
    context: AppContext = request.app.state.context
    context.rate_limiter.count(error.code)
    headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
    body = ErrorResponse(error=error.body()).model_dump_json()
    return Response(body, error.status, headers, media_type="application/json")


def _add_error_handlers(app: FastAPI) -> None:
    """Give every error the form of the contract."""

    @app.exception_handler(ApiError)
    async def api_error(request: Request, error: ApiError) -> Response:
        return _error_response(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        problems: list[dict[str, Any]] = list(error.errors())
        if any(problem["type"] == "json_invalid" for problem in problems):
            return _error_response(request, ApiError("bad-json"))
        return _error_response(request, ApiError("bad-request", fields=invalid_fields(problems)))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        codes = {404: "not-found", 405: "bad-method"}
        answer = _error_response(request, ApiError(codes.get(error.status_code, "bad-json"), None))
        if error.status_code == 405 and error.headers:
            answer.headers.update(error.headers)
        return answer

    @app.exception_handler(SQLAlchemyError)
    @app.exception_handler(StoreError)
    async def no_database(request: Request, error: Exception) -> Response:
        log.error("the database failed: %s", str(error).partition("\n")[0])
        return _error_response(request, ApiError("unavailable", "the database is not available: try again"))


def _serve_files(app: FastAPI, context: AppContext, docs: DocsSite, files: WebApp) -> None:
    @app.get(STYLE, include_in_schema=False)
    def style() -> Response:
        return Response(CSS, media_type="text/css")

    @app.api_route("/{path:page}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(request: Request) -> Response:
        path: str = request.scope["path"]
        is_page = "." not in path.rpartition("/")[2]
        head = await page_head(context, request) if is_page else None

        def respond() -> Response | None:
            return docs.respond(request) or files.respond(request, head)

        in_memory = files.is_ready(path, head) and not path.startswith(DOCS_PREFIX)
        answer = respond() if in_memory else await asyncio.to_thread(respond)
        if answer is None:
            raise ApiError("not-found")
        return answer
