"""A push service on this machine: takes pushes over HTTP, and reads them with a browser's keys."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from taiji.server.jobs.push_crypto import encode
from tests.waiting import wait_until


class PushReceiver:
    """A browser's subscription: its keys, and what arrives for it."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.status = 201
        self.received: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.received.append(({k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> PushReceiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, language: str = "en") -> dict[str, Any]:
        port = self.server.server_address[1]
        keys = {"p256dh": encode(self.public), "auth": encode(self.secret)}
        return {"endpoint": f"http://127.0.0.1:{port}/push/1", "keys": keys, "language": language}

    def wait(self, count: int) -> list[dict[str, Any]]:
        """Wait for pushes, and return what they say."""
        wait_until(lambda: len(self.received) >= count, f"{count} pushes do not arrive")
        return [json.loads(self.read(body)) for _, body in self.received]

    def read(self, body: bytes) -> bytes:
        """Decrypt a push by RFC 8188 and RFC 8291, without the library that encrypted it."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), point)
        info = b"WebPush: info\0" + self.public + sender
        secret = HKDF(hashes.SHA256(), 32, self.secret, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        return plain.rstrip(b"\0").removesuffix(b"\2")
