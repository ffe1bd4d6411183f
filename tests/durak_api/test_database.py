"""URLs to settings."""

import pytest

from durak_api.database import broker_url, database_settings


def test_socket_folder_stands_in_place_of_the_host() -> None:
    settings = database_settings("postgres://durak_app@%2Ftmp%2Frun/durak", pool=False)
    assert (settings["HOST"], settings["NAME"]) == ("/tmp/run", "durak")


def test_requests_keep_their_connection_and_have_time_limits() -> None:
    settings = database_settings("postgres://a:b@db:5433/durak", pool=False)
    assert settings["CONN_MAX_AGE"] is None
    assert "pool" not in settings["OPTIONS"]
    assert "statement_timeout=5s" in settings["OPTIONS"]["options"]


def test_streams_share_a_pool() -> None:
    settings = database_settings("postgres://a:b@db:5433/durak", pool=True)
    assert settings["CONN_MAX_AGE"] == 0
    assert settings["OPTIONS"]["pool"]["max_size"] == 8


def test_options_of_the_url_win() -> None:
    settings = database_settings("postgres://a@db/durak?application_name=x", pool=False)
    assert settings["OPTIONS"]["application_name"] == "x"


@pytest.mark.parametrize(
    ("redis_url", "expected"),
    [
        ("redis://cache:6379/2", "redis://cache:6379/2"),
        ("unix:///run/valkey.sock?db=3", "redis+socket:///run/valkey.sock?virtual_host=3"),
    ],
)
def test_celery_spells_sockets_its_own_way(redis_url: str, expected: str) -> None:
    assert broker_url(redis_url) == expected
