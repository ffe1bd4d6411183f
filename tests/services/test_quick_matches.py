"""Tickets: who plays with whom, when bots come, and when a ticket is no good any more."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Game, GameSeat, Notice, Player, QuickMatch
from games.rules.errors import InvalidOptions, UnknownRuleset
from games.services.errors import ServiceError
from games.services.news_forget import news_forget
from games.services.player_delete import player_delete
from games.services.quick_match_create import Wish, quick_match_cancel, quick_match_create
from games.services.quick_match_look import quick_match_look
from games.services.quick_match_sweep import quick_matches_sweep
from games.store import log
from tests.scores import new_player, new_players
from tests.tables import head_of, refused
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def ask(
    player: Player, *, rulesets: str = "throw_in", seats: Sequence[int] = (2,), **more: Any
) -> UUID:
    """The id of a ticket."""
    wish = Wish(tuple(rulesets.split()), tuple(seats), **more)
    return quick_match_create(player_id=player.id, wish=wish).pk


def ticket(ticket_id: UUID) -> QuickMatch:
    """The ticket as it is now."""
    return QuickMatch.objects.get(pk=ticket_id)


def game_of(ticket_id: UUID) -> UUID | None:
    """The game that came of it."""
    return ticket(ticket_id).game_id


def silent(ticket_id: UUID, seconds: float = 60) -> None:
    """Nobody has asked for the ticket for so long."""
    moment = timezone.now() - timedelta(seconds=seconds)
    assert QuickMatch.objects.filter(pk=ticket_id).update(alive_until=moment)


class TestMatching:
    """People who want the same."""

    def test_the_second_ticket_starts_a_game(self) -> None:
        ann, bob = new_players(2)
        first = ask(ann, client_seed="ann's", rated=True, turn_seconds=30)
        assert ticket(first).status == "waiting"
        second = ask(bob, rated=True, turn_seconds=30)
        game_id = game_of(first)
        assert game_id is not None
        assert game_of(second) == game_id
        game = head_of(game_id).game
        assert (game.status, game.ruleset, game.rated) == ("running", "throw_in", True)
        assert (game.turn_seconds, game.visibility, game.options) == (30, "public", {})
        assert [chair.player for chair in game.chairs] == [str(ann.id), str(bob.id)]
        assert game.chairs[0].client_seed == b"ann's".hex()
        assert (ticket(first).seat, ticket(second).seat) == (0, 1)
        told = Notice.objects.filter(game_id=game_id, kind=Notice.Kind.GAME_STARTED)
        assert {row.player_id for row in told} == {ann.id, bob.id}

    @pytest.mark.parametrize(
        "other",
        [
            {"rulesets": "simple"},
            {"seats": (3,)},
            {"rated": True},
            {"turn_seconds": 60},
        ],
        ids=lambda other: next(iter(other)),
    )
    def test_who_wants_something_else_waits(self, other: dict[str, Any]) -> None:
        ann, bob = new_players(2)
        tickets = [ask(ann), ask(bob, **other)]
        assert [ticket(one).status for one in tickets] == ["waiting"] * 2
        assert Game.objects.count() == 0

    def test_a_table_for_three_needs_three(self) -> None:
        tickets = [ask(player, seats=(3,)) for player in new_players(3)]
        [game_id] = {game_of(one) for one in tickets}
        assert game_id is not None
        assert len(head_of(game_id).game.chairs) == 3

    def test_rulesets_and_seats_both_name(self) -> None:
        ann, bob, cat = new_players(3)
        first = ask(ann, rulesets="simple transfer", seats=(4, 3))
        second = ask(bob, rulesets="throw_in transfer", seats=(2, 3))
        third = ask(cat, rulesets="mau_mau transfer", seats=(3, 2))
        game_id = game_of(third)
        assert game_id is not None
        assert {game_of(first), game_of(second)} == {game_id}
        assert head_of(game_id).game.ruleset == "transfer"

    def test_the_newcomers_order_decides_and_the_oldest_come_first(self) -> None:
        ann, bob, cat, dan = new_players(4)
        three = [ask(ann, rulesets="simple", seats=(3,)), ask(bob, rulesets="simple", seats=(3,))]
        two = ask(cat, rulesets="throw_in")
        last = ask(dan, rulesets="throw_in simple", seats=(2, 3))
        assert game_of(last) == game_of(two) is not None
        assert [game_of(one) for one in three] == [None, None]

    def test_names_are_read_as_anywhere(self) -> None:
        ann, bob = new_players(2)
        first, second = ask(ann, rulesets="подкидной"), ask(bob, rulesets="throw_in podkidnoy")
        assert game_of(first) == game_of(second) is not None
        assert ticket(second).rulesets == ["throw_in"]

    def test_a_player_waits_with_one_ticket(self) -> None:
        ann, bob = new_players(2)
        first = ask(ann)
        with refused("quick_match.waiting", id=first):
            ask(ann, rulesets="simple")
        ask(bob)
        assert ticket(ask(ann)).status == "waiting"


class TestWishes:
    """What cannot be played is not waited for."""

    def test_unknown_rulesets(self) -> None:
        with pytest.raises(UnknownRuleset):
            ask(new_player(), rulesets="throw_in poker")

    @pytest.mark.parametrize(
        ("rulesets", "seats"), [("partners", (3,)), ("throw_in", (2, 9)), ("throw_in", (1,))]
    )
    def test_numbers_that_a_ruleset_is_not_for(self, rulesets: str, seats: tuple[int, ...]) -> None:
        with pytest.raises(InvalidOptions) as caught:
            ask(new_player(), rulesets=rulesets, seats=seats)
        assert set(caught.value.errors) == {"players"}

    @pytest.mark.parametrize("wrong", [{"turn_seconds": 1}, {"bots_after": 3_601}])
    def test_clocks_and_patience_have_bounds(self, wrong: dict[str, int]) -> None:
        with refused("request.invalid"):
            ask(new_player(), **wrong)


class TestBots:
    """For those who do not want to wait for ever."""

    def test_at_once(self) -> None:
        alone = ask(new_player(), seats=(3, 2), bots_after=0)
        game_id = game_of(alone)
        assert game_id is not None
        assert [chair.brain for chair in head_of(game_id).game.chairs] == [None, "greedy", "greedy"]

    def test_after_a_while(self) -> None:
        alone = ask(new_player(), bots_after=20)
        assert (quick_matches_sweep(), game_of(alone)) == (0, None)
        QuickMatch.objects.update(bots_at=timezone.now())
        assert (quick_matches_sweep(), quick_matches_sweep()) == (1, 0)
        assert ticket(alone).status == "matched"

    def test_people_before_bots(self) -> None:
        ann, bob = new_players(2)
        waiting = ask(ann)
        assert game_of(ask(bob, bots_after=0)) == game_of(waiting) is not None

    def test_those_who_take_bots_by_now_sit_together(self) -> None:
        ann, bob, cat, dan = new_players(4)
        due = ask(ann, seats=(2, 5), rulesets="throw_in simple", bots_after=60)
        also = ask(bob, seats=(5,), rulesets="simple", bots_after=60)
        never = ask(cat, seats=(5,), rulesets="simple throw_in")
        later = ask(dan, seats=(5,), rulesets="simple throw_in", bots_after=60)
        QuickMatch.objects.filter(pk__in=[due, also]).update(bots_at=timezone.now())
        assert quick_matches_sweep() == 1
        game_id = game_of(due)
        assert game_id is not None
        assert game_of(also) == game_id
        assert [game_of(one) for one in (never, later)] == [None, None]
        game = head_of(game_id).game
        assert game.ruleset == "simple"
        assert [chair.brain for chair in game.chairs] == [None] * 2 + ["greedy"] * 3


class TestLife:
    """Tickets are there while somebody asks for them."""

    def test_asking_keeps_it(self, settings: Settings) -> None:
        ann = new_player()
        mine = ask(ann)
        before = ticket(mine).alive_until
        seen = quick_match_look(ticket_id=mine, player_id=ann.id, wait=25)
        assert seen.status == "waiting"
        assert seen.alive_until > before + timedelta(seconds=20)

    def test_who_does_not_ask_is_not_matched(self) -> None:
        ann, bob = new_players(2)
        lost = ask(ann)
        silent(lost)
        assert game_of(ask(bob)) is None
        assert quick_match_look(ticket_id=lost, player_id=ann.id).status == "lapsed"
        assert quick_match_look(ticket_id=lost, player_id=ann.id).status == "lapsed"

    def test_the_sweep_lets_it_lapse(self) -> None:
        lost = ask(new_player(), bots_after=0, seats=(2,), rulesets="simple")
        assert game_of(lost) is not None
        lost = ask(new_player(), bots_after=60)
        silent(lost)
        assert (quick_matches_sweep(), ticket(lost).status) == (1, "lapsed")

    def test_a_silent_ticket_does_not_stand_in_the_way_of_the_next(self) -> None:
        ann = new_player()
        silent(ask(ann))
        assert ticket(ask(ann)).status == "waiting"

    def test_giving_up(self) -> None:
        ann, bob, cat = new_players(3)
        mine = ask(ann)
        for _ in range(2):
            quick_match_cancel(ticket_id=mine, player_id=ann.id)
        assert ticket(mine).status == "cancelled"
        other = ask(bob)
        assert game_of(other) is None
        ask(cat)
        with refused("quick_match.matched", game=game_of(other)):
            quick_match_cancel(ticket_id=other, player_id=bob.id)

    def test_only_its_player_knows_it(self) -> None:
        ann, bob = new_players(2)
        mine = ask(ann)
        with refused("quick_match.not_found"):
            quick_match_cancel(ticket_id=mine, player_id=bob.id)
        with refused("quick_match.not_found"):
            quick_match_look(ticket_id=mine, player_id=bob.id)

    def test_who_deletes_his_account_waits_for_nothing(self) -> None:
        ann, bob = new_players(2)
        mine = ask(ann)
        player_delete(player_id=ann.id)
        assert ticket(mine).status == "cancelled"
        assert game_of(ask(bob)) is None

    def test_old_tickets_are_forgotten(self) -> None:
        ann, bob = new_players(2)
        old, new = ask(ann), ask(bob, rulesets="simple")
        quick_match_cancel(ticket_id=old, player_id=ann.id)
        quick_match_cancel(ticket_id=new, player_id=bob.id)
        silent(old, 31 * 86_400)
        assert (news_forget(), news_forget()) == (1, 0)
        assert [row.pk for row in QuickMatch.objects.all()] == [new]


def check(tickets: Sequence[UUID]) -> None:
    """Every ticket is in one game at most, every seat is one ticket's, every game is whole."""
    rows = [ticket(one) for one in tickets]
    seats = [(row.game_id, row.seat) for row in rows if row.game_id is not None]
    assert len(seats) == len(set(seats)) == sum(row.status == "matched" for row in rows)
    for row in rows:
        taken = GameSeat.objects.filter(player=row.player_id).values_list("game", "seat")
        assert list(taken) == ([] if row.game_id is None else [(row.game_id, row.seat)])
    for game_id in Game.objects.values_list("pk", flat=True):
        game = head_of(game_id).game
        assert (game.status, game) == ("running", log.replay(game_id))


