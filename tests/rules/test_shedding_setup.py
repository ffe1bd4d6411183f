"""Before the first turn of a shedding game: dealer, deal, first player, the opened card."""

from typing import Any

import pytest

from games.rules import engine
from games.rules.cards import pack
from games.rules.errors import InvalidOptions
from games.rules.events import (
    CardsDealt,
    CardsDrawn,
    Event,
    FirstPlayerNamed,
    GameStarted,
    Previous,
    SeatSkipped,
    StarterOpened,
)
from games.rules.rulesets.registry import players_range, ruleset, ruleset_ids
from games.rules.shedding.state import SheddingState
from games.rules.shuffle import Entropy
from tests.rules import deals
from tests.rules.deals import first, stacked
from tests.rules.piles import lay, name, table, told
from tests.rules.tables import counts, offered, refusal

WON_BY_2 = Previous(dealer=0, durak=1, winner=2, draw=False)
NOBODY_LOST = Previous(dealer=0, durak=None, winner=2, draw=False)
DRAWN = Previous(dealer=0, durak=None, winner=None, draw=True)


def deal(
    cards: str = "",
    *,
    ruleset_id: str = "mau_mau",
    seats: int = 3,
    dealer: int | None = None,
    begins: int = 0,
    **more: Any,
) -> tuple[SheddingState, tuple[Event, ...]]:
    """A deal from a pack that begins with these cards, by the last seat unless told otherwise."""
    size = more.get("deck_size", ruleset(ruleset_id).rules.deck_size)
    numbers = {"dealer": seats - 1 if dealer is None else dealer, "first_player": begins}
    chance = stacked(first(cards, size), **numbers)
    state, events = deals.deal(chance, ruleset_id=ruleset_id, seats=seats, **more)
    assert isinstance(state, SheddingState)
    return state, events


