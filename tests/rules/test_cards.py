"""Cards, packs, and what beats what."""

from itertools import pairwise, product

import pytest

from games.rules.cards import (
    CARDS,
    RANKS,
    SUITS,
    beaters,
    lowest,
    pack,
    parse_card,
    ranks_of,
    to_cards,
    to_set,
)


def beats(card: str, target: str, trump: str | None = "H", self_only: str | None = None) -> bool:
    return card in to_cards(beaters(trump, self_only)[target])


@pytest.mark.parametrize(("size", "low"), [(24, "9"), (32, "7"), (36, "6"), (52, "2")])
def test_B02_C1_02_a_pack_holds_every_card_from_its_lowest_rank_up(size: int, low: str) -> None:
    ranks = RANKS[RANKS.index(low) :]
    assert pack(size) == tuple(rank + suit for rank in ranks for suit in SUITS)
    assert len(pack(size)) == size


def test_C2_02_the_usual_pack_has_thirty_six_cards() -> None:
    assert len(set(pack(36))) == 36


def test_C2_03_ranks_ascend_from_six_to_ace() -> None:
    spades = [card for card in pack(36) if card.endswith("S")]
    assert spades == ["6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"]
    for low, high in pairwise(spades):
        assert beats(high, low)
        assert not beats(low, high)


@pytest.mark.parametrize("trump", [*SUITS, None])
def test_C1_14_higher_of_the_suit_or_a_trump_beats_and_nothing_else(trump: str | None) -> None:
    for target, card in product(CARDS, CARDS):
        higher = card[1] == target[1] and RANKS.index(card[0]) > RANKS.index(target[0])
        trumps = card[1] == trump and target[1] != trump
        assert beats(card, target, trump) == (higher or trumps)


def test_C2_14_K11_a_higher_card_of_another_plain_suit_does_not_beat() -> None:
    assert not beats("AC", "6S")


def test_C2_15_a_trump_is_beaten_by_a_higher_trump_only() -> None:
    assert to_cards(beaters("H", None)["KH"]) == ("AH",)
    assert to_cards(beaters("H", None)["AH"]) == ()


def test_C2_05_the_lowest_trump_beats_the_ace_of_another_suit() -> None:
    assert beats("2H", "AS")


def test_a_protected_suit_is_beaten_by_itself_alone() -> None:
    assert to_cards(beaters("D", "S")["QS"]) == ("KS", "AS")
    assert beats("6D", "AC", "D", "S")


@pytest.mark.parametrize(
    ("text", "card"), [("6S", "6S"), ("td", "TD"), ("10D", "TD"), ("10h", "TH"), ("aC", "AC")]
)
def test_a_card_is_read_in_either_case_and_with_ten_in_figures(text: str, card: str) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "??", "1S", "6", "S6", "6X", "6SS", " 6S", "106S", "6\u2660"])
def test_what_is_not_a_card_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)


def test_a_long_text_is_not_echoed_whole() -> None:
    with pytest.raises(ValueError, match="not a card") as raised:
        parse_card("6" * 5000)
    assert len(str(raised.value)) < 60


def test_sets_hold_what_was_put_in_lowest_first() -> None:
    assert to_cards(to_set(("AD", "6S", "TH", "6S"))) == ("6S", "TH", "AD")
    assert to_cards(0) == ()
    assert to_cards(to_set(CARDS)) == CARDS
    assert lowest(to_set(("AD", "7H", "7S"))) == "7S"
    assert to_cards(ranks_of(("6S", "AD"))) == ("6S", "6H", "6D", "6C", "AS", "AH", "AD", "AC")


@pytest.mark.parametrize("text", ["6ſ", "６S", "6S\u200b", "10ſ", "k♠"])
def test_only_plain_letters_name_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)
