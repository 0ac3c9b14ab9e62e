"""A worker process that never answers."""

from __future__ import annotations

import sys

for _ in sys.stdin:
    pass
