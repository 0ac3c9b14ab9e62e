"""Audit the pinned dependencies against the advisories of their registries; `make check` runs it.

A vulnerability fails the audit, and so does an auditor that does not run. A registry that offers no
advisories, such as a mirror, does not: the program says so, and docs/security.md has the last result that was
recorded.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 300


class Result(NamedTuple):
    """The packages that were audited and those that could not be, and each known vulnerability."""

    audited: int
    skipped: int
    findings: list[str]


class AuditError(Exception):
    """An auditor that did not run, or whose report cannot be read."""


def run(command: list[str], folder: Path) -> dict[str, Any]:
    """Return the JSON document that an auditor prints; raise `AuditError` if it prints none."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        document = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AuditError(str(error)) from error
    except json.JSONDecodeError as error:
        raise AuditError(
            f"{Path(command[0]).name} printed no report: {done.stderr.strip()[-300:]}"
        ) from error
    if not isinstance(document, dict):
        raise AuditError(f"{Path(command[0]).name} printed no report")
    return document


def read_python(document: dict[str, Any]) -> Result:
    """Read the report of pip-audit, which calls a package without advisories "skipped"."""
    packages = document.get("dependencies", [])
    skipped = [package for package in packages if "skip_reason" in package]
    findings = [
        f"{package['name']} {package['version']}: {found['id']}"
        for package in packages
        for found in package.get("vulns", [])
    ]
    return Result(len(packages) - len(skipped), len(skipped), findings)


def read_npm(document: dict[str, Any]) -> Result:
    """Read the report of `npm audit`."""
    if "vulnerabilities" not in document:  # the registry has refused the question
        return Result(0, 1, [])
    findings = [f"{name}: {found['severity']}" for name, found in document["vulnerabilities"].items()]
    return Result(document["metadata"]["dependencies"]["total"], 0, findings)


def report(name: str, result: Result) -> bool:
    """Print a result; return whether it has no vulnerability."""
    if not result.audited:
        print(
            f"{name}: not audited: the registry offers no advisories (docs/security.md has the last result)"
        )
    else:
        known = "; ".join(result.findings) or "no known vulnerability"
        print(f"{name}: {result.audited} packages audited, {result.skipped} not: {known}")
    return not result.findings


def main() -> int:
    """Audit both registries."""
    pip_audit = [
        str(Path(sys.executable).with_name("pip-audit")), "--disable-pip", "--no-deps", "--format=json",
        "--progress-spinner=off", "--requirement=constraints.txt",
    ]  # fmt: skip
    try:
        results = [report("Python", read_python(run(pip_audit, ROOT)))]
        if (ROOT / "web" / "package-lock.json").exists():
            results.append(report("npm", read_npm(run(["npm", "audit", "--json"], ROOT / "web"))))
    except AuditError as error:
        print(f"audit: {error}", file=sys.stderr)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
