"""A process for what strangers ask for: records, games, pictures, passwords, within limits per task."""

from __future__ import annotations

import base64
import json
import math
import os
import sys
import time
from typing import Any

from taiji.arena.custom_game import read_game
from taiji.arena.system import limit_cpu_time, limit_resources
from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engine_worker import GAME_FILES_VARIABLE, NICENESS


def perform_task(request: dict[str, Any]) -> dict[str, Any]:
    """Perform a task; raise `ApiError` if it is refused."""
    match request["do"]:
        case "read-record":
            from taiji.server.jobs.record_tasks import read_record

            return read_record(request)
        case "define-game":
            from taiji.server.domain.game_definition import game_definition

            return {"body": game_definition(request["game"]).model_dump_json()}
        case "draw":
            from taiji.server.jobs.pictures import draw

            return {"picture": base64.b64encode(draw(request)).decode()}
        case "judge-password":
            from taiji.server.identity.passwords import count_guesses

            return {"guesses": count_guesses(request["password"], request["name"])}
        case unknown:
            raise ValueError(f"unknown task {unknown!r}")


def limit_cpu(seconds: float) -> None:
    """Let the system kill this process if its next task takes longer; waiting does not count."""
    limit_cpu_time(math.ceil(time.process_time() + seconds))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Perform a task and return its result, or why it was refused or has failed."""
    try:
        return perform_task(request)
    except ApiError as error:
        return {"refused": [error.code, error.message]}
    except MemoryError:
        return {"refused": ["too-costly", None]}
    except Exception as error:  # noqa: BLE001 - the server decides what a failure means
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Perform tasks until the server closes the pipe."""
    limit_resources(int(sys.argv[1]) << 20, NICENESS)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for path in filter(None, os.environ.get(GAME_FILES_VARIABLE, "").split(os.pathsep)):
        read_game(path)
    for line in sys.stdin:
        request = json.loads(line)
        limit_cpu(request["cpu_s"])
        began = time.process_time()
        reply = answer(request)
        answers.write(json.dumps({**reply, "cpu_s": time.process_time() - began}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
