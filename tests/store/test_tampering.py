"""Whatever the owner of the database does to a log, `verify_log` finds it, and where it begins.

TAMPERINGS is how many are tried at least; without it a sample is. What is left without the anchor
file are consistent cuts back to an earlier head, consistent chains of what the rules allow, and
games that are lost as a whole.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.db import transaction
from pytest_django import Settings

from games.models import Game, GameEvent
from games.store.anchored import anchors
from tests.scores import new_player, new_players
from tests.store.kinds import Impossible, Kind, Shown, Victim
from tests.store.kinds_whole import KINDS
from tests.store.tampering import verify
from tests.tables import head_of, open_table, play_one, play_out

# Heads are anchored after the commit.
pytestmark = pytest.mark.django_db(transaction=True)
TAMPERINGS = int(os.environ.get("TAMPERINGS", "50"))
ONLY_WITH_ANCHORS = {
    "a consistent cut",
    "a consistent cut and other moves",
    "a consistent chain of other times",
    "a game less",
}
RULESETS = (
    ("throw_in", "transfer.face_out", "throw_in.japanese", "online_transfer", "proyezdnoy"),
    ("mau_mau", "pharaoh", "hundred_one", "japanese_shedding", "crocodile"),
)
_FAULT = re.compile(r"^game (\S+), event (\d+): ", re.MULTILINE)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    yield tmp_path / "anchors"
    GameEvent.objects.all().delete()


def games(rng: random.Random) -> list[UUID]:
    """A finished and a running game of each family, and one that has not begun."""
    found = []
    for ruleset in map(rng.choice, RULESETS):
        found += [open_table(new_players(rng.choice([2, 3])), ruleset=ruleset) for _ in range(2)]
        play_out(found[-2], rng)
        for _ in range(rng.randint(8, 16)):
            if head_of(found[-1]).game.status == "running":
                play_one(found[-1], rng)
    return [*found, open_table([new_player(), new_player()], seats=3)]


def named(*arguments: str) -> dict[UUID, int]:
    """The first bad events that the command names, by game."""
    return {UUID(game): int(seq) for game, seq in _FAULT.findall(verify(*arguments))}


def tamper(kind: Kind, victim: Victim, rng: random.Random) -> str | None:
    """Do it, look, undo it: what was not found, or not where it is.

    References between tables are looked at by the commit alone, which never comes.
    """
    with transaction.atomic():
        shown = kind(victim, rng)
        wrong = unlike(shown, shown.game or victim.id)
        transaction.set_rollback(True)
    return wrong


def unlike(shown: Shown, game: UUID) -> str | None:
    """What the command should have said of a game and did not."""
    # One game takes less time; of one that is gone only a look at all of them can tell.
    only = ("--game", str(game)) if Game.objects.filter(id=game).exists() else ()
    alone, with_file = (named(*only, *where).get(game) for where in (("--anchors", ""), ()))
    if with_file is None or not shown.first <= with_file <= shown.last:
        return f"with anchors {with_file}, not {shown}"
    if shown.alone and (alone is None or not shown.first <= alone <= shown.last):
        return f"without anchors {alone}, not {shown}"
    if not shown.alone and alone is not None:
        return f"without anchors {alone}, and they say that it does not show"
    return None


def test_every_kind_of_tampering_is_found_where_it_begins(file: Path) -> None:
    rng = random.Random(int(os.environ.get("TAMPER_SEED", "1")))
    done: Counter[str] = Counter()
    missed: list[str] = []
    while done.total() < TAMPERINGS:
        table = games(rng)
        assert verify().endswith(" 0 at fault\n")
        heads = anchors(file)
        for name, kind in KINDS.items():
            for game in rng.sample(table, len(table)):
                other = rng.choice([one for one in table if one != game])
                victim = Victim(game, [head.seq for head in heads.of(game)], other)
                try:
                    wrong = tamper(kind, victim, rng)
                except Impossible:
                    continue
                done[name] += 1
                missed += [f"{name}, {head_of(game).game.ruleset}: {wrong}"] if wrong else []
                break
    only = sum(done[name] for name in ONLY_WITH_ANCHORS)
    print(
        f"{done.total()} tamperings of {len(done)} kinds, {len(missed)} missed; "
        f"{only} of them show with anchors alone"
    )
    assert missed == []
    assert done.keys() == KINDS.keys() > ONLY_WITH_ANCHORS
