"""What the sentences on dealing and playing cards say, asked of the second reading alone.

The docstrings name the sentences: the ids in test names belong to tests of the engine.
"""

from typing import Any

import pytest

from tests.reference.shedding import Table, deal
from tests.reference.shedding.cards import pack
from tests.reference.shedding.rulesets import PRESETS, options_of
from tests.reference.shedding.trying import allowed, go, refusal, table_of

ORDERED = [f"{card}{suit}" for suit in "SHDC" for card in "6789TJQKA"]


def dealt(preset: str, first_cards: str, players: int, dealer: int, **changed: Any) -> Table:
    """A deal in which these cards lie on top of the pack."""
    top = first_cards.split()
    options = options_of(preset, **changed)
    rest = [card for card in pack(options["deck_size"]) if card not in top]
    return deal(top + rest, players, dealer, options)


class TestDeal:
    def test_the_dealers_last_card_opens(self) -> None:
        """A-04, A-05, A-06, A-07, U12: hands of 4, 4, 3, and the dealer's left plays."""
        table = deal(ORDERED, 3, 2, options_of("japanese_shedding"))
        assert table.hands == [
            ["6S", "9S", "QS", "6H"],
            ["7S", "TS", "KS", "7H"],
            ["8S", "JS", "AS"],
        ]
        assert table.discard_pile == ["8H"]
        assert table.talon == ORDERED[12:]
        assert (table.to_act, table.phase) == (0, "play")

    @pytest.mark.parametrize(
        ("card", "drawn", "to_act"), [("6D", 1, 1), ("7D", 2, 1), ("AD", 0, 1), ("KD", 0, 0)]
    )
    def test_the_opened_card_acts_on_the_next(self, card: str, drawn: int, to_act: int) -> None:
        """G10, U13: six, seven and ace of the dealer act on his left neighbour."""
        table = dealt("japanese_shedding", f"8S 8H 8D 9S 9H 9D TS TH TD JS JH {card}", 3, 2)
        assert [len(hand) for hand in table.hands] == [4 + drawn, 4, 3]
        assert table.to_act == to_act

    def test_the_opened_card_may_be_without_effect(self) -> None:
        """G10: `starter_effect` off."""
        cards = "8S 8H 8D 9S 9H 9D TS TH TD JS JH 7D"
        table = dealt("japanese_shedding", cards, 3, 2, starter_effect=False)
        assert (len(table.hands[0]), table.to_act) == (4, 0)

    def test_a_wild_opened_by_the_dealer(self) -> None:
        """U14, decision 25: the dealer names a suit before anybody plays."""
        table = dealt("mau_mau_jacks", "8S 8H 9S 9H TS TH QS QH KS KH AS JH", 2, 1)
        assert (table.to_act, table.phase) == (1, "name_suit")
        assert allowed(table) == {"name S", "name H", "name D", "name C"}
        assert refusal(table, "8H") == refusal(table, "draw") == "wrong_phase"
        go(table, "name C")
        assert (table.to_act, table.phase, table.named_suit) == (0, "play", "C")

    def test_without_a_starter(self) -> None:
        """C5-03, C5-04, C5-05, C5-06, U15: five each, nothing open, somebody plays first."""
        table = deal(ORDERED, 4, 0, options_of("mau_mau"), first=3)
        assert [len(hand) for hand in table.hands] == [5, 5, 5, 5]
        assert table.hands[1][:2] == ["6S", "TS"]
        assert (table.discard_pile, table.to_act, len(table.talon)) == ([], 3, 16)

    def test_the_top_of_the_deck_opens(self) -> None:
        """`starter=deck_top`: the dealer keeps all of his cards."""
        table = deal(ORDERED, 2, 1, options_of("mau_mau", starter="deck_top"), first=0)
        assert (table.discard_pile, len(table.talon)) == (["7H"], 24)
        assert ([len(hand) for hand in table.hands], table.to_act) == ([6, 5], 1)

    @pytest.mark.parametrize(
        ("preset", "each"), [("mau_mau_32", 5), ("mau_mau_jacks", 6), ("pharaoh", 4)]
    )
    def test_how_many_cards(self, preset: str, each: int) -> None:
        """C5-V2, C5-V3a, C5-V5a."""
        options = options_of(preset)
        table = deal(pack(options["deck_size"]), 2, 0, options, first=1)
        assert len(table.hands[1]) == each


