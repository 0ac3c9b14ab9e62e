"""The addresses of the sockets."""

from fastapi import APIRouter, WebSocket

from taiji.server.contract.messages import PROTOCOL

router = APIRouter()

UNSUPPORTED_PROTOCOL = 4426


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


@router.websocket("/ws/notifications")
async def notifications_socket(websocket: WebSocket) -> None:
    """Connect to the user's notifications."""
    await websocket.app.state.context.sockets.notifications(websocket)


@router.websocket("/ws/tournaments/{tournament_id}")
async def tournament_socket(websocket: WebSocket, tournament_id: str) -> None:
    """Connect to a tournament."""
    await websocket.app.state.context.sockets.tournament(websocket, tournament_id[:16])
