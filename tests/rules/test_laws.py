"""Laws that hold in every ruleset, at every table, whatever is played.

Numbers are those of the rulebook's 4.4.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.rules.cards import CARDS, SUIT_MASK, SUITS, pack
from games.rules.events import (
    BoutDiscarded,
    BoutOpened,
    BoutTransferred,
    CardBeaten,
    CardsThrownIn,
    TrumpShown,
    WrongPlayCalled,
)
from games.rules.rulesets.registry import ruleset_ids
from games.rules.state import ATTACK, DEFEND, TAKE, State
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
    settings,
    steps,
    table_sizes,
)

# Calls after which a card returns and what beat it with it.
CALLED_BACK = Setting(compatible("throw_in", {"enforcement": "catchable"}), 3, 0, 0.0)


@given(settings())
@example(CALLED_BACK)
def test_conservation_after_every_event_each_card_is_in_one_place(setting: Setting) -> None:
    assert_conserved(setting)


def beats(card: str, target: str, state: State) -> bool:
    """The rules of C1-14 and C4-14 and of the lowest trump, written down once more."""
    rules, trump = state.rules, state.trump
    lowest = min(
        (one for one in pack(rules.deck_size) if one[1] == trump), key=CARDS.index, default=""
    )
    if rules.lowest_trump_beats_trump_ace and (card, target) == (lowest, f"A{trump}"):
        return True
    if card[1] == target[1]:
        return CARDS.index(card) > CARDS.index(target)
    return card[1] == trump and target[1] != rules.self_only_suit


def in_force(state: State, held: int) -> int:
    """The limit of a bout against a hand of `held` cards, from the options alone."""
    rules = state.rules
    limits = [held, rules.attack_limit or 52]
    early = state.bouts == 0
    if rules.first_limit_scope == "until_first_discard":
        early = state.discard == 0
    if rules.first_attack_limit is not None and early:
        limits.append(rules.first_attack_limit)
    return min(limits)


@given(settings())
def test_4_4_2_the_discard_pile_grows_by_pairs_of_which_one_beats_the_other(
    setting: Setting,
) -> None:
    catchable = setting.rules.rules.enforcement == "catchable"
    standing: set[tuple[str, str]] = set()
    for step in steps(setting):
        for event in step.events:
            if isinstance(event, CardBeaten):
                assert event.wrong == (not beats(event.card, event.target, step.before))
                assert catchable or not event.wrong
                standing |= {(event.target, event.card)} if event.wrong else set()
            if isinstance(event, BoutDiscarded):
                pairs = list(zip(event.cards[::2], event.cards[1::2], strict=True))
                assert pairs
                for target, card in set(pairs) - standing:
                    assert beats(card, target, step.before)


@given(settings())
def test_4_4_3_attack_cards_stay_within_limit_and_defenders_hand(setting: Setting) -> None:
    limit = 0
    for step in steps(setting):
        first = step.events[0]
        if isinstance(first, BoutOpened | BoutTransferred | TrumpShown):
            held = step.before.hands[first.defender].bit_count()
            limit = in_force(step.before, held)
            assert first.limit == limit
        assert len(step.after.table) <= limit


def may_add(state: State) -> list[int]:
    """Who may add a card, from the options and from what everybody sees (3.7, 4 and 8)."""
    rules, defender = state.rules, state.defender or 0
    if rules.throw_in == "never" or (rules.throw_in == "on_take" and state.phase != TAKE):
        return []
    inside = [seat for seat in range(state.seats) if seat not in state.out]
    neighbour = min(set(inside) - {defender}, key=lambda seat: (seat - defender) % state.seats)
    scopes = {"leader": [state.attacker], "neighbours": [state.attacker, neighbour], "all": inside}
    return [
        seat
        for seat in inside
        if seat in scopes[rules.throw_in_scope]
        and seat not in (defender, *state.passed, *state.barred)
        and (rules.teams == "none" or (seat - defender) % 2)
        and state.hands[seat]
        and len(state.table) < state.limit
    ]


def waited_for(state: State) -> set[int]:
    """Who is to act, by the rulebook's 3.6 and 3.7, 4."""
    if state.phase == ATTACK:
        return {state.attacker or 0}
    anytime = state.rules.throw_in_timing == "anytime"
    adding = may_add(state)
    if state.phase == DEFEND:
        return {state.defender or 0, *(adding if anytime else ())}
    first = min(adding, key=lambda seat: (seat - (state.attacker or 0)) % state.seats)
    return set(adding) if anytime else {first}


@given(settings())
def test_4_4_4_progress_somebody_is_to_act_until_the_game_is_over(setting: Setting) -> None:
    count = 0
    for step in steps(setting):
        count += 1
        assert set(step.before.to_act) == waited_for(step.before)
        assert len(set(step.before.to_act)) == len(step.before.to_act)
        assert_goes_on(step)
    assert count <= setting.rules.rules.max_moves