class TestMatching:
    def test_by_suit_or_rank(self) -> None:
        """A-08, A-09, C5-08."""
        table = table_of("mau_mau", "9D KC 7S, 8C")
        assert refusal(table, "7S") == "no_match"
        assert refusal(table, "9D") is refusal(table, "KC") is None

    def test_a_first_card_follows_nothing(self) -> None:
        """C5-07, decision 20: anything may be played, drawing and passing are refused."""
        table = table_of("mau_mau", "9D QC, 8C", pile="", talon="9C")
        assert allowed(table) == {"9D", "QC", "QC:S", "QC:H", "QC:D", "QC:C"}
        assert refusal(table, "draw") == "draw_not_allowed"
        assert refusal(table, "pass") == "pass_not_allowed"

    def test_a_first_card_may_be_a_wild_even_if_it_is_for_the_stuck(self) -> None:
        """Decision 20 over A-17."""
        table = table_of("mau_mau", "9D QC, 8C", pile="", wild_condition="only_if_stuck")
        assert refusal(table, "QC:S") is None

    def test_a_wild_lies_on_anything(self) -> None:
        """C5-14, C5-15."""
        assert refusal(table_of("mau_mau", "QC 9D, 8C"), "QC") is None

    def test_only_who_is_stuck_may_play_a_wild(self) -> None:
        """A-17, G15, decision 15: one that fits anyway may always be played."""
        table = table_of("japanese_shedding", "QC QD 9D, 8C")
        assert refusal(table, "QC") == "wild_not_allowed"
        assert refusal(table, "QD:H") is None
        stuck = table_of("japanese_shedding", "QC QD 9S, 8C", talon="9H")
        assert refusal(stuck, "QC:H") is refusal(stuck, "draw") is None

    def test_a_penalty_card_may_block_wilds(self) -> None:
        """A-18: the other reading of the sentence is an option, without it nothing is blocked."""
        blocked = ["6", "7", "A"]
        assert refusal(table_of("japanese_shedding", "QD 9S, 8C", "7D"), "QD") is None
        table = table_of("japanese_shedding", "QD 9S, 8C", "7D", wild_blocked_on=blocked)
        assert refusal(table, "QD") == "wild_not_allowed"

    def test_the_jack_in_place_of_the_queen(self) -> None:
        """C5-V3b."""
        table = table_of("mau_mau_jacks", "JC QS, 8C")
        assert refusal(table, "QS") == "no_match"
        assert refusal(table, "JC:S") is None

    def test_suit_alone_but_for_sixes(self) -> None:
        """C5-V6a."""
        assert refusal(table_of("pentagon", "KC, 8C"), "KC") == "no_match"
        assert refusal(table_of("pentagon", "6C, 8C", "6D"), "6C") is None

    def test_without_wilds(self) -> None:
        """`wild=null`: queens are plain, and who holds one that fits may not draw."""
        table = table_of("mau_mau", "QD QC, 8C", talon="9C", wild=None)
        assert allowed(table) == {"QD"}
        assert refusal(table, "QD:S") == "suit_not_allowed"


