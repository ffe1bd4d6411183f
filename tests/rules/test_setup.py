"""Who deals, what is dealt to whom, what is trump, who attacks first."""

from collections.abc import Sequence

import pytest

from games.rules import engine
from games.rules.bout.beating import beating
from games.rules.cards import pack, to_set
from games.rules.events import (
    AttackerNamed,
    CardsDealt,
    CardsRedealt,
    Event,
    GameStarted,
    Previous,
    TrumpTurned,
)
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.rules.deals import deal, first, stacked
from tests.rules.tables import counts, hand

# Twelve cards without a heart, then the seven of hearts as turn-up.
NO_TRUMP = first("6S 6D 6C 7S 7D 7C 8S 8D 8C 9S 9D 9C 7H")
WON_BY_2 = Previous(dealer=0, durak=1, winner=2, draw=False)
DRAWN = Previous(dealer=0, durak=None, winner=None, draw=True)


def named(events: Sequence[Event]) -> AttackerNamed:
    found = events[-1]
    assert isinstance(found, AttackerNamed)
    return found


def lot(number: int = 0) -> Entropy:
    return Entropy(number.to_bytes(32, "big"), "game", ())


def test_U01_cards_go_round_one_at_a_time_from_the_dealers_left() -> None:
    order = first("", 36)[::-1]
    state, events = deal(stacked(order, dealer=2), seats=3)
    assert events[0] == GameStarted(dealer=2)
    for seat in range(3):
        assert state.hands[seat] == to_set(order[seat:18:3])
    assert state.turn_up == order[18]
    assert state.talon == (*order[19:], order[18])


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_B03_C1_05_C1_06_C2_01_C2_04_six_cards_each_at_any_table(seats: int) -> None:
    state, _ = deal(lot(), seats=seats)
    assert counts(state) == (6,) * seats
    assert len(state.talon) == 36 - 6 * seats


@pytest.mark.parametrize(("dealer", "left"), [(0, 1), (1, 2), (2, 0)])
def test_C1_06_the_first_card_goes_to_the_dealers_left(dealer: int, left: int) -> None:
    state, _ = deal(stacked(first("KS AD"), dealer=dealer), seats=3)
    assert "KS" in hand(state, left)
    assert "AD" in hand(state, (left + 1) % 3)


def test_B04_B05_C1_07_C2_05_K2_the_next_card_shows_the_trump_and_is_drawn_last() -> None:
    state, events = deal(stacked(NO_TRUMP, dealer=0))
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert turned == TrumpTurned(card="7H", suit="H")
    assert (state.trump, state.turn_up, state.talon[-1]) == ("H", "7H", "7H")


def test_U02_B06_C1_08_C2_06_the_lowest_trump_attacks_first_and_is_shown() -> None:
    dealt = first("7H 6S 8H 6H 7S 7D 7C 8S 8D 8C 9S 9D 9C TS TD TC JS JD KH")
    state, events = deal(stacked(dealt, dealer=2), seats=3)
    assert named(events).seat == state.attacker == 0
    assert named(events).card == "6H"
    assert named(events).reason == "lowest_trump"
    assert state.to_act == (0,)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_B06_nobody_holds_a_lower_trump_than_the_first_attacker(seats: int) -> None:
    for number in range(30):
        state, events = deal(lot(number), seats=seats)
        trumps = [card for card in pack(36) if card[1] == state.trump]
        holders = [
            (card, seat)
            for card in trumps
            for seat in range(seats)
            if card in hand(state, seat).split()
        ]
        expected = holders[0] if holders else (None, (state.dealer + 1) % seats)
        assert (named(events).card, named(events).seat) == expected


@pytest.mark.parametrize(("dealer", "left"), [(0, 1), (1, 0)])
def test_U03_G1_without_a_trump_the_dealers_left_attacks(dealer: int, left: int) -> None:
    state, events = deal(stacked(NO_TRUMP, dealer=dealer))
    assert named(events).seat == state.attacker == left
    assert named(events).card is None
    assert named(events).reason == "dealer_left"


