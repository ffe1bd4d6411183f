"""One office for the run, with games of all sorts in it."""

import os
from collections.abc import Iterator

import pytest

from tests.admin.games import Played, play_games
from tests.admin.office import JUDGE, STAFF, OfficeServer, Visitor


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfficeServer]:
    """The server."""
    folder = tmp_path_factory.mktemp("office")
    server = OfficeServer(folder, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def played(office: OfficeServer) -> list[Played]:
    """The games."""
    return play_games(office)


@pytest.fixture(scope="session")
def boss(office: OfficeServer) -> Visitor:
    """One of the staff, signed in."""
    visitor = Visitor(office)
    assert visitor.sign_in(STAFF).status == 302
    return visitor


@pytest.fixture(scope="session")
def judge(office: OfficeServer) -> Visitor:
    """One of the staff who may void games, signed in."""
    visitor = Visitor(office)
    assert visitor.sign_in(JUDGE).status == 302
    return visitor
