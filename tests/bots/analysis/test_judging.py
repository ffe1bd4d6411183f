"""Whole games judged: every ruleset, the same each time, by what was known, exact at the end."""

import random

import msgspec
import pytest

from bots.analysis.judging import decision_judge
from bots.analysis.report import AnalysisResult, JudgedMove
from bots.analysis.turns import Eyes, turns_of
from bots.analysis.work import analysis_of
from bots.brains.search.weighing import Scales
from bots.table import Table, opening
from games.rules import engine
from games.rules.events import CardsDealt, GameFinished, GameVoided, Next, SeatResigned
from games.rules.moves import Move
from games.rules.rulesets.registry import player_counts, ruleset, ruleset_ids
from games.rules.scoring import resigned_result, void_result
from games.rules.state import FINISHED, State
from tests.bots.analysis.played import GREEDY, ended
from tests.bots.brains.search.test_endgame import after
from tests.bots.brains.search.worlds import halfway, other_world

TABLES = [(name, player_counts(name)[0]) for name in ruleset_ids()]
SMALL = {"deck_size": 24, "hand_size": 4}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("name", "seats"), [*TABLES, ("throw_in", 4), ("mau_mau", 4)])
def test_every_ruleset_can_be_judged(name: str, seats: int) -> None:
    table = ended(name, seats, 3)
    turns, eyes = list(turns_of(table.events)), Eyes(table.events)
    few = [decision_judge(turn, eyes) for turn in turns[:: max(1, len(turns) // 12)]]
    assert [one.seq for one in few] == sorted({one.seq for one in few})
    for one in few:
        shares = [option.share for option in one.options]
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 1 for share in shares)
        assert one.is_forced or one.move in [option.move for option in one.options]
        assert one.is_forced == (one.hindsight is None)


def assert_sums(report: AnalysisResult) -> None:
    """Both ways to add a seat's game up give its result."""
    for seat in report.seats:
        whole = seat.expected + seat.luck + seat.gained - seat.loss - seat.given_up
        assert whole == pytest.approx(seat.result, abs=1e-3)
        own = [one for one in report.decisions if one.seat == seat.seat and not one.is_forced]
        chain = seat.expected + seat.deal + sum(one.came or 0.0 for one in own)
        if own:
            told = chain - seat.loss - seat.given_up
            assert told == pytest.approx(seat.result, abs=1e-3 * (1 + len(own)))
        assert seat.decisions == len(own)
        assert seat.accuracy is None or 0 <= seat.accuracy <= 100


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("name", "seats"), [("throw_in", 2), ("transfer", 3), ("mau_mau", 3)])
def test_the_same_game_gives_the_same_bytes(name: str, seats: int) -> None:
    events = ended(name, seats, 8).events
    report = analysis_of(events)
    assert msgspec.json.encode(analysis_of(events)) == msgspec.json.encode(report)
    assert_sums(report)
    if seats == 2:
        assert report.seats[0].luck == pytest.approx(-report.seats[1].luck, abs=1e-3)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("most", [40, 1])
def test_giving_up_is_no_bad_luck(most: int) -> None:
    table = halfway("throw_in", 2, 4, most=most)
    end = GameFinished(result=resigned_result(0), next=Next(FINISHED))
    report = analysis_of((*table.events, SeatResigned(seat=0), end))
    assert_sums(report)
    loser, winner = report.seats
    assert (loser.result, winner.result) == (0.0, 1.0)
    assert loser.given_up > 0
    assert winner.gained == pytest.approx(loser.loss + loser.given_up, abs=1e-3)


@pytest.mark.parametrize(("name", "seats"), [("throw_in", 3), ("mau_mau", 2)])
def test_what_a_seat_could_not_know_does_not_judge_its_move(
    hasty: None, name: str, seats: int
) -> None:
    different = 0
    for seed in range(14):
        table = halfway(name, seats, seed)
        seat = table.to_act[0]
        other = other_world(table, seat, random.Random(seed))
        scales = [
            Scales(one.view(seat), one.history(seat), GREEDY.choose(one.view(seat), (), rng(), 1))
            for one in (table, other)
        ]
        blind = [one.blind(rng()) for one in scales]
        assert blind[0] == blind[1]
        states = [one.game.state for one in (table, other)]
        seen = [one.open(state, rng()) for one, state in zip(scales, states, strict=True) if state]
        different += seen[0] != seen[1]
    assert different


def rng() -> random.Random:
    return random.Random(7)


def blundered(seed: int) -> tuple[Table, int, dict[str, int]] | None:
    """A game in whose endgame somebody who had a winning move makes a losing one.

    With it the version before that move, and what each lead was worth by the rules themselves.
    """
    chance = random.Random(seed)
    table = Table(ruleset("throw_in", SMALL, players=2), ("any",) * 2, str(seed))
    found = None
    while table.result is None:
        seat, state = table.to_act[0], table.game.state
        body = GREEDY.choose(table.view(seat), (), chance, 1)
        if found is None and isinstance(state, State) and is_small(state):
            worth = values(state)
            if max(worth.values()) == 1 and min(worth.values()) == -1:
                found = table.game.version, worth
                body = {"type": "attack", "cards": [min(worth, key=lambda card: worth[card])]}
        table.play(seat, body)
    return None if found is None else (table, *found)


def is_small(state: State) -> bool:
    """Whether all of it can be tried out."""
    held = sum(hand.bit_count() for hand in state.hands)
    return not state.talon and not state.table and held <= 8


def values(state: State) -> dict[str, int]:
    """What the lead of each card is worth by the rules alone."""
    memo: dict[object, int] = {}
    patterns = engine.legal_moves(state, state.to_act[0])
    cards = [card for pattern in patterns for card in pattern.cards or ()]
    return {card: after(state, Move("attack", cards=(card,)), memo) for card in cards}


def test_a_blunder_in_the_endgame_is_found_exactly() -> None:
    games = [game for seed in (1, 9, 11, 17) if (game := blundered(seed)) is not None]
    assert len(games) >= 3
    for table, version, worth in games:
        judged = judge_at(table, version)
        assert (judged.loss, judged.share, judged.error, judged.exact) == (1.0, 0.0, 0.0, True)
        told = {option.move.cards: option.share for option in judged.options}
        alone = {cards[0]: share for cards, share in told.items() if len(cards) == 1}
        assert alone == {card: (value + 1) / 2 for card, value in worth.items()}
        assert judged.best is not None
        assert told[judged.best.cards] == 1.0
        assert judged.hindsight is not None
        assert (judged.hindsight.loss, judged.hindsight.exact) == (1.0, True)


def judge_at(table: Table, version: int) -> JudgedMove:
    """The decision of the move that was made at a version."""
    turn = next(turn for turn in turns_of(table.events) if turn.game.version == version)
    return decision_judge(turn, Eyes(table.events))


def test_a_void_deal_and_the_table_are_no_decisions() -> None:
    events = ended("throw_in", 2, 1).events
    first = next(turns_of(events))
    assert first.number == 1
    assert any(isinstance(event, CardsDealt) for event in events[: first.seq - 1])


def test_a_game_that_was_called_off_has_nothing_to_judge() -> None:
    events = (
        *opening(ruleset("throw_in", players=2), ("a", "b")),
        GameVoided(result=void_result()),
    )
    assert analysis_of(events) == AnalysisResult("tree", (), ())


def test_a_game_that_goes_on_is_not_judged() -> None:
    with pytest.raises(ValueError, match="not over"):
        analysis_of(halfway("throw_in", 2, 1).events)
