"""Encrypts and signs pushes: RFC 8291 by `http-ece`, RFC 8292 (VAPID) by `py-vapid`.

Both come from the project whose `pywebpush` is the usual sender. That one is not used: it brings two HTTP
clients, and connects to whatever address a name resolves to.
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from taiji.server.jobs.push_address import Endpoint

SIGNED_S = 12 * 3600


def is_available() -> bool:
    """Return whether the libraries of the extra `push` are installed."""
    from importlib.util import find_spec

    return find_spec("http_ece") is not None and find_spec("py_vapid") is not None


def decode(text: str) -> bytes:
    """Return the bytes of a base64url text with or without its padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def new_private_key() -> str:
    """Return a new private key of the curve P-256, as base64url."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode(number.to_bytes(32, "big"))


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `ApiError` unless a browser's keys can be encrypted for."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point, secret = decode(p256dh), decode(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise ApiError("bad-request", "keys: not those of a push subscription") from None
    if len(point) != 65 or len(secret) != 16:
        raise ApiError("bad-request", "keys: not those of a push subscription")


class Signer:
    """The server's key, with which push services recognise it."""

    def __init__(self, private_key: str, contact: str) -> None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        from py_vapid import Vapid02

        self._vapid: Any = Vapid02.from_raw(private_key.encode())
        self._contact = contact
        public: bytes = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = encode(public)

    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        """Return the headers that prove who sends a push."""
        claims = {"sub": self._contact, "aud": endpoint.origin, "exp": int(time.time()) + SIGNED_S}
        signed: dict[str, str] = self._vapid.sign(claims)
        return signed


def encrypt(content: bytes, p256dh: str, auth: str) -> bytes:
    """Encrypt a push for the browser with these keys; the push service cannot read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    body: bytes = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode(p256dh),
        auth_secret=decode(auth),
        version="aes128gcm",
    )
    return body
