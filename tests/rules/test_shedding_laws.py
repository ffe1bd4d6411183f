"""Laws that hold in every shedding game, at every table, whatever is played.

Numbers are those of the rulebook's 4.4.
"""

from itertools import pairwise

from hypothesis import example, given

from games.rules import engine
from games.rules.events import CardsDrawn, CardsPlayed, DiscardRecycled, SeatSkipped
from games.rules.shedding.state import ACE_CHAIN, DRAWN, SheddingState
from games.rules.shuffle import Entropy
from tests.rules.laws import (
    assert_conserved,
    assert_determined,
    assert_goes_on,
    assert_played_as_decided,
    assert_positions_return,
    assert_replayed,
)
from tests.rules.playing import (
    Setting,
    compatible,
    shedding_settings,
    steps,
)


@given(shedding_settings())
def test_conservation_after_every_event_each_card_is_in_one_place(setting: Setting) -> None:
    assert_conserved(setting)


@given(shedding_settings())
def test_4_4_4_progress_one_seat_is_to_act_until_the_game_is_over(setting: Setting) -> None:
    count = 0
    for step in steps(setting):
        count += 1
        assert step.before.to_act == (step.seat,)
        assert step.before.hands[step.seat]
        assert_goes_on(step)
        assert not any(step.after.hands[seat] for seat in step.after.out)
        assert (step.after.drawn is None) <= (step.after.phase != DRAWN)
    assert count <= setting.rules.rules.max_moves


def follows(card: str, state: SheddingState) -> bool:
    """The rules of A-08, C5-08, C5-17 and C5-V6a for an ordinary card, written down once more."""
    if not state.pile:
        return True
    top, rules = state.pile[-1], state.rules
    if state.phase == ACE_CHAIN:
        return card[1] == top[1]
    if state.pending is not None:
        return card[0] == top[0]
    if state.named_suit is not None:
        return card[1] == state.named_suit
    by_rank = rules.match == "suit_or_rank" or top[0] in rules.rank_match_only
    return card[1] == top[1] or (by_rank and card[0] == top[0])


@given(shedding_settings())
def test_every_ordinary_card_follows_the_one_below(setting: Setting) -> None:
    for step in steps(setting):
        first = step.events[0]
        if not isinstance(first, CardsPlayed):
            continue
        assert len({card[0] for card in first.cards}) == 1
        if first.cards[0][0] != setting.rules.rules.wild:
            assert follows(first.cards[0], step.before)
        assert step.after.pile[-1] == first.cards[-1]


@given(shedding_settings())
def test_4_4_8_a_pile_turned_over_is_drawn_in_the_order_of_play(setting: Setting) -> None:
    shuffles = setting.rules.rules.recycle == "shuffle"
    other = Entropy(bytes([255]) * 32, "another", ())
    for step in steps(setting):
        state = step.before
        for event in step.events:
            if isinstance(event, DiscardRecycled):
                assert not state.talon
                assert sorted(event.cards) == sorted(state.pile[:-1])
                assert shuffles or event.cards == state.pile[:-1]
            state = engine.evolve(state, event)
        if not shuffles:
            assert engine.decide(step.before, step.seat, step.move, other) == step.events


@given(shedding_settings())
def test_nobody_misses_two_turns_for_one_move_and_penalties_hit_one_seat(setting: Setting) -> None:
    for step in steps(setting):
        skipped = [event.seat for event in step.events if isinstance(event, SeatSkipped)]
        assert len(set(skipped)) == len(skipped)
        told = [e for e in step.events if isinstance(e, CardsDrawn) and e.penalty]
        assert all(one.seat == other.seat for one, other in pairwise(told))


@given(shedding_settings())
def test_4_4_9_places_are_a_permutation_and_the_durak_is_alone_in_the_last(
    setting: Setting,
) -> None:
    *_, last = steps(setting)
    state, result = last.after, last.after.result
    assert sorted(seat for group in result.places for seat in group) == list(range(setting.seats))
    assert tuple(group[0] for group in result.places[: len(state.out)]) == state.out
    assert dict(state.places) == {seat: place for place, seat in enumerate(state.out, 1)}
    drawn = result.reason != "played_out" and state.rules.stalemate == "draw"
    assert result.draw == (drawn or len(result.places) == 1)
    if not drawn and len(result.places[-1]) == 1:
        assert result.durak == result.places[-1][0]
    else:
        assert result.durak is None
    alone = len(result.places[0]) == 1
    assert result.winner == (result.places[0][0] if alone else None)
    assert (result.points is None) == (drawn or state.rules.points is None)


@given(shedding_settings())
def test_4_4_10_replaying_the_stored_log_gives_the_live_game_at_every_version(
    setting: Setting,
) -> None:
    assert_replayed(setting)


CUT_SHORT = Setting(compatible("pentagon", {"max_moves": 30}), 2, 3, 0.0)


def test_the_example_is_ended_by_the_limit_of_moves() -> None:
    *_, last = steps(CUT_SHORT)
    assert last.after.result.reason == "max_moves"


@given(shedding_settings())
@example(CUT_SHORT)
def test_a_returned_position_can_be_sent_back(setting: Setting) -> None:
    assert_positions_return(setting)


@given(shedding_settings())
def test_play_is_decide_and_evolve(setting: Setting) -> None:
    assert_played_as_decided(setting)


def test_a_game_is_determined_by_its_entropy_and_its_moves() -> None:
    assert_determined(Setting(compatible("mau_mau", {"recycle": "shuffle"}), 4, 7, 0.0))
