"""Whole games of many rulesets, recorded at every version that was served and asked for again.

With EVERY_VERSION=1 of every ruleset, at every number of seats that it allows, and all of it.
"""

import os
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from games.rules.rulesets.registry import PRESETS, player_counts
from tests.api.conftest import Api
from tests.api.tables import NAMES, Person, open_game, people, pick, view_of
from tests.api.test_time_travel import Album, served

pytestmark = pytest.mark.django_db
EVERYTHING = bool(os.environ.get("EVERY_VERSION"))
LONGEST = 600
# Of a sample: moves until the players give up, and versions that are asked for.
MOVES, PAGES = 30, 10


class Table(NamedTuple):
    """What is played, by how many, how many games of a match."""

    ruleset: str
    seats: int
    options: dict[str, Any] = {}
    games: int = 1

    def __str__(self) -> str:
        changed = "-".join(str(value) for value in self.options.values())
        return f"{self.ruleset}-{self.seats}{changed and '-'}{changed}"


SAMPLE = (
    Table("transfer", 2, {"deck_size": 24}, games=2),
    Table("throw_in.full_deal.face_out", 3),
    Table("transfer.face_out.japanese", 2),
    Table("partners", 4),
    Table("throw_in", 3, {"enforcement": "catchable", "deck_size": 36}),
    Table("proyezdnoy", 5, {"deck_size": 52}),
    Table("throw_in_article", 6),
    Table("mau_mau", 3),
    Table("hundred_one", 2, games=2),
    Table("pharaoh", 4),
)
ALL = tuple(
    Table(ruleset, seats, games=1 + (seats == 2))
    for ruleset in sorted(PRESETS)
    for seats in player_counts(ruleset)
    if seats <= len(NAMES)
)


class Recorder(Album):
    """Keeps what was served and asks for some of it again."""

    def __init__(self, path: str, rng: random.Random, *viewers: Api) -> None:
        super().__init__(path, *viewers)
        self.rng = rng

    def versions(self, most: int) -> list[int]:
        """Some that were served, the first and the last among them."""
        known = sorted(self.pages)
        if EVERYTHING or len(known) <= most:
            return known
        return [known[0], *self.rng.sample(known[1:-1], most - 2), known[-1]]

    def check_some(self, most: int = PAGES) -> None:
        """Pages are served again as they were, to whom they were served."""
        for version in self.versions(most):
            for viewer, kept in self.pages[version].items():
                assert served(viewer, self.path, f"?at={version}") == kept, version

    def check_seats(self, anybody: Api) -> None:
        """After the end everybody may look from every seat."""
        for version in self.versions(PAGES):
            for seat, kept in enumerate(list(self.pages[version].values())[:-1]):
                assert served(anybody, self.path, f"?at={version}&seat={seat}") == kept, version


def plays(path: str, rng: random.Random, players: list[Person]) -> Iterator[None]:
    """Play to the end; of a sample the players give up in the midst of it."""
    for number in range(LONGEST):
        view = view_of(players[0], path)
        if view["status"] == "finished":
            return
        seat = rng.choice(view["to_act"])
        if not EVERYTHING and number >= MOVES and len(players) == 2:
            answer = players[seat].post(f"{path}/resign")
        else:
            move = pick(view_of(players[seat], path), rng)
            answer = players[seat].post(f"{path}/moves", move)
        unfounded = answer.status_code == 422 and answer.json()["code"] == "move.call_unfounded"
        assert answer.status_code < 300 or unfounded, answer.content
        yield
        if not EVERYTHING and number >= MOVES and len(players) > 2:
            return
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("table", ALL if EVERYTHING else SAMPLE, ids=str)
def test_every_version_is_served_again(table: Table, anybody: Api) -> None:
    players, rng = people(table.seats), random.Random(str(table))
    path = open_game(*players, ruleset=table.ruleset, options=table.options)
    for game in range(table.games):
        path = next_game(path, players) if game else path
        album = Recorder(path, rng, *players, anybody)
        for number, _ in enumerate(plays(path, rng, players)):
            album.take()
            if number % 20 == 10:
                album.check_some(3)
        album.check_some()
        if view_of(anybody, path)["status"] == "finished":
            album.check_seats(anybody)


def next_game(path: str, players: list[Person]) -> str:
    """The rematch of a game, recorded by everybody's answers."""
    [found] = {player.post(f"{path}/rematch", {}).json()["id"] for player in players}
    return f"/games/{found}"


def test_seats_that_are_kept_for_a_rematch_are_served_again(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="transfer", options={"deck_size": 24})
    assert ann.post(f"{path}/resign").status_code == 200
    again = ann.post(f"{path}/rematch", {}).json()["id"]
    album = Album(f"/games/{again}", ann, bob, anybody)
    assert bob.post(f"{path}/rematch", {"client_seed": "счастье"}).status_code == 200
    album.take()
    assert bob.post(f"/games/{again}/resign").status_code == 200
    album.take()
    album.check()


def test_options_are_told_in_the_order_in_which_they_were_told_first(anybody: Api) -> None:
    ann, bob = people(2)
    options = {"throw_in_timing": "anytime", "deck_size": 52, "attack_limit": 5}
    path = open_game(ann, bob, ruleset="throw_in", options=options)
    album = Album(path, ann, bob, anybody)
    assert ann.post(f"{path}/resign").status_code == 200
    album.take()
    album.check()