@given(settings())
def test_4_4_5_while_the_talon_lasts_every_bout_begins_with_full_hands(setting: Setting) -> None:
    full = setting.rules.rules.hand_size
    for step in steps(setting):
        if step.before.phase == ATTACK and step.before.talon:
            assert all(hand.bit_count() >= full for hand in step.before.hands)


JAPANESE = [
    (name, seats)
    for name in ruleset_ids("bout")
    if "japanese" in name
    for seats in table_sizes(name)
]


@given(st.sampled_from(JAPANESE), st.sampled_from((36, 52)), st.integers(0, 10**6))
def test_4_4_6_K29_in_japanese_games_spades_leave_by_twos_and_the_durak_holds_one(
    table: tuple[str, int], deck_size: int, seed: int
) -> None:
    name, seats = table
    rules = compatible(name, {"deck_size": deck_size}, seats)
    *_, last = steps(Setting(rules, seats, seed, 0.3))
    state, result = last.after, last.after.result
    assert (state.discard & SUIT_MASK["S"]).bit_count() % 2 == 0
    assert result is not None
    if result.reason == "played_out":
        assert isinstance(result.durak, int)
        assert state.hands[result.durak] & SUIT_MASK["S"]


@given(settings())
def test_4_4_7_while_transfers_last_all_attack_cards_share_a_rank(setting: Setting) -> None:
    thrown = False
    for step in steps(setting):
        first = step.events[0]
        thrown = not isinstance(first, BoutOpened) and (thrown or isinstance(first, CardsThrownIn))
        after = step.after
        if after.phase == DEFEND and not thrown and not any(pair.beat for pair in after.table):
            assert len({pair.attack[0] for pair in after.table}) == 1
            assert len(after.table) <= len(SUITS)
        assert len(set(after.shown)) == len(after.shown)


@given(settings())
def test_4_4_9_places_are_a_permutation_with_one_durak_or_a_draw(setting: Setting) -> None:
    *_, last = steps(setting)
    state, result = last.after, last.after.result
    assert result is not None
    assert sorted(seat for group in result.places for seat in group) == list(range(setting.seats))
    assert result.draw == (result.durak is None)
    losers = result.durak if isinstance(result.durak, tuple) else (result.durak,)
    if setting.rules.rules.teams != "none" and result.durak is not None:
        assert {seat % 2 for seat in losers} == {losers[0] % 2}
        assert len(losers) * 2 == setting.seats
        winners = [seat for seat in state.out if seat not in losers]
        assert result.winner == winners[0]
        assert set(result.places[-1]) <= set(losers)
    elif result.durak is not None:
        assert result.places[-1] == losers
        assert all(len(group) == 1 for group in result.places)
        assert result.places[0] == (result.winner,)
    elif result.winner is not None:
        assert result.places[0] == (result.winner,)
    if result.reason == "played_out":
        assert {seat for seat, hand in enumerate(state.hands) if hand} <= set(losers)
        assert not state.talon
    final = {
        seat: 1 + sum(len(better) for better in result.places[:index])
        for index, group in enumerate(result.places)
        for seat in group
    }
    assert final.items() >= dict(state.places).items()


@given(settings())
def test_4_4_10_X07_replaying_the_stored_log_gives_the_live_game_at_every_version(
    setting: Setting,
) -> None:
    assert_replayed(setting)


# Ended by the limit of moves within a bout in which a seat shed its last card; and by a draw.
CUT_SHORT = Setting(compatible("throw_in", {"deck_size": 24, "max_moves": 60}), 4, 1, 0.3)
DRAWN = Setting(compatible("throw_in", {"deck_size": 24}), 2, 727, 0.0)


def test_the_examples_end_as_they_should() -> None:
    called = [
        event
        for step in steps(CALLED_BACK)
        for event in step.events
        if isinstance(event, WrongPlayCalled)
    ]
    assert any(event.returned for event in called)
    *_, cut_short = steps(CUT_SHORT)
    assert cut_short.after.result is not None
    assert cut_short.after.result.reason == "max_moves"
    assert cut_short.after.table
    assert cut_short.after.emptied
    *_, drawn = steps(DRAWN)
    assert drawn.after.result is not None
    assert drawn.after.result.draw


@given(settings())
@example(CUT_SHORT)
@example(DRAWN)
def test_a_returned_position_can_be_sent_back(setting: Setting) -> None:
    assert_positions_return(setting)


@given(settings())
def test_play_is_decide_and_evolve(setting: Setting) -> None:
    assert_played_as_decided(setting)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_game_is_determined_by_its_entropy_and_its_moves(seats: int) -> None:
    assert_determined(Setting(compatible("transfer", {}), seats, 7, 0.3))
