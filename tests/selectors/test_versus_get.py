"""Two players' games together."""

import random

import pytest

from games.models import Player
from games.selectors import versus_get as module
from games.selectors.versus_get import Tally, Versus, versus_get
from tests.scores import AUTUMN, new_player, new_players, play, result_of

pytestmark = pytest.mark.django_db


def versus(one: Player, other: Player, viewer: Player | None = None) -> Versus:
    """The two, as a viewer finds them."""
    viewer_id = viewer and viewer.id
    return versus_get(player_id=one.id, versus_id=other.id, viewer_id=viewer_id, last=3)


def test_games_are_counted_from_both_sides() -> None:
    ann, bob, eve = new_players(3)
    play([ann, bob])
    play([ann, eve, bob])
    play([bob, ann, eve], ruleset="transfer", rated=False)
    play([ann, eve])
    play([ann, bob], result_of([(0, 1)], draw=True))
    seen = versus(ann, bob)
    assert seen.total == Tally(None, 4, 0, 2, before=2, behind=1, level=1, draws=1)
    assert seen.rulesets == [
        Tally("throw_in", 3, 0, 2, before=2, behind=0, level=1, draws=1),
        Tally("transfer", 1, 0, 0, before=0, behind=1, level=0, draws=0),
    ]
    back = versus(bob, ann).total
    assert back == Tally(None, 4, 2, 0, before=1, behind=2, level=1, draws=1)
    assert seen.is_complete


def test_the_last_games_are_newest_first_and_say_how_they_ended() -> None:
    ann, bob, eve = new_players(3)
    games = [play([ann, bob]) for _ in range(3)] + [play([bob, eve, ann])]
    last = versus(ann, bob).last
    assert [game.game for game in last] == games[:0:-1]
    newest = last[0]
    assert (newest.place, newest.versus_place, newest.players) == (3, 1, 3)
    assert (newest.durak, newest.versus_durak, newest.draw) == (True, False, False)


def test_voided_games_are_none() -> None:
    ann, bob = new_players(2)
    play([ann, bob], voided_at=AUTUMN)
    kept = play([ann, bob])
    assert [game.game for game in versus(ann, bob).last] == [kept]


def test_strangers_have_no_games() -> None:
    ann, bob = new_players(2)
    assert versus(ann, bob) == Versus(Tally(None, 0, 0, 0, 0, 0, 0, 0), [], [], is_complete=True)


def test_private_games_count_for_who_sat_there() -> None:
    ann, bob, eve, guest = new_players(4)
    play([ann, bob, eve], private=True)
    play([ann, bob])
    games = {
        viewer: versus(ann, bob, viewer).total.games for viewer in (ann, bob, eve, guest, None)
    }
    assert games == {ann: 2, bob: 2, eve: 2, guest: 1, None: 1}


def test_aborted_games_do_not_count() -> None:
    ann, bob = new_players(2)
    play([ann, bob], result_of([(0, 1)], reason="aborted"))
    assert versus(ann, bob).total.games == 0


def test_of_several_seats_the_best_counts() -> None:
    ann, bot = new_player(), new_player(kind="bot")
    play([bot, ann, bot])
    assert versus(ann, bot).total == Tally(None, 1, 0, 1, before=0, behind=1, level=0, draws=0)


@pytest.mark.parametrize("seed", range(3))
def test_one_side_is_the_other_one_turned_round(seed: int) -> None:
    chance = random.Random(seed)
    players = new_players(4)
    for _ in range(25):
        play(chance.sample(players, chance.randint(2, 4)), rated=chance.random() < 0.7)
    one, other = versus(*players[:2]).total, versus(*players[1::-1]).total
    assert one.games == one.before + one.behind + one.level > 0
    assert (one.before, one.durak_count) == (other.behind, other.versus_durak_count)


def test_of_too_many_results_the_newest_of_the_rarer_player_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_RESULTS", 4)
    ann, bob, eve = new_players(3)
    old = play([ann, bob])
    kept = [play([ann, bob]) for _ in range(4)]
    for _ in range(3):
        play([ann, eve])
    for pair in ((ann, bob), (bob, ann)):
        seen = versus(*pair)
        assert not seen.is_complete
        assert seen.total.games == 4
        assert {game.game for game in seen.last} < {*kept} - {old}
    assert versus(ann, eve).is_complete


def test_private_games_of_others_leave_none_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RESULTS", 4)
    ann, bob, eve, guest = new_players(4)
    for _ in range(2):
        play([ann, bob])
        play([ann, bob, eve], private=True)
    seen = {viewer: versus(ann, bob, viewer) for viewer in (eve, guest, None)}
    for _ in range(5):
        play([ann, bob], private=True)
    assert {viewer: versus(ann, bob, viewer) for viewer in seen} == seen
    assert [one.total.games for one in seen.values()] == [4, 2, 2]
