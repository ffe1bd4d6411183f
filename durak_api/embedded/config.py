"""What the caller chose, read from the environment."""

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from durak_api.embedded import postgres, services

# What needs no quoting in any of the URLs and settings that name a socket.
PLAIN_PATH = re.compile(r"[A-Za-z0-9_./-]+")
# Linux allows 107 bytes, macOS 103; the longest name in the folder is `.s.PGSQL.5432.lock`.
SOCKET_FOLDER_LIMIT = 80
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


class ConfigError(Exception):
    """A setting makes no sense; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Config:
    """Where to listen, where the data is, and whose servers to use (None: our own)."""

    host: str
    port: int
    data_dir: Path
    database_url: str | None
    database_owner_url: str | None
    redis_url: str | None

    @property
    def address(self) -> str:
        """The base URL for somebody on this machine."""
        host = services.LOOPBACK.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def sockets(self) -> Path:
        """The folder of socket files; elsewhere when the data's name is long or strange."""
        inside = self.data_dir / "run"
        if len(str(inside)) <= SOCKET_FOLDER_LIMIT and PLAIN_PATH.fullmatch(str(inside)):
            return inside
        digest = hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:12]
        return Path(f"/tmp/durak-{os.geteuid()}-{digest}")  # noqa: S108 (owner is checked)

    @property
    def one_role(self) -> bool:
        """Whether the application would own the log that it must not change."""
        url, owner_url = self.database_url, self.database_owner_url
        return url is not None and (owner_url is None or role(owner_url) == role(url))

    @property
    def servers(self) -> dict[str, str]:
        """Addresses of the database and the broker, as settings."""
        sockets, theirs = self.sockets, self.database_url
        ours = postgres.database_url
        return {
            "DATABASE_URL": theirs or ours(sockets, postgres.APP),
            "DATABASE_OWNER_URL": self.database_owner_url
            or theirs
            or ours(sockets, postgres.OWNER),
            "REDIS_URL": self.redis_url or services.valkey_url(sockets),
        }


def role(url: str) -> str | None:
    """Return the role that a database URL names."""
    return urlsplit(url).username


def config_read(environment: Mapping[str, str], default_data_dir: Path) -> Config:
    """Read HOST, PORT, DATA_DIR and the URLs; raise ConfigError."""
    port = environment.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ConfigError(f"PORT is {port!r}, not a number from 1 to 65535")
    data_dir = Path(environment.get("DATA_DIR") or default_data_dir).expanduser().resolve()
    owner_url, url = environment.get("DATABASE_OWNER_URL"), environment.get("DATABASE_URL")
    if owner_url and not url:
        raise ConfigError("DATABASE_OWNER_URL is set without DATABASE_URL")
    return Config(
        host=environment.get("HOST") or "127.0.0.1",
        port=int(port),
        data_dir=data_dir,
        database_url=url or None,
        database_owner_url=owner_url or None,
        redis_url=environment.get("REDIS_URL") or None,
    )


def private_folder(path: Path) -> Path:
    """Make a folder that only we may enter; raise ConfigError when it is somebody else's."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_symlink() or path.stat().st_uid != os.geteuid():
            raise ConfigError(f"{path} belongs to another user")
        path.chmod(0o700)
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror}") from error
    return path


def secret_key(data_dir: Path) -> str:
    """Return the key of this installation, made at the first call."""
    path = data_dir / "secret_key"
    if not path.exists():
        unfinished = path.with_suffix(".new")
        unfinished.touch(mode=0o600)
        unfinished.write_text(secrets.token_urlsafe(48))
        unfinished.rename(path)
    return path.read_text().strip()
