"""`make hosting-check`: proxies in front of a real server, and the image's install in a fresh Debian."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
