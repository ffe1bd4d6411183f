"""Frozen logs: of every ruleset there is one, it folds as it did, and nobody rewrites it.

`FREEZE=1 pytest tests/store/test_frozen.py` adds the rulesets that are missing, and the sums of new
files; what is frozen already stays as it is.
"""

import os
import random

import msgspec
import pytest

from games.rules.rulesets.registry import player_counts, ruleset_ids
from tests.exports import resigned
from tests.store import frozen

if os.environ.get("FREEZE"):

    @pytest.mark.django_db
    def test_freeze_what_is_missing() -> None:
        known = {one.ruleset for one in frozen.rulesets()}
        with (frozen.FOLDERS[-1] / frozen.RULESETS).open("ab") as file:
            for name in ruleset_ids():
                if name not in known:
                    game = resigned(random.Random(1), ruleset=name, seats=player_counts(name)[0])
                    file.write(msgspec.json.encode(frozen.freeze(game)) + b"\n")
        told = "".join(f"{digest}  {name}\n" for name, digest in frozen.sums().items())
        frozen.SUMS.write_text(told)


def test_every_ruleset_has_a_frozen_log() -> None:
    assert {one.ruleset for one in frozen.rulesets()} == set(ruleset_ids())


@pytest.mark.parametrize("game", frozen.rulesets(), ids=lambda game: game.ruleset)
def test_it_folds_as_it_did(game: frozen.FrozenRuleset) -> None:
    assert frozen.folded_hash(game.events) == game.folded


def test_what_is_frozen_is_not_rewritten() -> None:
    lines = frozen.SUMS.read_text().splitlines()
    assert dict(reversed(line.split("  ")) for line in lines) == frozen.sums()
