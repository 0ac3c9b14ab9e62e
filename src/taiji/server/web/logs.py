"""The server's log: text or JSON lines with the id of their request; a stranger cannot forge one."""

from __future__ import annotations

import json
import logging
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

log = logging.getLogger("taiji.server")

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that the current task serves."""
NO_DESCRIPTORS = "socket.accept() out of system resource"
RETRY_TO_ACCEPT = "_start_serving"
ACCEPT_ERROR_INTERVAL_S = 10.0
MAX_MESSAGE_CHARS = 2000
MAX_TRACE_CHARS = 20_000
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""What could end a line, move a terminal's cursor or reorder the text: never printed as it is."""


def printable(text: str) -> str:
    """Return a text with its control characters escaped."""
    return CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class TextFormatter(logging.Formatter):
    """One line per entry, with the lines of a traceback indented."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry."""
        request = REQUEST_ID.get()
        place = record.name if request is None else f"{record.name} [{request}]"
        lines = [f"{record.levelname} {place}: {printable(record.getMessage()[:MAX_MESSAGE_CHARS])}"]
        lines += [f"    {printable(line)}" for line in _trace(self, record).splitlines()]
        return "\n".join(lines)


class JsonFormatter(logging.Formatter):
    """One JSON object per entry."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": printable(record.getMessage()[:MAX_MESSAGE_CHARS]),
            "request_id": REQUEST_ID.get(),
            **getattr(record, "fields", {}),
        }
        trace = _trace(self, record)
        if trace:
            entry["traceback"] = [printable(line) for line in trace.splitlines()]
        return json.dumps({key: value for key, value in entry.items() if value is not None})


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """Return the traceback of an entry, or an empty text; the end names the error."""
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    return formatter.formatException(record.exc_info)[-MAX_TRACE_CHARS:]


OF_STRANGERS = frozenset(
    (
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
        "Invalid UTF-8 sequence received from client.",
    )
)
"""What the web server logs each time a stranger sends nonsense, which would fill the disk."""


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether an entry of the web server tells more than what a stranger sent."""
    return record.msg not in OF_STRANGERS


class LoopErrors:
    """Logs what the event loop reports: that no visitor can be accepted only once per 10 s.

    Without file descriptors the loop says so thousands of times per second, with a traceback each time. It
    tries again as often, a second later; what fails because the server has stopped listening is not logged.
    """

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log one error."""
        message, error = str(context.get("message")), context.get("exception")
        if message == NO_DESCRIPTORS:
            if loop.time() >= self._next:
                self._next = loop.time() + ACCEPT_ERROR_INTERVAL_S
                log.error("no visitor can be accepted: %s (raise the limit of open files)", error)
        elif not (RETRY_TO_ACCEPT in message and isinstance(error, ValueError)):
            loop.default_exception_handler(context)


def set_up_logging(log_format: str, level: str) -> None:
    """Send the log of the server and of its libraries to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("taiji").setLevel(level.upper())
    logging.getLogger("uvicorn.error").addFilter(is_ours)
