"""Frozen logs: of every ruleset there is one, it folds as it did, and nobody rewrites it.

`FREEZE=1 pytest tests/store/test_frozen.py` adds the rulesets that are missing, and the sums of new
files; what is frozen already stays as it is.
"""

import os
import random

import msgspec
import pytest

from games.rules import game as games
from games.rules.events import GameFinished
from games.rules.rulesets.registry import player_counts, ruleset_ids
from games.store.codec import decode_event
from tests.exports import resigned
from tests.store import frozen

if os.environ.get("FREEZE"):

    @pytest.mark.django_db
    def test_freeze_what_is_missing() -> None:
        known = {one.ruleset for one in frozen.rulesets()}
        missing = [name for name in ruleset_ids() if name not in known]
        ended = [
            resigned(random.Random(1), ruleset=name, seats=player_counts(name)[0])
            for name in missing
        ]
        if ended:
            frozen.add_rulesets([frozen.freeze(game) for game in ended])
        frozen.add_sums()


def test_every_ruleset_has_a_frozen_log() -> None:
    assert {one.ruleset for one in frozen.rulesets()} == set(ruleset_ids())


@pytest.mark.parametrize("game", frozen.rulesets(), ids=lambda game: game.ruleset)
def test_it_folds_as_it_did(game: frozen.FrozenRuleset) -> None:
    assert frozen.folded_hash(game.events) == game.folded


def test_what_is_frozen_is_not_rewritten() -> None:
    assert frozen.listed_sums() == frozen.sums()


def test_a_rewritten_or_lost_file_is_named_and_a_new_one_is_not() -> None:
    listed = {"v1/one.json": "aa", "v1/two.json": "bb", "v1/three.json": "cc"}
    found = {"v1/one.json": "aa", "v1/two.json": "b0", "v2/new.json": "dd"}
    assert frozen.rewritten(listed, found) == ["v1/two.json", "v1/three.json"]


@pytest.mark.parametrize("game", frozen.rulesets(), ids=lambda game: game.ruleset)
def test_it_goes_to_its_end(game: frozen.FrozenRuleset) -> None:
    kind, version, facts = game.events[-1]
    end = decode_event(kind, version, msgspec.json.encode(facts).decode())
    assert isinstance(end, GameFinished)
    folded = None
    for kind, version, facts in game.events:
        event = decode_event(kind, version, msgspec.json.encode(facts).decode())
        folded = games.evolve(folded, event)
    assert folded is not None
    assert folded.result == end.result
    assert (folded.status, folded.ruleset) == ("finished", game.ruleset)