def test_G1_without_a_trump_chance_may_decide() -> None:
    state, events = deal(stacked(NO_TRUMP, dealer=0, attacker=0), no_trump_first="random")
    assert named(events).reason == "random"
    assert state.attacker == 0


def test_G1_without_a_trump_the_cards_may_be_dealt_anew() -> None:
    again = first("6H 6S")
    entropy = stacked(NO_TRUMP, NO_TRUMP, again, dealer=0)
    state, events = deal(entropy, no_trump_first="redeal")
    assert [type(event) for event in events] == [
        GameStarted,
        *[CardsDealt, TrumpTurned, CardsRedealt] * 2,
        *[CardsDealt, TrumpTurned, AttackerNamed],
    ]
    assert "6H" in hand(state, 1)
    assert counts(state) == (6, 6)


@pytest.mark.parametrize(
    ("rule", "attacker"), [("random", 2), ("dealer_left", 1), ("lowest_trump", 0)]
)
def test_first_attacker_is_the_tables_choice(rule: str, attacker: int) -> None:
    dealt = first("7S 8S 6H 9S TS JS QS KS AS 7D 8D 9D 7C 8C 9C TC JC QC KH")
    entropy = stacked(dealt, dealer=0, attacker=2)
    _, events = deal(entropy, seats=3, first_attacker=rule)
    assert (named(events).seat, named(events).reason) == (attacker, rule)


def test_U04_G2_with_nothing_left_the_dealers_last_card_is_trump_and_stays_his() -> None:
    order = first("", 36)
    state, events = deal(stacked(order, dealer=3), seats=6)
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert turned == TrumpTurned(card=order[-1], suit=order[-1][1], seat=3)
    assert (state.talon, state.turn_up, state.trump) == ((), None, order[-1][1])
    assert order[-1] in hand(state, 3)
    assert counts(state) == (6,) * 6


@pytest.mark.parametrize(("deck", "seats", "hand_size"), [(24, 4, 6), (52, 6, 8), (24, 2, 8)])
def test_K17_any_table_that_the_pack_can_serve_is_dealt(
    deck: int, seats: int, hand_size: int
) -> None:
    state, _ = deal(lot(), seats=seats, deck_size=deck, hand_size=hand_size)
    assert counts(state) == (hand_size,) * seats
    assert len(state.talon) == deck - seats * hand_size


@pytest.mark.parametrize(("rule", "dealer"), [("lot", 1), ("last_seat", 2)])
def test_first_dealer_is_by_lot_or_the_last_seat(rule: str, dealer: int) -> None:
    state, _ = deal(stacked(first(""), dealer=1), seats=3, first_dealer=rule)
    assert state.dealer == dealer


def test_every_seat_may_be_the_first_dealer_by_lot() -> None:
    assert {deal(lot(number), seats=3)[0].dealer for number in range(40)} == {0, 1, 2}


@pytest.mark.parametrize("ruleset_id", ["simple", "throw_in", "transfer"])
def test_U09_B07_K1_the_winner_of_the_last_game_attacks_first(ruleset_id: str) -> None:
    _, events = deal(lot(), seats=3, ruleset_id=ruleset_id, previous=WON_BY_2)
    assert (named(events).seat, named(events).reason) == (2, "previous_winner")
    assert named(events).card is None


@pytest.mark.parametrize("ruleset_id", ruleset_ids("bout"))
def test_U09_G11_after_a_draw_the_lowest_trump_attacks_first(ruleset_id: str) -> None:
    _, events = deal(lot(), seats=4, ruleset_id=ruleset_id, previous=DRAWN)
    assert named(events).reason == "lowest_trump"


def test_G11_who_went_out_before_the_others_drew_does_not_lead_by_it() -> None:
    drawn = Previous(dealer=0, durak=None, winner=2, draw=True)
    _, events = deal(lot(), seats=3, previous=drawn)
    assert named(events).reason == "lowest_trump"


