"""Leaving, coming back and resigning: the cards go on, and the account is rated (3.7, 14)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import pytest
from msgspec.structs import replace

from games.projections.results import finished_game, places_of
from games.rules import engine
from games.rules import game as games
from games.rules.events import Event, SeatReplaced, SeatResigned, SeatReturned
from games.rules.game import Game
from tests.rules.playing import Setting, compatible, entropy, opening, steps

BOTH = pytest.mark.parametrize(
    "setting",
    [
        Setting(compatible("throw_in", {}), 4, 5, 0.3),
        Setting(compatible("japanese_shedding", {}), 4, 5, 0.3),
    ],
    ids=["bout", "shedding"],
)
PLAYERS = [UUID(int=seat + 1) for seat in range(4)]
AT = datetime(2026, 11, 1, tzinfo=UTC)


def played(setting: Setting, *happenings: tuple[int, Event]) -> list[Game]:
    """A whole game in which each event happens after so many moves; the game after every event."""
    created, *joined = opening(setting)
    seated = [replace(event, player=str(PLAYERS[event.seat])) for event in joined]
    events = [created, *seated, *engine.start(setting.rules.rules, 4, entropy(setting))]
    for count, step in enumerate(steps(setting)):
        for moves, event in happenings:
            if moves == count:
                events.append(replace(event, next=events[-1].next))
        events.extend(step.events)
    logged: list[Game] = []
    for event in events:
        logged.append(games.evolve(logged[-1] if logged else None, event))
    return logged


def left(seat: int) -> Event:
    return SeatReplaced(seat=seat, brain="greedy", reason="left")


def duraks(logged: Sequence[Game]) -> set[int]:
    """Whom the ratings count as the durak."""
    places = places_of(finished_game(UUID(int=9), logged[-1], AT))
    return {seat for seat, place in places.items() if place.is_durak}


def better(logged: Sequence[Game], seats: Sequence[int]) -> list[int]:
    """These seats by the places that the ratings count."""
    places = places_of(finished_game(UUID(int=9), logged[-1], AT))
    return sorted(seats, key=lambda seat: places[seat].place)


def seats_by_place(setting: Setting) -> list[int]:
    """Winner, second, third and durak of the game that nobody leaves."""
    result = played(setting)[-1].result
    assert result is not None
    return [seat for (seat,) in result.places]


@BOTH
def test_X03_G22_a_bot_goes_on_with_the_hand_and_nobody_elses_result_changes(
    setting: Setting,
) -> None:
    winner, *others = seats_by_place(setting)
    logged = played(setting, (7, left(winner)))
    at = next(i for i, game in enumerate(logged) if game.chairs[winner].brain is not None)
    before, after = logged[at - 1].state, logged[at].state
    assert before is not None
    assert before == after
    assert before.to_act
    assert logged[-1].result == played(setting)[-1].result
    assert better(logged, others) == others


@BOTH
def test_D_14_X03_who_left_for_good_is_rated_as_the_durak_of_a_game_that_his_bot_won(
    setting: Setting,
) -> None:
    winner, _, _, durak = seats_by_place(setting)
    assert duraks(played(setting)) == {durak}
    assert duraks(played(setting, (7, left(winner)))) == {winner, durak}


@BOTH
@pytest.mark.parametrize("seat", range(4))
def test_D_14_who_came_back_is_rated_by_what_the_seat_did(setting: Setting, seat: int) -> None:
    logged = played(setting, (3, left(seat)), (9, SeatReturned(seat=seat)))
    assert any(game.chairs[seat].brain for game in logged)
    assert duraks(logged) == {seats_by_place(setting)[-1]}
    assert better(logged, range(4)) == seats_by_place(setting)


@BOTH
def test_D_14_who_came_back_and_left_again_is_rated_as_the_durak(setting: Setting) -> None:
    _, second, _, durak = seats_by_place(setting)
    back = SeatReturned(seat=second)
    logged = played(setting, (3, left(second)), (5, back), (9, left(second)))
    assert duraks(logged) == {second, durak}


@BOTH
def test_D_14_who_resigned_is_rated_as_the_durak_whatever_his_bot_does(setting: Setting) -> None:
    winner, second, third, durak = seats_by_place(setting)
    bot = SeatReplaced(seat=third, brain="greedy", reason="resigned")
    logged = played(setting, (4, SeatResigned(seat=third)), (4, bot))
    assert duraks(logged) == {third, durak}
    assert better(logged, [winner, second]) == [winner, second]


@BOTH
def test_D_14_if_the_bot_of_who_left_is_the_durak_nobody_else_is(setting: Setting) -> None:
    *_, durak = seats_by_place(setting)
    assert duraks(played(setting, (7, left(durak)))) == {durak}
