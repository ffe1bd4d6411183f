"""The next game of a match: who opens it, who may sit down, and what becomes of it."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import DueTurn, Game, GameSeat, Player
from games.models.results import GameResult
from games.projections.rebuild import results_rebuild
from games.rules import engine
from games.rules.events import AttackerNamed, GameStarted
from games.rules.match import WILD_LEFT, match_losers, previous_of
from games.rules.shuffle import Entropy, commitment
from games.rules.views import reveal
from games.selectors.game_replay import game_replay
from games.selectors.match_show import match_games, match_show, match_standing
from games.services.game_advance import Outcome
from games.services.game_create import Table, game_create
from games.services.game_rematch import game_rematch, rematches_lapse
from games.services.game_seats import (
    game_bot_add,
    game_join,
    game_leave,
    game_resign,
    game_return,
    game_start,
)
from games.store import log
from games.tasks import sweep_rematches
from tests.recount import recount
from tests.scores import new_player, new_players
from tests.tables import head_of, open_table, play_one, play_out, refused, types_of

pytestmark = pytest.mark.django_db
OPENED = ["game_created", "player_joined"]
DEAL = ["game_started", "cards_dealt", "trump_turned", "attacker_named"]


def rematch(game_id: UUID, player: Player, **more: Any) -> UUID:
    """The player's call; the id of the next game."""
    return call(game_id, player, **more).head.id


def call(game_id: UUID, player: Player, **more: Any) -> Outcome:
    """The player's call."""
    return game_rematch(game_id=game_id, player_id=player.id, kind=player.kind, **more)


def duel(players: Sequence[Player], loser: int = 0, **table: Any) -> UUID:
    """A game that is over at once, because a player resigned."""
    game_id = open_table(players, **table)
    game_resign(game_id=game_id, player_id=players[loser].id)
    return game_id


def everybody(game_id: UUID, players: Sequence[Player]) -> UUID:
    """All call; the id of the next game, which has started."""
    [next_id] = {rematch(game_id, player) for player in players}
    assert head_of(next_id).game.status == "running"
    return next_id


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """``late()``: ten minutes go by."""
    past = timezone.now

    def pass_by() -> None:
        monkeypatch.setattr(timezone, "now", lambda: past() + timedelta(minutes=10))

    return pass_by


def brains(game_id: UUID) -> list[str | None]:
    """What plays each seat: a brain, a human, or nobody yet."""
    chairs = head_of(game_id).game.chairs
    return [chair.brain or (chair.kind if chair.player else None) for chair in chairs]


def test_the_first_call_opens_it_and_the_last_starts_it() -> None:
    players = new_players(3)
    first = open_table(players)
    play_out(first, random.Random(1))
    second = rematch(first, players[1])
    assert types_of(second) == OPENED
    assert brains(second) == [None, "human", None]
    assert rematch(first, players[2]) == second
    assert head_of(second).game.status == "open"
    assert rematch(first, players[0]) == second
    assert types_of(second)[-4:] == DEAL
    chairs = head_of(second).game.chairs
    assert [chair.player for chair in chairs] == [str(player.id) for player in players]


def test_it_is_the_same_table() -> None:
    players = new_players(2)
    table = {"ruleset": "transfer", "options": {"deck_size": 24}, "rated": True}
    first = duel(players, **table, series_length=5)
    game, last = head_of(rematch(first, players[1])).game, head_of(first).game
    for name in ("ruleset", "options", "rules", "ruleset_sha256", "rated", "visibility", "match"):
        assert getattr(game, name) == getattr(last, name)
    assert (game.game_number, game.series_length, game.creator) == (2, 5, str(players[1].id))
    assert game.previous == previous_of(last)
    row = Game.objects.get(match_id=UUID(game.match), game_number=2)
    assert row.reserved == [player.id for player in players]
    assert row.reserved_until == game.reserved_until == row.created_at + timedelta(minutes=10)