def one(kind: type[Event], events: tuple[Event, ...]) -> Any:
    """The one event of a kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def test_U12_A05_A06_A07_K23_the_dealer_opens_his_fourth_card() -> None:
    cards = "6S 8S 9S 6H 8H 9H 6C 8C 9C 7D TD KD JD"
    state, events = deal(cards, ruleset_id="japanese_shedding")
    assert one(CardsDealt, events).hands[2] == ("9S", "9H", "9C", "KD")
    assert counts(state) == (4, 4, 3)
    assert state.pile == ("KD",)
    assert state.talon[0] == "JD"
    assert one(StarterOpened, events).seat == 2
    assert state.to_act == (0,)


def test_U13_A06_A15_G10_an_opened_seven_acts_on_the_next_player() -> None:
    cards = "6S 8S 9S 6H 8H 9H 6C 8C 9C TD JD 7D KD QD"
    state, events = deal(cards, ruleset_id="japanese_shedding")
    assert counts(state) == (6, 4, 3)
    assert one(CardsDrawn, events) == CardsDrawn(seat=0, cards=("KD", "QD"), penalty=True)
    assert one(SeatSkipped, events).seat == 0
    assert events[-1].next is not None
    assert state.to_act == (1,)


def test_G10_without_the_effect_an_opened_card_only_lies_there() -> None:
    cards = "6S 8S 9S 6H 8H 9H 6C 8C 9C TD JD 7D KD QD"
    state, _ = deal(cards, ruleset_id="japanese_shedding", starter_effect=False)
    assert counts(state) == (4, 4, 3)
    assert state.to_act == (0,)


def jack_opened(**more: Any) -> SheddingState:
    """Seat 2 dealt six cards each and opened a jack."""
    others = [card for card in pack(36) if card not in ("JD", "9H")][:17]
    return deal(" ".join((*others, "JD", "9H")), ruleset_id="mau_mau_jacks", **more)[0]


def test_U14_C5_V3a_D_25_G10_the_dealer_names_a_suit_for_an_opened_jack() -> None:
    state = jack_opened()
    assert counts(state) == (6, 6, 5)
    assert (state.phase, state.to_act) == ("name_suit", (2,))
    assert offered(state, 2) == {"name_suit"}
    state, events = told(state, (2, name("H")))
    assert (state.named_suit, state.to_act, state.phase) == ("H", (0,), "play")
    assert len(events) == 1


def test_D_25_a_suit_must_be_named_and_nothing_else_done() -> None:
    state = jack_opened()
    assert refusal(state, 2, name(None)) == "suit_required"
    assert refusal(state, 2, lay("9H")) == "wrong_phase"
    assert refusal(state, 0, name("H")) == "not_your_turn"
    assert refusal(table("8D 9H", "8C 9S"), 0, name("H")) == "wrong_phase"


def test_D_25_without_the_effect_nobody_names_a_suit() -> None:
    state = jack_opened(starter_effect=False)
    assert (state.phase, state.to_act, state.named_suit) == ("play", (0,), None)


def test_D_25_where_naming_skips_the_first_player_misses_his_turn() -> None:
    state, events = told(jack_opened(order_skips_next=True), (2, name("S")))
    assert state.to_act == (1,)
    assert isinstance(events[-1], SeatSkipped)


def test_the_opened_card_may_be_the_talons_first() -> None:
    state, events = deal("6S 8S 6H 8H 9H TH KD", seats=2, deal=3, starter="deck_top", begins=1)
    assert one(StarterOpened, events).seat is None
    assert counts(state) == (3, 3)
    assert state.pile == ("KD",)
    assert len(state.talon) == 29


def test_an_opened_penalty_may_be_passed_on_where_that_is_agreed() -> None:
    cards = "6S 8S 9S 6H 8H 9H 6C 8C 9C TD JD 7D KD QD"
    state, _ = deal(cards, ruleset_id="japanese_shedding", stacking="same_rank")
    assert state.pending is not None
    assert (state.pending.draw, state.to_act) == (2, (0,))
    assert counts(state) == (4, 4, 3)


def test_A04_A06_C1_04_the_loser_of_the_last_game_deals_the_next() -> None:
    _, events = deal(ruleset_id="japanese_shedding", previous=WON_BY_2)
    assert events[0] == GameStarted(dealer=1)
    assert one(FirstPlayerNamed, events).seat == 2


@pytest.mark.parametrize(
    ("rule", "previous", "dealer"),
    [
        ("loser", WON_BY_2, 1),
        ("loser", NOBODY_LOST, 1),
        ("rotate", WON_BY_2, 1),
        ("winner", WON_BY_2, 2),
        ("winner", DRAWN, 1),
    ],
)
def test_who_deals_the_next_game(rule: str, previous: Previous, dealer: int) -> None:
    _, events = deal(previous=previous, next_dealer=rule)
    assert events[0] == GameStarted(dealer=dealer)


def test_first_dealer_may_be_the_last_seat() -> None:
    assert deal(dealer=0, first_dealer="last_seat")[0].dealer == 2
    assert deal(dealer=0)[0].dealer == 0


def test_C5_02_C5_03_C5_04_C5_05_K23_five_cards_each_no_trump_and_nothing_opened() -> None:
    state, events = deal("6S 8S 9S 6H 8H 9H")
    assert counts(state) == (5, 5, 5)
    assert len(state.talon) == 21
    assert state.pile == ()
    assert one(CardsDealt, events).hands[0][:2] == ("6S", "6H")
    assert not any("trump" in type(event).__name__.lower() for event in events)


@pytest.mark.parametrize("begins", [0, 1, 2])
def test_U15_C5_06_chance_names_the_first_player_of_the_first_game(begins: int) -> None:
    state, events = deal(begins=begins)
    assert one(FirstPlayerNamed, events) == FirstPlayerNamed(
        seat=begins, reason="random", next=events[-1].next
    )
    assert state.to_act == (begins,)


def test_U15_C5_06_then_the_last_winner_begins() -> None:
    state, events = deal(previous=WON_BY_2)
    assert (state.to_act, one(FirstPlayerNamed, events).reason) == ((2,), "previous_winner")
    assert deal(previous=DRAWN, begins=1)[0].to_act == (1,)


@pytest.mark.parametrize("ruleset_id", ["japanese_shedding", "mau_mau_jacks", "hundred_one"])
def test_A07_C5_V3a_the_dealers_left_begins_every_game_that_he_opens(ruleset_id: str) -> None:
    cards = " ".join(card for card in pack(36) if card[0] in "89TKQ")
    state, _ = deal(cards, ruleset_id=ruleset_id, previous=WON_BY_2)
    assert (state.dealer, state.to_act) == (1, (2,))


def test_K15_nobody_cuts_the_dealt_order_is_the_shuffled_one() -> None:
    chance = Entropy(bytes(32), "game", ())
    state, events = deals.deal(chance, ruleset_id="mau_mau", seats=3, first_dealer="last_seat")
    rounds = [card for cards in zip(*one(CardsDealt, events).hands, strict=True) for card in cards]
    assert (*rounds, *state.talon) == chance.shuffled(pack(36), "deal")


def test_U16_more_hands_than_the_pack_has_cards_are_refused() -> None:
    with pytest.raises(InvalidOptions) as raised:
        ruleset("mau_mau_32", {}, 7)
    assert "players" in raised.value.errors


@pytest.mark.parametrize(
    ("ruleset_id", "options", "most"),
    [
        ("mau_mau", {}, 6),
        ("mau_mau", {"deal": 6}, 5),
        ("mau_mau", {"deal": 7, "starter": "deck_top"}, 4),
        ("mau_mau", {"deal": 7}, 5),
        ("mau_mau_32", {"deal": 6}, 5),
        ("mau_mau_jacks", {}, 5),
        ("mau_mau", {"deck_size": 52, "deal": 7}, 6),
    ],
)
def test_K17_a_card_must_be_left_to_draw(
    ruleset_id: str, options: dict[str, Any], most: int
) -> None:
    assert players_range(ruleset(ruleset_id, options).rules) == (2, most)
    if most < 6:
        with pytest.raises(InvalidOptions) as raised:
            ruleset(ruleset_id, options, most + 1)
        assert set(raised.value.errors) == {"players", "deal", "deck_size"}


@pytest.mark.parametrize("ruleset_id", ruleset_ids("shedding"))
def test_every_preset_is_dealt_to_every_table(ruleset_id: str) -> None:
    low, high = players_range(ruleset(ruleset_id).rules)
    for seats in range(low, high + 1):
        rules = ruleset(ruleset_id, players=seats).rules
        events = engine.start(rules, seats, Entropy(bytes(32), ruleset_id, ()))
        state = engine.fold(engine.empty_state(rules, seats), events)
        assert state.to_act
        assert state.talon
