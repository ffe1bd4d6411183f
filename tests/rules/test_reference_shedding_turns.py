"""What the sentences on drawing and on the end of a game say, asked of the second reading alone.

The docstrings name the sentences: the ids in test names belong to tests of the engine.
"""

import pytest

from tests.reference.shedding import Refused
from tests.reference.shedding.trying import allowed, go, refusal, table_of


class TestDrawing:
    def test_who_can_play_may_not_draw(self) -> None:
        """A-10, G12, 3.6."""
        table = table_of("japanese_shedding", "9D 8S, 8C", talon="9H")
        assert refusal(table, "draw") == "draw_not_allowed"
        assert refusal(table, "pass") == "pass_not_allowed"

    def test_one_card_then_play_or_pass(self) -> None:
        """A-10, A-11: he may play it, and may keep it."""
        table = go(table_of("japanese_shedding", "8S 7H, 8C", talon="9D 9H"), "draw")
        assert (table.phase, table.drawn) == ("drawn", "9D")
        assert allowed(table) == {"9D", "pass"}
        assert refusal(table, "draw") == "draw_not_allowed"

    def test_a_card_that_does_not_fit_leaves_the_pass(self) -> None:
        """A-10, G23: nobody passes for him."""
        table = go(table_of("japanese_shedding", "8S 7H, 8C", talon="9C 9H"), "draw")
        assert allowed(table) == {"pass"}
        assert refusal(table, "9C") == "no_match"

    def test_one_card_that_must_be_played(self) -> None:
        """C5-V1 with decision 16: but a wild may be kept."""
        table = go(table_of("mau_mau_single_draw", "8S 7H, 8C", talon="9D 9H"), "draw")
        assert allowed(table) == {"9D"}
        wild = go(table_of("mau_mau_single_draw", "8S 7H, 8C", talon="QS 9H"), "draw")
        assert {"pass", "QS", "QS:H"} <= allowed(wild)
        fitting = go(table_of("mau_mau_single_draw", "8S 7H, 8C", talon="QD 9H"), "draw")
        assert {"pass", "QD", "QD:H"} <= allowed(fitting)

    def test_cards_held_before_may_not_be_played_after_a_draw(self) -> None:
        """Decision 16."""
        table = go(table_of("mau_mau_single_draw", "8S QC, 8C", talon="9C 9H"), "draw")
        assert refusal(table, "QC") == "only_drawn_card"

    def test_until_a_card_fits(self) -> None:
        """C5-09: and it must be played."""
        table = go(table_of("mau_mau", "7S 8H, 8C", talon="9C TC 6D JS"), "draw")
        assert table.hands[0] == ["7S", "8H", "9C", "TC", "6D"]
        assert (allowed(table), table.talon) == ({"6D"}, ["JS"])

    def test_until_a_card_fits_that_may_be_kept(self) -> None:
        """`drawn_card=may_play` with C5-09."""
        table = table_of("mau_mau", "7S 8H, 8C", talon="9C 6D JS", drawn_card="may_play")
        assert allowed(go(table, "draw")) == {"6D", "pass"}

    def test_a_drawn_wild_may_be_played_or_drawn_on(self) -> None:
        """Decision 17, and 16: one that he drew past counts as held."""
        table = go(table_of("mau_mau", "7S 8H, 8C", talon="9C QC TC 6D JS"), "draw")
        assert table.drawn == "QC"
        assert allowed(table) == {"QC", "QC:S", "QC:H", "QC:D", "QC:C", "draw"}
        go(table, "draw")
        assert table.drawn == "6D"
        assert refusal(table, "QC") == "only_drawn_card"

    def test_with_the_talon_the_turn_ends(self) -> None:
        """C5-09, K28, decision 17: then the pile is turned over."""
        table = go(table_of("mau_mau", "7S 8H, 8C 9H", "6C TH KD", "9C TC"), "draw")
        assert (table.to_act, table.phase) == (1, "play")
        assert (table.talon, table.discard_pile) == (["6C", "TH"], ["KD"])

    def test_an_empty_talon_is_filled_before_drawing(self) -> None:
        """Decision 17."""
        table = go(table_of("mau_mau", "7S 8H, 8C 9H", "6C 9D TH KD"), "draw")
        assert (table.drawn, table.talon, table.discard_pile) == ("9D", ["TH"], ["KD"])

    def test_drawing_may_go_on_after_the_pile_is_turned_over(self) -> None:
        """`draw_until_recycles`."""
        hands, pile, talon = "7S 8H, 8C 9H", "6C 9D KD", "9C TC"
        table = go(table_of("mau_mau", hands, pile, talon, draw_until_recycles=True), "draw")
        assert table.drawn == "9D"
        assert table.hands[0] == ["7S", "8H", "9C", "TC", "6C", "9D"]
        hopeless = table_of("mau_mau", hands, "6C KD", talon, draw_until_recycles=True)
        assert go(hopeless, "draw").to_act == 1

    def test_the_pile_stays_while_nobody_needs_it(self) -> None:
        """Decision 17: a talon that ends with the card that fits stays empty."""
        table = go(table_of("mau_mau", "7S 8H, 8C 9H", "6C TH KD", "9C 9D"), "draw")
        assert (table.drawn, table.talon) == ("9D", [])
        single = go(table_of("japanese_shedding", "7S 8H, 8C 9H", "6C KD", "9C"), "draw", "pass")
        assert single.talon == []

    def test_turning_over_keeps_the_order(self) -> None:
        """A-13, C5-10, G13: what was played first is drawn first."""
        table = go(table_of("mau_mau_single_draw", "7S 8H, 8C 9H", "6C TH 9S KD"), "draw")
        assert (table.hands[0][-1], table.talon) == ("6C", ["TH", "9S"])

    def test_a_pile_may_be_shuffled(self) -> None:
        """G13: `recycle=shuffle` asks chance, which is given."""
        table = table_of("mau_mau_single_draw", "7S 8H, 8C 9H", "6C TH KD", recycle="shuffle")
        table.shuffle = lambda cards: cards[::-1]
        assert go(table, "draw").hands[0][-1] == "TH"