def test_bots_agree_at_once_and_owe_their_moves() -> None:
    ann = new_player()
    first = open_table([ann], seats=3, bots=("greedy", "random"))
    game_resign(game_id=first, player_id=ann.id)
    play_out(first, random.Random(2))
    second = rematch(first, ann)
    assert brains(second) == ["human", "greedy", "random"]
    game = head_of(second).game
    assert game.status == "running"
    owed = any(game.chairs[seat].brain for seat in game.to_act)
    assert DueTurn.objects.filter(game=second).exists() == owed


def test_a_seat_that_a_bot_played_on_is_its_players_again() -> None:
    players = new_players(3)
    first = open_table(players)
    game_leave(game_id=first, player_id=players[0].id)
    game_resign(game_id=first, player_id=players[1].id)
    play_out(first, random.Random(3))
    assert brains(everybody(first, players)) == ["human"] * 3


def test_calling_again_changes_nothing() -> None:
    players = new_players(2)
    first = duel(players)
    second = rematch(first, players[0])
    again = call(first, players[0], client_seed="other")
    assert (again.head.id, again.added, again.head.game.version) == (second, (), 2)
    assert rematch(first, players[1]) == second
    for player in players:
        assert rematch(first, player) == second
    game_resign(game_id=second, player_id=players[0].id)
    assert rematch(first, players[1]) == second
    assert Game.objects.count() == 2


def test_who_leaves_before_the_start_keeps_his_seat() -> None:
    players = new_players(2)
    first = duel(players)
    second = rematch(first, players[0])
    game_leave(game_id=second, player_id=players[0].id)
    assert brains(second) == [None, None]
    assert rematch(first, players[1]) == second
    assert rematch(first, players[0]) == second
    assert head_of(second).game.seat_of(str(players[0].id)) == 0


def test_a_kept_seat_is_nobody_elses() -> None:
    ann, bob = new_players(2)
    second = rematch(duel([ann, bob]), ann)
    with refused("game.full"):
        game_join(game_id=second, player_id=new_player().id, kind="human")
    with refused("game.full"):
        game_bot_add(game_id=second, player_id=ann.id, brain="greedy")
    with refused("game.not_started"):
        game_start(game_id=second, player_id=ann.id)
    with refused("game.already_joined"):
        game_join(game_id=second, player_id=ann.id, kind="human")
    game_join(game_id=second, player_id=bob.id, kind="human")
    assert head_of(second).game.status == "running"
    rows = GameSeat.objects.filter(game=second).order_by("seat")
    assert list(rows.values_list("player", flat=True)) == [ann.id, bob.id]


def test_refusals() -> None:
    ann, bob = new_players(2)
    with refused("game.not_found"):
        rematch(UUID(int=0), ann)
    opened = open_table([ann], seats=2)
    with refused("game.not_finished"):
        rematch(opened, ann)
    game_join(game_id=opened, player_id=bob.id, kind="human")
    with refused("game.not_finished"):
        rematch(opened, bob)
    game_resign(game_id=opened, player_id=bob.id)
    with refused("game.not_joined"):
        rematch(opened, new_player())
    with refused("request.invalid"):
        rematch(opened, ann, client_seed="я" * 33)
    watched = game_create(
        creator=ann.id, kind="human", table=Table("throw_in", 2, bots=("greedy",) * 2)
    )
    play_out(watched.head.id, random.Random(4))
    with refused("game.not_joined"):
        rematch(watched.head.id, ann)
    assert Game.objects.count() == 2


def test_a_private_match_stays_private() -> None:
    ann, bob, cat = new_players(3)
    head = game_create(
        creator=ann.id, kind="human", table=Table("throw_in", 2, visibility="private")
    ).head
    game_join(game_id=head.id, player_id=bob.id, kind="human", invite=head.invite)
    game_resign(game_id=head.id, player_id=bob.id)
    with refused("game.not_found"):
        rematch(head.id, cat)
    second = head_of(rematch(head.id, ann))
    assert second.invite not in ("", head.invite)
    with refused("game.not_found"):
        game_join(game_id=second.id, player_id=cat.id, kind="human")
    assert [second.game.exists_for(str(player.id)) for player in (ann, bob, cat)] == [
        *(True, True, False)
    ]
    match_id = UUID(second.game.match)
    assert match_show(match_id, bob.id, limit=1) is not None
    assert match_show(match_id, cat.id, limit=1) is None
    assert match_show(match_id, None, limit=1) is None


