"""What the environment says to `make run`."""

from pathlib import Path

import pytest

from durak_api.embedded.config import ConfigError, config_read, private_folder, secret_key
from durak_api.embedded.postgres import APP, OWNER, database_url
from durak_api.embedded.stack import application_environment

THEIRS = {"DATABASE_URL": "postgres://app:x@db/durak", "REDIS_URL": "redis://cache:6379/0"}


def test_defaults_are_local_and_embedded(tmp_path: Path) -> None:
    config = config_read({}, tmp_path)
    assert (config.address, config.data_dir) == ("http://127.0.0.1:8000", tmp_path)
    assert config.servers == {
        "DATABASE_URL": database_url(tmp_path / "run", APP),
        "DATABASE_OWNER_URL": database_url(tmp_path / "run", OWNER),
        "REDIS_URL": f"unix://{tmp_path}/run/valkey.sock?db=0",
    }


def test_given_servers_are_used(tmp_path: Path) -> None:
    config = config_read(THEIRS, tmp_path)
    assert config.servers == {**THEIRS, "DATABASE_OWNER_URL": THEIRS["DATABASE_URL"]}


@pytest.mark.parametrize(
    ("owner_url", "one_role"),
    [("", True), ("postgres://app:x@db/durak", True), ("postgres://owner:y@db/durak", False)],
)
def test_one_role_for_both_is_noticed(tmp_path: Path, owner_url: str, one_role: bool) -> None:
    config = config_read({**THEIRS, "DATABASE_OWNER_URL": owner_url}, tmp_path)
    assert config.one_role is one_role
    assert config_read({}, tmp_path).one_role is False


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "8000.0"])
def test_impossible_ports_are_refused(tmp_path: Path, port: str) -> None:
    with pytest.raises(ConfigError, match="PORT"):
        config_read({"PORT": port}, tmp_path)


def test_owner_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="DATABASE_OWNER_URL"):
        config_read({"DATABASE_OWNER_URL": "postgres://owner@db/durak"}, tmp_path)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("10.0.0.7", "http://10.0.0.7:8000"),
    ],
)
def test_address_is_one_that_can_be_opened(tmp_path: Path, host: str, address: str) -> None:
    assert config_read({"HOST": host}, tmp_path).address == address


@pytest.mark.parametrize("name", ["d" * 90, "with space", "с-кириллицей", "comma,"])
def test_sockets_lie_elsewhere_when_the_name_is_difficult(tmp_path: Path, name: str) -> None:
    config = config_read({"DATA_DIR": str(tmp_path / name)}, tmp_path)
    assert config.sockets.parent == Path("/tmp")
    assert config.sockets != config_read({"DATA_DIR": str(tmp_path / "e,f")}, tmp_path).sockets


def test_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(key) >= 50
    assert secret_key(tmp_path) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_folders_are_private(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    assert private_folder(tmp_path / "open").stat().st_mode & 0o777 == 0o700


def test_a_link_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="another user"):
        private_folder(tmp_path / "link")


def test_compiled_code_is_kept_with_the_data_if_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_read({}, tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert application_environment(config)["NUMBA_CACHE_DIR"] == str(tmp_path / "compiled")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "elsewhere"))
    assert "NUMBA_CACHE_DIR" not in application_environment(config)
