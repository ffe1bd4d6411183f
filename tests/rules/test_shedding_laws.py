"""Laws that hold in every shedding game, at every table, whatever is played.

Numbers are those of the rulebook's 4.4.
"""

from itertools import pairwise

import msgspec
from hypothesis import example, given

from games.rules import engine
from games.rules import game as games
from games.rules.cards import pack, to_cards, to_set
from games.rules.events import CardsDrawn, CardsPlayed, DiscardRecycled, SeatSkipped
from games.rules.game import Game
from games.rules.notation import read_position, write_position
from games.rules.shedding.state import ACE_CHAIN, DRAWN, SheddingState
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED
from games.store.codec import decode_event, encode_event
from tests.rules.playing import (
    Setting,
    compatible,
    entropy,
    log,
    shedding_settings,
    some,
    start,
    steps,
)


def assert_conserved(state: SheddingState) -> None:
    places = [*state.hands, to_set(state.talon), to_set(state.pile)]
    assert sum(cards.bit_count() for cards in places) == state.rules.deck_size
    assert sum(places) == to_set(pack(state.rules.deck_size))
    assert len(state.talon) + len(state.pile) == sum(cards.bit_count() for cards in places[-2:])


@given(shedding_settings())
def test_conservation_after_every_event_each_card_is_in_one_place(setting: Setting) -> None:
    for logged in log(setting):
        if logged.game.state is not None and logged.game.state.hands:
            assert_conserved(logged.game.state)


@given(shedding_settings())
def test_4_4_4_progress_one_seat_is_to_act_until_the_game_is_over(setting: Setting) -> None:
    count = 0
    for step in steps(setting):
        count += 1
        assert step.before.to_act == (step.seat,)
        assert step.before.hands[step.seat]
        assert step.events[-1].next is not None
        assert all(event.next is None for event in step.events[:-1])
        assert (step.after.to_act == ()) == (step.after.phase == FINISHED)
        assert (step.after.result is not None) == (step.after.phase == FINISHED)
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
    replayed: Game | None = None
    for event, live in log(setting):
        kind, version, facts = encode_event(event)
        replayed = games.evolve(replayed, decode_event(kind, version, facts.decode()))
        assert replayed == live
    assert msgspec.json.decode(msgspec.json.encode(replayed), type=Game) == replayed


CUT_SHORT = Setting(compatible("pentagon", {"max_moves": 30}), 2, 3, 0.0)


def test_the_example_is_ended_by_the_limit_of_moves() -> None:
    *_, last = steps(CUT_SHORT)
    assert last.after.result.reason == "max_moves"


@given(shedding_settings())
@example(CUT_SHORT)
def test_a_returned_position_can_be_sent_back(setting: Setting) -> None:
    for step in some(steps(setting), setting):
        state = step.after
        listing = [list(to_cards(hand)) for hand in state.hands]
        written = write_position(state, listing)
        again, hands = read_position(state.rules, msgspec.json.decode(msgspec.json.encode(written)))
        assert hands == listing
        assert write_position(again, hands) == written
        for seat in range(setting.seats):
            assert engine.legal_moves(again, seat) == engine.legal_moves(state, seat)


@given(shedding_settings())
def test_play_is_decide_and_evolve(setting: Setting) -> None:
    chance = entropy(setting)
    for step in steps(setting):
        played = engine.play(step.before, step.seat, step.move, chance)
        assert played.events == step.events
        assert played.state == engine.fold(step.before, step.events)


def test_a_game_is_determined_by_its_entropy_and_its_moves() -> None:
    setting = Setting(compatible("mau_mau", {"recycle": "shuffle"}), 4, 7, 0.0)
    assert list(steps(setting)) == list(steps(setting))
    assert start(setting) != start(setting._replace(seed=8))