class TestStalemate:
    def test_with_nothing_to_draw_one_may_pass(self) -> None:
        """G14, decision 19: unless there is a card that must be played."""
        table = table_of("mau_mau_single_draw", "7S 8H, 8C 9H")
        assert refusal(table, "draw") == "nothing_to_draw"
        assert allowed(table) == {"pass"}
        able = table_of("mau_mau_single_draw", "7S 8D, 8C 9H")
        assert refusal(able, "pass") == "pass_not_allowed"
        with_a_wild = table_of("mau_mau_single_draw", "7S QH, 8C 9H")
        assert {"pass", "QH", "QH:S"} <= allowed(with_a_wild)

    def test_when_all_pass_everybody_counts(self) -> None:
        """G14: in C5."""
        table = go(table_of("mau_mau", "7S 8H, 8C QH, TS"), "pass", "pass", "pass")
        said = table.snapshot()
        assert (said["stalemate"], said["reason"], said["draw"]) == (True, "stalemate", False)
        assert said["points"] == {"0": 15, "1": 11, "2": 10}
        assert said["places"] == [[2], [1], [0]]
        assert said["durak"] == 0

    def test_when_all_pass_it_is_a_draw(self) -> None:
        """G14: in A; who went out before has his place."""
        table = table_of("japanese_shedding", "8D, 9S 7H, 7S 9H", "KD")
        go(table, "8D")
        table.talon, table.discard_pile = [], ["8D"]
        said = go(table, "pass", "pass").snapshot()
        assert (said["draw"], said["durak"], said["winner"]) == (True, None, 0)
        assert said["places"] == [[0], [1, 2]]
        assert said["points"] is None

    def test_a_play_between_starts_the_count_anew(self) -> None:
        """Decision 19."""
        table = table_of("mau_mau", "7S 8H, 8D 8C 9D, 6S 6H")
        go(table, "pass", "8D")
        assert table.passed == []

    def test_the_guard(self) -> None:
        """`max_moves`: then as a stalemate."""
        table = go(table_of("mau_mau", "9D 8H, 8C 9H", max_moves=1), "9D")
        said = table.snapshot()
        assert (said["game_over"], said["reason"]) == (True, "max_moves")
        assert said["points"] == {"0": 8, "1": 17}


