"""docker-compose.yml and what belongs to it, as far as can be told without an engine."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

from durak_api.embedded.binaries import script
from games.api.messages import problem_text

ROOT = Path(__file__).resolve().parent.parent.parent
ONCE = {"migrate"}


def compose() -> dict[str, Any]:
    """The compose file as data."""
    data: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return data


def test_every_part_is_there_and_watched() -> None:
    services = compose()["services"]
    parts = {"front", "web", "streams", "worker", "thinker", "courier", "beat"}
    parts |= {"migrate", "postgres", "redis"}
    assert set(services) == parts
    assert {name for name, service in services.items() if "healthcheck" not in service} == ONCE


def test_application_processes_have_no_rights_to_spare() -> None:
    ours = [service for service in compose()["services"].values() if "build" in service]
    assert len(ours) == 8
    assert all(service["cap_drop"] == ["ALL"] and service["read_only"] for service in ours)
    assert "USER durak" in (ROOT / "Dockerfile").read_text()


def test_only_migrations_know_the_owner() -> None:
    services = compose()["services"]
    knowing = {name for name, one in services.items() if "OWNER_PASSWORD" in str(one)}
    assert knowing == {"migrate", "postgres"}


def test_example_settings_are_those_that_compose_reads() -> None:
    read = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))
    listed = set(re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert listed == read


def test_every_setting_is_documented() -> None:
    sources = ["durak_api/settings.py", "durak_api/embedded/config.py", ".env.example"]
    text = "".join((ROOT / name).read_text() for name in sources)
    names = set(re.findall(r'(?:env\.\w+\(|environment\.get\()\s*"(\w+)"', text))
    names |= set(re.findall(r"^(\w+)=", text, re.MULTILINE))
    documented = (ROOT / "docs" / "operations.md").read_text()
    assert {name for name in names if f"`{name}`" not in documented} == set()


def test_front_understands_both_configurations(tmp_path: Path) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    for address in ("http://:8000", "durak.example.org"):
        command = [script("caddy"), "adapt", "--adapter", "caddyfile", "--config"]
        adapted = subprocess.run(
            [*command, ROOT / "durak_api" / "Caddyfile"],
            env={**os.environ, **home, "FRONT_ADDRESS": address},
            check=False,
            capture_output=True,
            text=True,
        )
        assert adapted.returncode == 0, adapted.stderr
        assert '"dial":"web:8000"' in adapted.stdout
        assert '"dial":"streams:8000"' in adapted.stdout


def test_the_front_refuses_like_the_api() -> None:
    told = re.search(r"respond `(.*)` 503", (ROOT / "durak_api" / "Caddyfile").read_text())
    assert told is not None
    problem = json.loads(told[1])
    ours = problem_text("server.unavailable", "en")
    assert problem == {
        "type": "/api/v1/problems/server.unavailable",
        "title": ours.title,
        "status": ours.status,
        "code": "server.unavailable",
        "detail": ours.detail,
        "instance": "urn:uuid:{http.request.uuid}",
    }
