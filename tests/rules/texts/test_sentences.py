"""The rulebook's sentences: none is missing, and each is shown where it is in force."""

import re
from collections.abc import Mapping

import pytest

from games.rules.texts import option_names, sentence, sentence_ids, sentences_for

NOT_RULES = {"A-02", "C2-11"}
NUMBERED = {"A": 19, "B": 33, "C1": 30, "C2": 33, "C3": 3, "C4": 15, "C5": 21}
MAU_MAU_VARIANTS = "V1 V2 V3a V3b V3c V4a V4b V4c V5a V5b V6a V6b V6c V7"

RULEBOOK = [
    *(f"{group}-{number:02}" for group, last in NUMBERED.items() for number in range(1, last + 1)),
    *(f"C5-{variant}" for variant in MAU_MAU_VARIANTS.split()),
    *(f"K{number}" for number in range(1, 30)),
    *(f"G{number}" for number in range(1, 24)),
    "D-order",
    *(f"D-{number}" for number in range(1, 27)),
]

THROW_IN = {"next_first_attacker": "previous_winner"}
JAPANESE = {"trump_source": "fixed_suit", "trump_suit": "D", "self_only_suit": "S"}
FACE_OUT = {"face_out": True, "lead_max_cards": 1, "throw_in_batch": "one"}
BY_FOUR_CARDS = {
    "deal": 4,
    "starter": "dealer_last_card",
    "first_player": "dealer_left",
    "wild_condition": "only_if_stuck",
    "effects": {
        "6": {"draw": 1, "skip": 1},
        "7": {"draw": 2, "skip": 1},
        "A": {"draw": 0, "skip": 1},
    },
    "draw_rule": "one",
    "drawn_card": "may_play",
    "multi_play": {"A": [3, 4]},
    "end": "last_holder",
}


def in_force(family: str, options: Mapping[str, object]) -> set[str]:
    return {item.id for item in sentences_for(family, options)}


def test_every_sentence_of_the_rulebook_is_there_in_its_order() -> None:
    assert list(sentence_ids()) == [item for item in RULEBOOK if item not in NOT_RULES]


@pytest.mark.parametrize("sentence_id", sentence_ids())
def test_a_sentence_is_one_clear_line_in_both_languages(sentence_id: str) -> None:
    item = sentence(sentence_id)
    for text in (item.en, item.ru):
        assert text == text.strip()
        assert text.endswith(".")
        assert "\n" not in text
        assert len(text) <= 190
    assert not re.search("[а-яё]", item.en, re.IGNORECASE)
    assert not re.search("[a-z]", item.ru, re.IGNORECASE)
    assert item.text("en") == item.en
    assert item.text("ru") == item.ru


def test_no_two_sentences_say_the_same_words() -> None:
    texts = [text for item in map(sentence, sentence_ids()) for text in (item.en, item.ru)]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("sentence_id", sentence_ids())
def test_conditions_name_options_of_their_family(sentence_id: str) -> None:
    clauses = sentence(sentence_id).applies
    assert clauses
    for clause in clauses:
        known = () if clause.family == "any" else option_names(clause.family)
        assert set(clause.options) <= set(known)


def test_an_unknown_sentence_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        sentence("B-99")


def test_throw_in_knows_throwing_in_and_not_transferring() -> None:
    shown = in_force("bout", THROW_IN)
    assert {"B-07", "B-19", "C1-14", "C2-16", "C2-18", "D-order"} <= shown
    assert not shown & {"B-12", "K9", "C1-16", "C1-17", "C1-23", "B-21", "C3-01", "C4-14", "B-26"}


def test_simple_adds_only_to_a_take() -> None:
    shown = in_force("bout", {"throw_in": "on_take"})
    assert {"B-12", "K9"} <= shown
    assert not shown & {"B-19", "C1-15", "C2-18"}


def test_transfer_and_its_ban_in_the_first_bout() -> None:
    assert {"B-21", "B-25", "C3-02"} <= in_force("bout", {"transfer": True})
    assert "C1-26" not in in_force("bout", {"transfer": True})
    assert "C1-26" in in_force("bout", {"transfer": True, "transfer_first_bout": False})


def test_japanese_protects_spades_and_opens_no_card() -> None:
    shown = in_force("bout", JAPANESE)
    assert {"B-33", "C4-07", "C4-08", "C4-14", "K29"} <= shown
    assert not shown & {"C1-14", "B-04", "B-05", "C4-09"}


@pytest.mark.parametrize(
    "options",
    [
        JAPANESE | {"deck_size": 24},
        JAPANESE | {"enforcement": "catchable"},
        {"self_only_suit": "S", "self_only_suit_is_trump": "rule_off"},
    ],
)
def test_no_draw_is_promised_where_spades_may_run_out(options: dict[str, object]) -> None:
    assert "K29" not in in_force("bout", options)


@pytest.mark.parametrize("times", [None, 2, 3])
def test_the_limit_of_moves_is_told_whatever_repetitions_do(times: int | None) -> None:
    shown = in_force("bout", {"repetition_draw": times})
    assert "D-9" in shown
    assert ("G21" in shown) == (times is not None)


def test_the_drawn_diamond_lies_open() -> None:
    shown = in_force("bout", JAPANESE | {"trump_source": "draw_until_suit"})
    assert {"C4-09", "C4-10", "G8", "D-10"} <= shown
    assert "C4-07" not in shown


def test_a_full_deal_leaves_nothing_to_draw() -> None:
    shown = in_force("bout", {"deal_mode": "full", "trump_source": "last_dealt"})
    assert {"B-26", "B-27", "B-28", "G2", "G3"} <= shown
    assert not shown & {"B-03", "B-13", "B-14", "B-15", "C2-28", "K10"}


def test_face_out_attacks_with_one_card() -> None:
    shown = in_force("bout", FACE_OUT)
    assert {"B-30", "B-32", "G4", "D-1", "C1-17"} <= shown
    assert not shown & {"B-08", "C1-12"}


def test_limits_that_are_off_are_not_told() -> None:
    shown = in_force("bout", {"attack_limit": None, "repetition_draw": None})
    assert not shown & {"C1-19", "K8", "G21"}
    assert "B-16" in shown


def test_the_two_shedding_games_tell_their_own_effects() -> None:
    own, mau_mau = in_force("shedding", BY_FOUR_CARDS), in_force("shedding", {})
    assert {"A-14", "A-15", "A-17", "A-19", "D-21"} <= own
    assert {"C5-09", "C5-11", "C5-12", "C5-15", "C5-20"} <= mau_mau
    assert not own & {"C5-11", "C5-12", "C5-15", "C5-20"}
    assert not mau_mau & {"A-03", "A-14", "A-15", "A-17", "A-19"}


def test_pentagon_follows_suit_except_on_a_six() -> None:
    shown = in_force(
        "shedding", {"match": "suit_only", "rank_match_only": ["6"], "order_skips_next": True}
    )
    assert {"C5-V6a", "C5-V6b"} <= shown
    assert "C5-08" not in shown


def test_a_family_never_shows_the_other_ones_sentences() -> None:
    common = in_force("bout", {}) & in_force("shedding", {})
    assert common == {"K15", "K17", "G22", "G23", "D-order", "D-14"}
