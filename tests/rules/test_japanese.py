"""Japanese durak: diamonds are always trump, and only a spade beats a spade."""

import pytest

from games.rules.cards import RANKS, pack, to_cards
from games.rules.errors import InvalidOptions
from games.rules.events import AttackerNamed, CardsDealt, GameStarted, Previous, TrumpTurned
from games.rules.rulesets.registry import ruleset
from games.rules.shuffle import Entropy
from tests.rules.deals import deal, first, stacked
from tests.rules.playing import Setting, steps
from tests.rules.tables import PASS, TAKE, attack, beat, play, refusal, table, throw_in

JAPANESE = "throw_in.japanese"
DRAWN = "throw_in.japanese_drawn_diamond"


def test_B33_K18_diamonds_are_trump_and_only_a_spade_beats_a_spade() -> None:
    state = play(table("9S 9C", "TD KS 6D 7H", trump="D", ruleset_id=JAPANESE), (0, attack("9S")))
    assert refusal(state, 1, beat("9S", "TD")) == "cannot_beat"
    assert play(state, (1, beat("9S", "KS"))).phase == "throw_in"


@pytest.mark.parametrize("size", [36, 52])
def test_C4_01_C4_03_C4_06_six_cards_each_of_36_or_52_from_the_lowest_rank_to_the_ace(
    size: int,
) -> None:
    state, _ = deal(Entropy(bytes(32), "game", ()), ruleset_id=JAPANESE, deck_size=size)
    assert [hand.bit_count() for hand in state.hands] == [6, 6]
    assert len(state.talon) == size - 12
    ranks = {card[0] for card in pack(size)}
    assert ranks == set(RANKS[13 - size // 4 :])


@pytest.mark.parametrize("seats", range(2, 7))
def test_C4_02_two_to_six_players_play_to_the_end(seats: int) -> None:
    played = list(steps(Setting(ruleset(JAPANESE, {}, seats), seats, 1, 0.3)))
    assert [hand.bit_count() for hand in played[0].before.hands] == [6] * seats
    assert {step.seat for step in played} == set(range(seats))
    assert played[-1].after.result is not None


@pytest.mark.parametrize("seats", [1, 7])
def test_C4_02_fewer_or_more_do_not(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="players"):
        ruleset(JAPANESE, {}, seats)


def test_C4_05_a_pack_that_need_not_be_cut_is_dealt_as_it_was_shuffled() -> None:
    entropy = Entropy(bytes(32), "game", ())
    _, events = deal(entropy, seats=3, ruleset_id=JAPANESE)
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    rounds = [card for cards in zip(*dealt.hands, strict=True) for card in cards]
    left = events[0].dealer + 1 if isinstance(events[0], GameStarted) else 0
    clockwise = [dealt.hands[(left + step) % 3][row] for row in range(6) for step in range(3)]
    assert sorted(clockwise) == sorted(rounds)
    assert (*clockwise, *dealt.talon) == entropy.shuffled(pack(36), "deal")


def test_C4_04_the_first_dealer_by_lot_later_the_loser() -> None:
    lost = Previous(dealer=0, durak=2, winner=1, draw=False)
    first_game, _ = deal(stacked(first(""), dealer=1), seats=3, ruleset_id=JAPANESE)
    next_game, _ = deal(stacked(first("")), seats=3, ruleset_id=JAPANESE, previous=lost)
    assert (first_game.dealer, next_game.dealer) == (1, 2)


def test_C4_07_C4_08_U07_no_card_is_open_and_diamonds_are_trump() -> None:
    state, events = deal(Entropy(bytes(32), "game", ()), ruleset_id=JAPANESE, deck_size=52)
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert (turned.suit, turned.card, turned.drawn) == ("D", None, ())
    assert (state.trump, state.turn_up) == ("D", None)


def drawn_first(cards: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A pack for two players whose talon begins with these cards, and the rest of that talon."""
    hands = [card for card in pack(36) if card not in cards.split() and card[1] != "D"][:12]
    order = first(" ".join([*hands, *cards.split()]))
    return order, order[12:]


def test_C4_09_C4_10_G8_D_10_U08_cards_are_drawn_until_a_diamond_which_lies_open() -> None:
    order, talon = drawn_first("9S KH 7D")
    entropy = stacked(order, dealer=0)
    rest = tuple(card for card in talon if card != "7D")
    entropy.orders["talon"] = tuple(reversed(rest))
    state, events = deal(entropy, ruleset_id=DRAWN)
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert (turned.drawn, turned.card, turned.suit) == (("9S", "KH"), "7D", "D")
    assert state.talon == (*reversed(rest), "7D")
    assert state.turn_up == "7D"


def test_D_10_without_a_diamond_in_the_talon_no_card_is_open_and_diamonds_are_trump() -> None:
    diamonds = [card for card in pack(24) if card[1] == "D"]
    others = [card for card in pack(24) if card[1] != "D"]
    order = (*diamonds, *others)
    entropy = stacked(order, dealer=0)
    entropy.orders["talon"] = tuple(reversed(order[12:]))
    state, events = deal(entropy, ruleset_id=DRAWN, deck_size=24)
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert (turned.drawn, turned.card) == (order[12:], None)
    assert (state.trump, state.turn_up) == ("D", None)
    assert state.talon == tuple(reversed(order[12:]))


def test_C4_11_the_lowest_diamond_attacks_first() -> None:
    state, events = deal(Entropy(b"3" * 32, "game", ()), seats=3, ruleset_id=JAPANESE)
    named = events[-1]
    assert isinstance(named, AttackerNamed)
    diamonds = [card for hand in state.hands for card in to_cards(hand) if card[1] == "D"]
    assert named.card == min(diamonds, key=lambda card: RANKS.index(card[0]))
    assert named.card in to_cards(state.hands[named.seat])


def test_C4_12_the_first_attack_may_be_made_with_any_card() -> None:
    state = table("9S 6D AC", "TS KS 7H", trump="D", ruleset_id=JAPANESE)
    for card in ("9S", "6D", "AC"):
        assert play(state, (0, attack(card))).table[0].attack == card


def test_C4_13_C4_14_a_higher_card_of_the_suit_or_a_trump_but_spades_only_by_spades() -> None:
    state = table("9C AS 9S", "TC 6D KS TS", trump="D", ruleset_id=JAPANESE)
    club = play(state, (0, attack("9C")))
    assert play(club, (1, beat("9C", "TC"))).phase == "throw_in"
    assert play(club, (1, beat("9C", "6D"))).phase == "throw_in"
    assert refusal(club, 1, beat("9C", "TS")) == "cannot_beat"
    ace = play(state, (0, attack("AS")))
    assert refusal(ace, 1, beat("AS", "6D")) == "cannot_beat"


def test_C4_15_throwing_in_taking_and_bito_are_those_of_throw_in_durak() -> None:
    state = play(
        table("9C 9S 6C", "TC KS 7H 8H", trump="D", ruleset_id=JAPANESE),
        (0, attack("9C")),
        (1, beat("9C", "TC")),
    )
    thrown = play(state, (0, throw_in("9S")))
    assert play(thrown, (1, TAKE), (0, PASS)).attacker == 0
    assert play(state, (0, PASS)).attacker == 1


def test_K29_with_an_even_number_of_spades_the_game_may_be_drawn() -> None:
    *_, last = steps(Setting(ruleset(JAPANESE, {"deck_size": 24}, 3), 3, 268, 0.0))
    assert last.after.result is not None
    assert (last.after.result.draw, last.after.result.reason) == (True, "played_out")


def test_K29_the_last_spade_is_beaten_by_none_so_somebody_keeps_one() -> None:
    spades = [card for card in pack(36) if card[1] == "S"]
    assert len(spades) % 2 == len([card for card in pack(52) if card[1] == "S"]) % 2 == 1
    state = table("AS", "6D", trump="D", ruleset_id=JAPANESE)
    over = play(state, (0, attack("AS")), (1, TAKE))
    assert over.result is not None
    assert (over.result.durak, over.result.draw) == (1, False)


def test_U17_a_spade_is_not_turned_up_where_only_spades_beat_spades() -> None:
    others = [card for card in pack(36) if card[1] != "S"]
    order = first(" ".join([*others[:12], "9S", "KH"]))
    entropy = stacked(order, dealer=0)
    rest = tuple(card for card in order[12:] if card != "KH")
    entropy.orders["talon"] = rest
    state, events = deal(entropy, self_only_suit="S")
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert (turned.drawn, turned.card) == (("9S",), "KH")
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    assert dealt.talon == state.talon == (*rest, "KH")
