"""The documentation site: pages of docs/ are staged, references generated, and MkDocs is run."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