class TestNamedSuit:
    def test_only_the_suit_or_a_wild(self) -> None:
        """C5-16, C5-17, decision 18: rank does not match under an order."""
        table = go(table_of("mau_mau", "QC 9D, QD 8C KH 7S"), "QC:H")
        assert allowed(table) >= {"KH", "QD", "QD:H"}
        assert refusal(table, "8C") == refusal(table, "7S") == "no_match"

    def test_without_an_order_the_wilds_own_suit(self) -> None:
        """Decision 22."""
        table = go(table_of("mau_mau", "QC 9D, QD 8C KH"), "QC")
        assert refusal(table, "KH") == "no_match"
        assert refusal(table, "8C") is refusal(table, "QD:H") is None

    def test_an_order_ends_with_the_card_that_follows(self) -> None:
        """C5-17: what follows is matched by suit and rank again."""
        table = go(table_of("mau_mau", "QC 9D, KH 8C, KS 9S"), "QC:H", "KH")
        assert table.named_suit is None
        assert refusal(table, "KS") is None

    def test_an_order_outlasts_those_who_cannot_follow(self) -> None:
        """3.6, decision 18: drawing, passing and turning over leave it in force."""
        hands, pile = "QC 9D, 8C KS, 8D TH", "9C 6C 6D"
        table = go(table_of("mau_mau_single_draw", hands, pile), "QC:H", "draw", "pass")
        assert (table.talon, table.discard_pile) == (["6C", "6D"], ["QC"])
        assert (table.named_suit, table.to_act) == ("H", 2)
        assert refusal(table, "8D") == "no_match"

    def test_only_wilds_name_suits(self) -> None:
        """Decision 22."""
        assert refusal(table_of("mau_mau", "9D, 8C"), "9D:H") == "suit_not_allowed"

    def test_the_next_one_skips_after_an_order(self) -> None:
        """C5-V6b, decision 22: only if a suit was named."""
        hands = "QC 9D, 8C KS, 8D 7H"
        assert go(table_of("pentagon", hands), "QC:H").to_act == 2
        assert go(table_of("pentagon", hands), "QC").to_act == 1


class TestEffects:
    @pytest.mark.parametrize(
        ("preset", "card", "drawn"),
        [
            ("japanese_shedding", "6D", 1),
            ("japanese_shedding", "7D", 2),
            ("mau_mau", "6D", 2),
            ("mau_mau", "7D", 1),
            ("mau_mau_32", "7D", 2),
            ("mau_mau_32", "8D", 1),
            ("crocodile", "KH", 5),
            ("mau_mau", "AD", 0),
        ],
    )
    def test_who_is_next_takes_and_skips(self, preset: str, card: str, drawn: int) -> None:
        """A-14, A-15, A-16, C5-11, C5-12, C5-13, C5-V2, C5-V7, K19."""
        hands = f"{card} 9S, TS JS, JC TC"
        table = go(table_of(preset, hands, talon="9D 9C 9H TH JH QH"), card)
        assert len(table.hands[1]) == 2 + drawn
        assert table.to_act == 2

    def test_the_drawn_cards_come_off_the_talon_in_order(self) -> None:
        """A-14: the next card first."""
        table = go(table_of("mau_mau", "6D 9S, TS JS", talon="9D 9C 9H"), "6D")
        assert (table.hands[1], table.talon) == (["TS", "JS", "9D", "9C"], ["9H"])

    def test_two_players_and_a_skip(self) -> None:
        """C5-13: the same player moves again."""
        assert go(table_of("mau_mau", "AD 9S, TS JS"), "AD").to_act == 0

    def test_a_penalty_takes_what_there_is(self) -> None:
        """Decision 24: the pile is turned over first, and the skip stays."""
        table = go(table_of("mau_mau", "6D 9S, TS JS, 8C", "9C KD", talon="9H"), "6D")
        assert table.hands[1] == ["TS", "JS", "9H", "9C"]
        assert (table.talon, table.discard_pile) == (["KD"], ["6D"])
        poor = go(table_of("mau_mau", "6D 9S, TS JS, 8C", "KD"), "6D")
        assert (poor.hands[1], poor.to_act) == (["TS", "JS", "KD"], 2)

    def test_a_last_card_acts_before_the_count(self) -> None:
        """G19: and does not if `last_card_effect` is off."""
        hands = "7D, 9C"
        table = go(table_of("mau_mau", hands, talon="8C TH"), "7D")
        assert table.snapshot()["points"] == {"0": 0, "1": 17}
        without = table_of("mau_mau", hands, talon="8C TH", last_card_effect=False)
        assert go(without, "7D").snapshot()["points"] == {"0": 0, "1": 9}

    def test_a_last_card_skips_the_next(self) -> None:
        """G19 where the game goes on."""
        hands = "AD, 9C 9S, TC TS"
        assert go(table_of("japanese_shedding", hands), "AD").to_act == 2
        off = table_of("japanese_shedding", hands, last_card_effect=False)
        assert go(off, "AD").to_act == 1