class TestEnglishAce:
    HANDS = "AD 9D 8H, 8C 9H, 9C TH"

    def test_who_laid_it_covers_it_and_names_another_suit(self) -> None:
        """C5-V4a, decision 23, G18: the ace skips nobody."""
        table = go(table_of("english_durak", self.HANDS, talon="9S"), "AD")
        assert (table.to_act, table.phase) == (0, "ace_chain")
        assert allowed(table) == {"9D:S", "9D:H", "9D:C", "pass"}
        assert refusal(table, "9D:D") == "suit_same_as_ace"
        assert refusal(table, "9D") == "suit_required"
        assert refusal(table, "8H:S") == "not_ace_suit"
        go(table, "9D:H")
        assert (table.named_suit, table.to_act) == ("H", 1)

    def test_a_wild_of_the_suit_may_name_any(self) -> None:
        """Decision 23."""
        table = go(table_of("english_durak", "AD QD QC 8H, 8C"), "AD")
        assert {"QD:S", "QD:H", "QD:D", "QD:C"} <= allowed(table)
        assert refusal(table, "QC:S") == "not_ace_suit"

    def test_without_the_suit_he_draws_one(self) -> None:
        """C5-V4b: before he may pass."""
        table = go(table_of("english_durak", "AD 9C 8H, 8C 9H", talon="TD TC"), "AD")
        assert allowed(table) == {"draw"}
        assert refusal(table, "pass") == "pass_not_allowed"
        go(table, "draw")
        assert allowed(table) == {"TD:S", "TD:H", "TD:C", "pass"}
        assert refusal(table, "draw") == "draw_not_allowed"
        assert refusal(table, "9C") == "only_drawn_card"

    def test_with_nothing_to_draw_he_passes(self) -> None:
        """Decisions 19 and 23."""
        table = table_of("english_durak", "AD 9C 8H, 8C 9H", pile="")
        go(table, "AD")
        assert allowed(table) == {"pass"}
        assert refusal(table, "draw") == "nothing_to_draw"

    def test_the_right_goes_to_the_next(self) -> None:
        """C5-V4c, decision 23: naming is optional for him, another ace gives him the right."""
        table = table_of("english_durak", "AD 9C 8H, 8D AC QD 7S, 6D", talon="TS TC")
        go(table, "AD", "draw", "pass")
        assert (table.to_act, table.phase) == (1, "play")
        assert {"8D", "8D:C", "AC", "QD", "QD:D"} <= allowed(table)
        assert refusal(table, "8D:D") == "suit_same_as_ace"
        assert refusal(table, "AC:S") == "suit_not_allowed"
        go(table, "AC")
        assert (table.to_act, table.phase, table.ace_suit) == (1, "ace_chain", "C")

    def test_the_right_lapses_after_the_next(self) -> None:
        """Decision 23."""
        table = table_of("english_durak", "AD 9C 8H, 8C 9H, 8D 9D", talon="TS 6C 7D")
        go(table, "AD", "draw", "pass", "draw")
        assert table.drawn == "7D"
        assert {"7D", "7D:S"} <= allowed(table)
        go(table, "7D")
        assert refusal(table, "9C:S") == "no_match"
        declined = table_of("english_durak", "AD 9D, 8C 9H QC, 8D 9C", talon="TS")
        go(declined, "AD", "pass", "QC:D")
        assert refusal(declined, "8D:S") == "suit_not_allowed"

    def test_going_out_on_an_ace(self) -> None:
        """G18: it needs no cover."""
        table = go(table_of("english_durak", "AD, 8C 9H"), "AD")
        assert table.snapshot()["winner"] == 0

    def test_the_cover_has_its_own_effect(self) -> None:
        """S45: a seven makes the next one draw and skip."""
        table = go(table_of("english_durak", "AD 7D 9S, 8C, 9C TH", talon="9S"), "AD", "7D:H")
        assert (table.to_act, len(table.hands[1]), table.named_suit) == (2, 2, "H")


