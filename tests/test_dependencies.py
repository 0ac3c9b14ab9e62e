"""The audit of the dependencies and the bills of materials of a release."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tools import audit, sbom

from taiji import __version__

CLEAN = {"dependencies": [{"name": "fastapi", "version": "0.115.0", "vulns": []}]}
VULNERABLE = {"dependencies": [{"name": "h11", "version": "0.1", "vulns": [{"id": "PYSEC-1"}]}]}
NOT_AUDITED = {"dependencies": [{"name": "fastapi", "skip_reason": "not found"}]}
NPM_REFUSED = {"message": "405 Method Not Allowed", "method": "POST"}


def npm_report(**found: str) -> dict[str, object]:
    vulnerabilities = {name: {"name": name, "severity": severity} for name, severity in found.items()}
    return {"vulnerabilities": vulnerabilities, "metadata": {"dependencies": {"total": 216}}}


def run_audit(monkeypatch: pytest.MonkeyPatch, python: object, npm: object) -> int:
    reports = {"pip-audit": python, "npm": npm}

    def read(command: list[str], _: Path) -> object:
        found = reports[Path(command[0]).name]
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(audit, "run", read)
    return audit.main()


@pytest.mark.parametrize(
    ("python", "npm", "status"),
    [
        (CLEAN, npm_report(), 0),
        (VULNERABLE, npm_report(), 1),
        (CLEAN, npm_report(vite="high"), 1),
        (NOT_AUDITED, NPM_REFUSED, 0),
        (NOT_AUDITED, npm_report(vite="low"), 1),
        (audit.AuditError("pip-audit is missing"), npm_report(), 1),
        (CLEAN, audit.AuditError("npm timed out"), 1),
    ],
)
def test_a_vulnerability_fails_the_audit(
    monkeypatch: pytest.MonkeyPatch, python: object, npm: object, status: int
) -> None:
    assert run_audit(monkeypatch, python, npm) == status


def test_what_was_not_audited_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_audit(monkeypatch, NOT_AUDITED, npm_report(vite="high"))
    assert capsys.readouterr().out.splitlines() == [
        "Python: not audited: the registry offers no advisories (docs/security.md has the last result)",
        "npm: 216 packages audited, 0 not: vite: high",
    ]


@pytest.mark.parametrize("program", ["raise SystemExit('no network')", "print('[]')", "print('{')"])
def test_an_auditor_that_does_not_run_is_an_error(tmp_path: Path, program: str) -> None:
    with pytest.raises(audit.AuditError):
        audit.run([sys.executable, "-c", program], tmp_path)
    with pytest.raises(audit.AuditError):
        audit.run([str(tmp_path / "missing")], tmp_path)


def test_the_bills_of_materials_name_what_a_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["sbom", str(tmp_path)])
    sbom.main()
    for file, name, some in (
        ("taiji-python.cdx.json", "taiji", {"fastapi", "h11", "argon2-cffi", "py-vapid", "nats-py"}),
        ("taiji-web.cdx.json", "taiji-web", {"svelte", "vite", "axe-core"}),
    ):
        bill = json.loads((tmp_path / file).read_text())
        about = bill["metadata"]["component"]
        assert (bill["bomFormat"], about["name"], about["version"]) == ("CycloneDX", name, __version__)
        components = bill["components"]
        assert some <= {component["name"] for component in components}
        assert all(component["version"] and component["purl"] for component in components)