class TestRaces:
    """Many at the same moment."""

    def test_an_even_number_leaves_nobody_waiting(self) -> None:
        for _ in range(3):
            tickets = at_once([partial(ask, player) for player in new_players(8)])
            check(tickets)
            assert {ticket(one).status for one in tickets} == {"matched"}
        assert Game.objects.count() == 12

    def test_tables_of_all_sizes(self) -> None:
        rng, tickets = random.Random(4), []
        for _ in range(4):
            calls = [
                partial(ask, player, seats=rng.choice([(2,), (3,), (2, 3), (3, 4, 2)]))
                for player in new_players(7)
            ]
            tickets += at_once(calls)
        check(tickets)
        # Whoever takes any table would have been matched with whoever waits.
        waiting = [ticket(one) for one in tickets if game_of(one) is None]
        assert all(row.seats == [3] or row.seats == [2] for row in waiting) or len(waiting) < 2
        assert len(waiting) <= 3

    def test_of_one_players_tickets_one_is_taken(self) -> None:
        ann = new_player()
        names = ["throw_in", "simple", "transfer", "mau_mau"]
        answers = at_once([partial(outcome, partial(ask, ann, rulesets=name)) for name in names])
        assert Counter(answers) == {"done": 1, "quick_match.waiting": 3}
        assert QuickMatch.objects.filter(status="waiting").count() == 1

    def test_who_gives_up_as_he_is_matched_has_given_up_or_plays(self) -> None:
        seen = Counter[str]()
        for _ in range(6):
            ann, bob = new_players(2)
            mine = ask(ann)
            cancel = partial(quick_match_cancel, ticket_id=mine, player_id=ann.id)
            look = partial(quick_match_look, ticket_id=mine, player_id=ann.id)
            gone, _, others = at_once([partial(outcome, cancel), look, partial(ask, bob)])
            status = ticket(mine).status
            assert (gone, status, ticket(others).status) in {
                ("done", "cancelled", "waiting"),
                ("quick_match.matched", "matched", "matched"),
            }
            check([mine, others])
            quick_match_cancel_all()
            seen[status] += 1
        assert sum(seen.values()) == 6

    def test_sweepers_and_newcomers_give_a_ticket_one_game(self) -> None:
        for _ in range(4):
            ann, bob = new_players(2)
            mine = ask(ann, bots_after=60)
            QuickMatch.objects.update(bots_at=timezone.now())
            sweeps = [quick_matches_sweep] * 3
            *swept, others = at_once([*sweeps, partial(ask, bob, bots_after=0)])
            check([mine, others])
            assert {ticket(mine).status, ticket(others).status} == {"matched"}
            assert sum(swept) == (game_of(mine) != game_of(others))

    def test_signs_of_life_keep_no_ticket_from_its_game(self) -> None:
        players = new_players(6)
        tickets = [ask(player, seats=(6,)) for player in players[:5]]
        looks = [
            partial(quick_match_look, ticket_id=one, player_id=player.id)
            for one, player in zip(tickets, players, strict=False)
        ]
        *_, last = at_once([*looks, partial(ask, players[5], seats=(6,))])
        check([*tickets, last])
        assert game_of(last) is not None


def outcome(call: Any) -> str:
    """What came of a call."""
    try:
        call()
    except ServiceError as error:
        return error.code
    return "done"


def quick_match_cancel_all() -> None:
    """Nobody waits any more, and nobody plays."""
    for row in QuickMatch.objects.filter(status="waiting"):
        quick_match_cancel(ticket_id=row.pk, player_id=row.player_id)