@pytest.mark.parametrize(
    "ruleset_id", ["throw_in_article", "transfer_article", "online_throw_in", "online_transfer"]
)
def test_C1_08_K1_in_other_presets_the_lowest_trump_opens_every_game(ruleset_id: str) -> None:
    _, events = deal(lot(), seats=3, ruleset_id=ruleset_id, previous=WON_BY_2)
    assert named(events).reason == "lowest_trump"


@pytest.mark.parametrize("rule", ["dealer_left", "random"])
def test_K1_how_the_first_game_opens_does_not_open_the_next(rule: str) -> None:
    _, events = deal(lot(), seats=3, previous=DRAWN, first_attacker=rule)
    assert named(events).reason == "lowest_trump"


@pytest.mark.parametrize(
    ("rule", "fool", "leader", "defender"),
    [
        ("attack_the_fool", 1, 0, 1),
        ("attack_the_fool", 0, 3, 0),
        ("from_under_fool", 1, 2, 3),
        ("from_under_fool", 3, 0, 1),
    ],
)
def test_U10_K1_the_durak_is_attacked_or_his_left_neighbour_leads(
    rule: str, fool: int, leader: int, defender: int
) -> None:
    last = Previous(dealer=0, durak=fool, winner=2, draw=False)
    state, events = deal(lot(), seats=4, previous=last, next_first_attacker=rule)
    assert (state.attacker, state.defender) == (leader, defender)
    assert named(events).reason == rule


@pytest.mark.parametrize("rule", ["attack_the_fool", "from_under_fool"])
def test_K1_without_a_durak_the_lowest_trump_leads(rule: str) -> None:
    _, events = deal(lot(), seats=3, previous=DRAWN, next_first_attacker=rule)
    assert named(events).reason == "lowest_trump"


def test_U11_C1_04_C1_11_the_loser_deals_and_the_deal_starts_at_his_left() -> None:
    state, events = deal(stacked(first("KS AD 6H")), seats=3, previous=WON_BY_2)
    assert events[0] == GameStarted(dealer=1)
    assert "KS" in hand(state, 2)


@pytest.mark.parametrize(
    ("rule", "previous", "dealer"), [("rotate", WON_BY_2, 1), ("loser", DRAWN, 1)]
)
def test_the_deal_goes_round_by_choice_or_without_a_loser(
    rule: str, previous: Previous, dealer: int
) -> None:
    state, _ = deal(lot(), seats=3, previous=previous, next_dealer=rule)
    assert state.dealer == dealer


def test_rotating_goes_on_from_the_last_dealer_past_the_last_seat() -> None:
    last = Previous(dealer=2, durak=1, winner=0, draw=False)
    assert deal(lot(), seats=3, previous=last, next_dealer="rotate")[0].dealer == 0


def test_C1_03_K15_nobody_cuts_the_dealt_order_is_the_shuffled_one() -> None:
    entropy = lot(5)
    _, events = deal(entropy, seats=3, first_dealer="last_seat")
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    rounds = [card for cards in zip(*dealt.hands, strict=True) for card in cards]
    assert (*rounds, dealt.talon[-1], *dealt.talon[:-1]) == entropy.shuffled(pack(36), "deal")


def test_U17_a_talon_of_nothing_but_spades_makes_them_trump_and_their_rule_is_off() -> None:
    rules = ruleset("throw_in", {"self_only_suit": "S", "hand_size": 7}, 5).rules
    trumps = set()
    for seed in range(24):
        entropy = Entropy(bytes([seed]) * 32, "spades", (b"",) * 5)
        state = engine.fold(engine.empty_state(rules, 5), engine.start(rules, 5, entropy))
        assert isinstance(state, State)
        assert (state.turn_up, state.trump) == (state.talon[0], state.talon[0][1])
        beaten_by_trump = beating(state)["AS"] & to_set(["6" + state.trump])
        assert not beaten_by_trump
        assert bool(beating(state)["7D"] & to_set(["6S"])) == (state.trump == "S")
        trumps.add(state.trump)
    assert "S" in trumps
    assert len(trumps) > 1
