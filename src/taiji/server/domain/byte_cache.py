"""A cache of bytes by key that forgets the values used longest ago."""

from __future__ import annotations

from collections import OrderedDict


class ByteCache:
    """Holds values up to a total size in bytes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._values: OrderedDict[str, bytes] = OrderedDict()
        self.size_bytes = 0

    def get(self, key: str) -> bytes | None:
        """Return a value, or None if it is not known."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; one larger than the cache is not kept."""
        self.size_bytes += len(value) - len(self._values.pop(key, b""))
        self._values[key] = value
        while self.size_bytes > self._max_bytes:
            _, dropped = self._values.popitem(last=False)
            self.size_bytes -= len(dropped)