class TestResult:
    def test_the_first_one_out_wins_and_the_others_count(self) -> None:
        """C5-18, C5-19, C5-20, C5-21, decision 26."""
        hands = "8D, JC KC AC TC 6S 7S 8S 9S, QS, QH KS"
        said = go(table_of("mau_mau", hands), "8D").snapshot()
        assert said["points"] == {"0": 0, "1": 57, "2": 20, "3": 7}
        assert (said["winner"], said["durak"]) == (0, 1)
        assert said["places"] == [[0], [3], [2], [1]]

    def test_equal_points_share_a_place(self) -> None:
        """Decision 26: and then nobody is the durak."""
        said = go(table_of("mau_mau", "8D, 9C, 9S, 6C"), "8D").snapshot()
        assert said["places"] == [[0], [3], [1, 2]]
        assert said["durak"] is None

    def test_the_last_holder_loses(self) -> None:
        """A-01, A-03, A-12, K22: nobody counts."""
        table = go(table_of("japanese_shedding", "8D, 8C 9H, 9S TS, 8S"), "8D")
        assert table.result is None
        said = go(table, "8C", "draw", "pass", "8S", "draw", "pass").snapshot()
        assert said["out_in_order"] == [0, 3]
        assert said["game_over"] is False

    def test_the_last_holder_is_the_durak(self) -> None:
        """A-03."""
        said = go(table_of("japanese_shedding", "8D, 8C, 9S TS"), "8D", "8C").snapshot()
        assert (said["durak"], said["winner"], said["points"]) == (2, 0, None)
        assert said["places"] == [[0], [1], [2]]

    def test_going_out_with_a_queen(self) -> None:
        """C5-V5a, decision 26: Pharaoh writes thirty off."""
        said = go(table_of("pharaoh", "QD, QC, 8H 9H"), "QD:S").snapshot()
        assert said["points"] == {"0": -30, "1": 30, "2": 17}

    def test_a_queen_alone(self) -> None:
        """C5-V5b, K24: thirty in Pharaoh; two queens are worth what they are."""
        said = go(table_of("pharaoh", "8D, QC, QH QS"), "8D").snapshot()
        assert said["points"] == {"0": 0, "1": 30, "2": 6}

    def test_points_of_the_pentagon(self) -> None:
        """C5-V6c."""
        said = go(table_of("pentagon", "8D, AC KC QC JC TC 9C 6C, QS"), "8D").snapshot()
        assert said["points"] == {"0": 0, "1": 47, "2": 20}

    def test_a_jack_left_loses(self) -> None:
        """C5-V3c, G17, decision 26: any jack; nobody counts points then."""
        said = go(table_of("mau_mau_jacks", "8D, JC 9C, 9S TS"), "8D").snapshot()
        assert said["match_losers"] == [1]
        assert said["points"] == {"0": 0, "1": 0, "2": 0}
        assert (said["winner"], said["durak"]) == (0, 1)

    def test_without_a_jack_the_cards_count(self) -> None:
        """C5-V3c, K24: a queen alone is just a queen."""
        said = go(table_of("mau_mau_jacks", "8D, QC, 9S TS"), "8D").snapshot()
        assert said["match_losers"] is None
        assert said["points"] == {"0": 0, "1": 3, "2": 19}

    def test_a_hundred_and_one(self) -> None:
        """3.4: points for the last holder, twenty or forty off for going out with a queen."""
        table = table_of("hundred_one", "QS, QC, 9S TS")
        said = go(table, "QS", "QC").snapshot()
        assert said["points"] == {"0": -40, "1": -20, "2": 10}
        assert said["durak"] == 2


class TestRefusals:
    def test_the_order(self) -> None:
        """3.7: turn, phase, cards, the drawn card, count, match, suit."""
        table = table_of("mau_mau_single_draw", "8S 8H 9S, 8C", talon="9C 9H")
        with pytest.raises(Refused, match="not_your_turn"):
            table.play(1, {"type": "play", "cards": []})
        assert refusal(table, "name S") == "wrong_phase"
        assert refusal(table, "") == "no_cards"
        assert refusal(table, "8S 8S") == "duplicate_card"
        assert refusal(table, "8S 8C:H") == "card_not_in_hand"
        assert refusal(table, "8S 8H:H") == "multi_not_allowed"
        assert refusal(table, "8S:H") == "no_match"
        go(table, "draw")
        assert refusal(table, "8S 8H:H") == "only_drawn_card"
        assert refusal(table, "9C 9S:H") == "multi_not_allowed"

    def test_after_the_end(self) -> None:
        """3.7: whoever asks."""
        assert refusal(go(table_of("mau_mau", "8D, 8C"), "8D"), "draw") == "game.over"