@pytest.mark.parametrize("loser", [0, 1])
def test_the_winner_leads_and_the_loser_deals(loser: int) -> None:
    """U09, U11."""
    players = new_players(2)
    first = duel(players, loser)
    shown = match_show(UUID(head_of(first).game.match), None, limit=9)
    assert shown is not None
    second = everybody(first, players)
    [started] = [one.event for one in log.events(second) if isinstance(one.event, GameStarted)]
    [named] = [one.event for one in log.events(second) if isinstance(one.event, AttackerNamed)]
    assert started.dealer == shown["next_dealer"] == loser
    assert (named.seat, named.reason) == (1 - loser, "previous_winner")


def test_the_deal_follows_from_a_fresh_commitment_and_the_callers_seeds() -> None:
    players = new_players(2)
    first = duel(players, client_seed="old")
    second = rematch(first, players[1], client_seed="bob's")
    rematch(first, players[0], client_seed="ann's")
    game, seed = head_of(second).game, log.server_seed(second)
    assert seed != log.server_seed(first)
    assert game.commitment == commitment(seed, str(second)) != head_of(first).game.commitment
    entropy = Entropy(seed, str(second), (b"ann's", b"bob's"))
    dealt = tuple(item.event for item in log.events(second) if item.seq > 3)
    assert engine.start(game.rules, 2, entropy, previous_of(head_of(first).game)) == dealt


def test_the_log_alone_gives_the_game() -> None:
    players = new_players(2)
    first = duel(players, series_length=3)
    second = rematch(first, players[0])
    assert log.replay(second) == head_of(second).game
    Game.objects.filter(id=second).update(snapshot=None)
    rematch(first, players[1])
    assert log.replay(second) == head_of(second).game


def test_a_match_that_is_decided_has_no_next_game() -> None:
    players = new_players(2)
    first = duel(players, series_length=3)
    second = everybody(first, players)
    game_resign(game_id=second, player_id=players[0].id)
    with refused("match.over"):
        rematch(second, players[1])
    assert rematch(first, players[1]) == second
    shown = match_show(UUID(head_of(first).game.match), None, limit=9)
    assert shown is not None
    assert (shown["result"].winners, shown["next_dealer"], shown["rematch"]) == ((1,), None, None)


def test_a_match_is_over_for_who_is_left_with_a_card_that_loses() -> None:
    """C5-V3c, G17."""
    players, rng = new_players(2), random.Random(3)
    game_id = first = open_table(players, ruleset="mau_mau_jacks", match_target=1000)
    play_out(game_id, rng)
    while not (losers := match_losers(head_of(game_id).game)):
        game_id = everybody(game_id, players)
        play_out(game_id, rng)
    with refused("match.over"):
        rematch(game_id, players[0])
    shown = match_show(UUID(head_of(first).game.match), None, limit=9)
    assert shown is not None
    assert (shown["result"].losers, shown["result"].reason) == (losers, WILD_LEFT)
    assert max(seat["points"] for seat in shown["seats"]) < 1000


def test_a_match_without_an_end_has_always_another_game() -> None:
    players = new_players(2)
    game_id = duel(players)
    for number in range(2, 6):
        game_id = everybody(game_id, players)
        assert head_of(game_id).game.game_number == number
        game_resign(game_id=game_id, player_id=players[number % 2].id)


