"""The server: tables to play at over HTTP and WebSocket, kept in a database, with the built web app."""
