"""The hosting files agree with the program: options exist, users, ports and paths are the same everywhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from taiji.cli import COMMANDS, program

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text()
FILES = [ROOT / "compose.yaml", *sorted((ROOT / "deploy").glob("compose*.yaml"))]
COMPOSE = {path.relative_to(ROOT).as_posix(): yaml.safe_load(path.read_text()) for path in FILES}
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


def options_of(line: str) -> None:
    """Parse a command line of the program; a command or option that does not exist raises."""
    name, *words = shlex.split(line)
    assert name in COMMANDS, f"no command {name}"
    command = program.get_command(click.Context(program), name)
    assert command is not None
    command.make_parser(click.Context(command)).parse_args(words)


def services() -> list[tuple[str, dict[str, Any]]]:
    found = [(name, service) for file in COMPOSE.values() for name, service in file["services"].items()]
    return [(name, service) for name, service in found if service.get("image") == "taiji"]


@pytest.mark.parametrize(
    ("name", "service"), services(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_containers_run_existing_commands_with_few_rights(name: str, service: dict[str, Any]) -> None:
    options_of(re.sub(r"\$\{(\w+)[^}]*\}", r"\1", service["command"]))
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]


@pytest.mark.parametrize("name", COMPOSE)
def test_the_proxy_is_trusted_and_knows_the_nodes(name: str) -> None:
    services = COMPOSE[name]["services"]
    subnet = COMPOSE[name]["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    nodes = [node for node, service in services.items() if str(service.get("command")).startswith("serve ")]
    assert all(f"--trusted-proxy {subnet}" in services[node]["command"] for node in nodes)
    assert services["proxy"]["environment"]["TAIJI_NODES"] == " ".join(f"{node}:8321" for node in nodes)
    assert all("ports" not in service for node, service in services.items() if node != "proxy")


def test_the_image_has_no_root_rights_and_a_health_check() -> None:
    user = DOCKERFILE.index("USER taiji")
    assert user < DOCKERFILE.index("ENTRYPOINT")
    assert "/api/ready" in DOCKERFILE[user:]
    command = re.search(r"^CMD \[(.*)\]$", DOCKERFILE, re.MULTILINE)
    assert command is not None
    options_of(command[1].replace(",", " "))
    final = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]
    assert "g++" not in final
    assert "node" not in final


def test_the_image_is_built_with_what_the_build_asks_for() -> None:
    build = DOCKERFILE[: DOCKERFILE.rindex("FROM ")]
    backend = (ROOT / "tools" / "build_backend.py").read_text()
    wanted = re.search(r"name for name in \(([^)]*)\) if shutil.which", backend)
    assert wanted is not None
    for tool in (*re.findall(r'"(\w+)"', wanted[1]), "g++"):
        assert re.search(rf"[\s/]{re.escape(tool)}\s", build), tool


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_units_run_existing_commands(unit: Path) -> None:
    text = unit.read_text()
    line = re.search(r"^ExecStart=/opt/taiji/bin/taiji (.*?)(?: \$TAIJI_OPTIONS)?$", text, re.MULTILINE)
    assert line is not None
    options_of(line[1])
    assert "User=taiji" in text
    assert "ProtectSystem=strict" in text


def test_install_image_and_units_use_the_same_places() -> None:
    install = (ROOT / "deploy" / "install").read_text()
    for place in ("/opt/taiji", "/var/lib/taiji"):
        assert place in install
        assert place in DOCKERFILE
    assert "sqlite:////var/lib/taiji/games.sqlite" in DOCKERFILE
    assert "sqlite:////var/lib/taiji/games.sqlite" in (ROOT / "deploy/systemd/taiji.service").read_text()