class TestStacking:
    def test_a_penalty_is_passed_on_by_rank(self) -> None:
        """`stacking`: suits and wilds do not help, and what is drawn adds up."""
        hands, talon = "7D 9S, 7S 8D QC, 9D 9C, 8C TH", "TC JH QH"
        table = go(table_of("mau_mau", hands, talon=talon, stacking="same_rank"), "7D")
        assert allowed(table) == {"7S", "draw"}
        assert refusal(table, "QC") == "wild_not_allowed"
        go(table, "7S")
        assert allowed(table) == {"draw"}
        go(table, "draw")
        assert (table.hands[2], table.to_act) == (["9D", "9C", "TC", "JH"], 3)

    def test_a_skip_is_accepted_by_passing(self) -> None:
        """`stacking`: which is no pass of his own (decision 19)."""
        hands = "AD 9S, 8D 9D, TD 9C"
        table = go(table_of("mau_mau", hands, stacking="same_rank"), "AD")
        assert allowed(table) == {"pass"}
        assert (go(table, "pass").to_act, table.passed) == (2, [])


class TestSeveralAces:
    def test_three_or_four_but_not_two(self) -> None:
        """A-19, decision 21: of four one may lay three."""
        table = table_of("japanese_shedding", "AD AC AS AH 9S, 8C")
        said = allowed(table)
        assert {"AD", "AD AC AS", "AD AH AS AC"} <= said
        assert refusal(table, "AD AC") == "multi_not_allowed"
        assert refusal(table, "AC AD AS") == "no_match"

    def test_one_opponent_an_ace(self) -> None:
        """G16: at most all of them, then the same player again."""
        hands = "AD AC AS 9S, 8C 8D, 9C 9D, TC TD, JC JD"
        table = go(table_of("japanese_shedding", hands), "AD AC AS")
        assert (table.to_act, table.discard_pile[-1]) == (4, "AS")
        few = go(table_of("japanese_shedding", "AD AC AS 9S, 8C 8D, 9C 9D"), "AD AC AS")
        assert few.to_act == 0

    def test_as_last_cards(self) -> None:
        """Decision 21: the skips are capped, then the next active seat plays."""
        hands = "AD AC AS, 8C 8D, 9C 9D"
        assert go(table_of("japanese_shedding", hands), "AD AC AS").to_act == 1

    def test_as_one(self) -> None:
        """G16: `ace_multi=single`."""
        hands = "AD AC AS 9S, 8C 8D, 9C 9D, TC TD"
        table = table_of("japanese_shedding", hands, ace_multi="single")
        assert go(table, "AD AC AS").to_act == 2

    def test_begun_with_a_drawn_one(self) -> None:
        """Decision 16."""
        table = table_of("japanese_shedding", "AC AS 9S, 8C", talon="AD 9H")
        go(table, "draw")
        assert refusal(table, "AD AC AS") is None
        assert refusal(table, "AC AD AS") == "only_drawn_card"


def test_every_preset_can_be_dealt_to_its_last_seat() -> None:
    """3.4, 3.5 (1): at least one card stays in the deck; U16 32 cards do not serve seven."""
    for preset in PRESETS:
        options = options_of(preset)
        for players in range(2, 7):
            cards = pack(options["deck_size"])
            if players * options["deal"] < len(cards):
                table = deal(cards, players, 0, options)
                held = sum(map(len, table.hands)) + len(table.discard_pile)
                assert held + len(table.talon) == len(cards)