class TestLapsing:
    """Not everybody calls within ten minutes."""

    def test_seats_are_kept_no_longer(self, late: Callable[[], None]) -> None:
        ann, bob = new_players(2)
        second = rematch(duel([ann, bob]), ann)
        assert rematches_lapse() == 0
        late()
        with refused("game.over"):
            game_join(game_id=second, player_id=bob.id, kind="human")
        assert sweep_rematches() == 1
        head = head_of(second)
        assert types_of(second)[-1] == "game_voided"
        assert (head.game.status, head.game.is_void) == ("finished", True)
        assert head.game.result is not None
        assert head.game.result.reason == "aborted"
        assert Game.objects.get(id=second).finished_at is not None
        assert rematches_lapse() == 0
        with refused("game.over"):
            game_join(game_id=second, player_id=bob.id, kind="human")
        with refused("game.not_started"):
            rematch(second, ann)

    def test_a_game_that_started_in_time_goes_on(self, late: Callable[[], None]) -> None:
        players = new_players(2)
        second = everybody(duel(players), players)
        late()
        assert rematches_lapse() == 0
        assert head_of(second).game.status == "running"

    @pytest.mark.parametrize("swept", [True, False])
    def test_who_calls_too_late_opens_another(self, late: Callable[[], None], swept: bool) -> None:
        players = new_players(2)
        first = duel(players)
        lapsed = rematch(first, players[0])
        late()
        assert [rematches_lapse() for _ in range(swept)] == [1] * swept
        third = rematch(first, players[1])
        assert third != lapsed
        assert head_of(lapsed).game.is_void
        assert head_of(third).game.game_number == 2
        assert everybody(first, players) == third
        games = match_games(UUID(head_of(first).game.match), limit=9)
        assert [game.id for game in games] == [first, third]

    def test_it_is_no_game_of_anybodys(self, late: Callable[[], None]) -> None:
        players = new_players(2)
        first = duel(players, rated=True, series_length=3)
        rematch(first, players[0])
        late()
        rematches_lapse()
        assert set(GameResult.objects.values_list("game", flat=True)) == {first}
        before = match_standing(head_of(first).game)
        assert results_rebuild(lambda done, total: None) == 2
        assert set(GameResult.objects.values_list("game", flat=True)) == {first}
        assert match_standing(head_of(first).game) == before
        assert before.games == 1

    def test_its_record_can_be_read(self, late: Callable[[], None]) -> None:
        ann, bob = new_players(2)
        lapsed = rematch(duel([ann, bob]), ann)
        late()
        rematches_lapse()
        record = game_replay(head_of(lapsed))
        assert [event["type"] for event in record["events"]] == [*OPENED, "game_voided"]
        assert record["result"].reason == "aborted"

    def test_the_time_is_a_setting(self, settings: Settings) -> None:
        settings.REMATCH_SECONDS = 0
        ann, bob = new_players(2)
        first = duel([ann, bob])
        assert rematch(first, ann) != rematch(first, bob)


def test_totals_are_those_of_the_logs() -> None:
    """With players who resign, leave, come back, and a bot; and again after a rebuild."""
    players = new_players(3)
    rng = random.Random(8)
    ids = [
        open_table(players, seats=4, bots=("greedy",), options={"deck_size": 24, "hand_size": 4})
    ]
    for number in range(6):
        for _ in range(4):
            play_one(ids[-1], rng)
        if number == 1:
            game_resign(game_id=ids[-1], player_id=players[0].id)
        if number in (2, 3):
            game_leave(game_id=ids[-1], player_id=players[1].id)
        if number == 3:
            game_return(game_id=ids[-1], player_id=players[1].id)
        play_out(ids[-1], rng)
        ids.append(everybody(ids[-1], players))
    *over, _ = ids
    logs = [[reveal(item.event) for item in log.events(game_id)] for game_id in over]
    counted = recount([msgspec.to_builtins(events) for events in logs], {})
    assert [total["games"] for total in counted] == [6] * 4
    assert counted[0]["duraks"] > 0 < counted[1]["duraks"]
    for _ in range(2):
        standing = match_standing(head_of(ids[0]).game)
        assert [msgspec.structs.asdict(total) for total in standing.totals] == counted
        GameResult.objects.all().delete()
        results_rebuild(lambda done, total: None)
