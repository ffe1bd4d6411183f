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

SETTING = Setting(compatible("throw_in", {}), 4, 5, 0.3)
PLAYERS = [UUID(int=seat + 1) for seat in range(4)]
AT = datetime(2026, 11, 1, tzinfo=UTC)


def played(*happenings: tuple[int, Event]) -> list[Game]:
    """A whole game in which each event happens after so many moves; the game after every event."""
    created, *joined = opening(SETTING)
    seated = [replace(event, player=str(PLAYERS[event.seat])) for event in joined]
    events = [created, *seated, *engine.start(SETTING.rules.rules, 4, entropy(SETTING))]
    for count, step in enumerate(steps(SETTING)):
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


PLAIN = played()
RESULT = PLAIN[-1].result
WINNER, SECOND, THIRD, DURAK = [seat for (seat,) in RESULT.places] if RESULT else ()


def test_X03_G22_a_bot_goes_on_with_the_hand_and_nobody_elses_result_changes() -> None:
    logged = played((7, left(WINNER)))
    at = next(i for i, game in enumerate(logged) if game.chairs[WINNER].brain is not None)
    before, after = logged[at - 1].state, logged[at].state
    assert before is not None
    assert before == after
    assert before.to_act
    assert logged[-1].result == RESULT
    assert better(logged, [SECOND, THIRD, DURAK]) == [SECOND, THIRD, DURAK]


def test_D_14_X03_who_left_for_good_is_rated_as_the_durak_of_a_game_that_his_bot_won() -> None:
    assert duraks(PLAIN) == {DURAK}
    assert duraks(played((7, left(WINNER)))) == {WINNER, DURAK}


@pytest.mark.parametrize("seat", range(4))
def test_D_14_who_came_back_is_rated_by_what_the_seat_did(seat: int) -> None:
    logged = played((3, left(seat)), (9, SeatReturned(seat=seat)))
    assert any(game.chairs[seat].brain for game in logged)
    assert duraks(logged) == {DURAK}
    assert better(logged, range(4)) == better(PLAIN, range(4))


def test_D_14_who_came_back_and_left_again_is_rated_as_the_durak() -> None:
    back = SeatReturned(seat=SECOND)
    logged = played((3, left(SECOND)), (5, back), (9, left(SECOND)))
    assert duraks(logged) == {SECOND, DURAK}


def test_D_14_who_resigned_is_rated_as_the_durak_whatever_his_bot_does() -> None:
    resigned = (4, SeatResigned(seat=THIRD))
    logged = played(resigned, (4, SeatReplaced(seat=THIRD, brain="greedy", reason="resigned")))
    assert duraks(logged) == {THIRD, DURAK}
    assert better(logged, [WINNER, SECOND]) == [WINNER, SECOND]


def test_D_14_if_the_bot_of_who_left_is_the_durak_nobody_else_is() -> None:
    assert duraks(played((7, left(DURAK)))) == {DURAK}
