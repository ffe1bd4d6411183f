"""Refusals of moves: each has a text, and a sentence that is in force in the ruleset."""

import re
from collections.abc import Mapping
from itertools import chain

import pytest

from games.rules.moves import SHAPES
from games.rules.texts import refusal_codes, refusal_text, sentence, sentence_ids
from games.rules.texts.refusals import reason

CLOSED_LIST = """
not_your_turn wrong_phase duplicate_card card_not_in_hand no_cards attack_limit
attack_multi_forbidden ranks_differ cannot_beat no_such_target already_beaten must_beat
throw_in_disabled not_allowed_to_throw one_card_at_a_time rank_not_on_table transfer_disabled
transfer_first_bout transfer_after_beat transfer_rank transfer_target_too_few show_disabled
show_not_trump show_already_used exchange_disabled exchange_talon_gone exchange_turnup_not_ace
exchange_not_original_holder no_match wild_not_allowed multi_not_allowed only_drawn_card
draw_not_allowed pass_not_allowed nothing_to_draw suit_required suit_not_allowed suit_same_as_ace
not_ace_suit call_disabled call_unfounded
"""

JAPANESE = {"self_only_suit": "S", "trump_source": "fixed_suit", "trump_suit": "D"}
TRANSFER = {"transfer": True}
EXCHANGE = {"trump_exchange": "six_for_ace"}
SHOW = {"transfer": True, "transfer_by_showing_trump": True}
ARTICLE = {"throw_in_scope": "neighbours", "throw_in_batch": "one"}
SIMPLE = {"throw_in": "on_take"}
HASTY = {"throw_in_timing": "anytime"}
STUCK = {"wild_condition": "only_if_stuck", "end": "last_holder"}
SUIT_ONLY = {"match": "suit_only", "rank_match_only": ["6"]}

QUOTED = [
    ("cannot_beat", "bout", {}, "C1-14"),
    ("cannot_beat", "bout", JAPANESE, "C4-14"),
    ("rank_not_on_table", "bout", {}, "B-20"),
    ("rank_not_on_table", "bout", {"throw_in_ranks": "lead"}, "K6"),
    ("attack_limit", "bout", {}, "K8"),
    ("attack_limit", "bout", {"attack_limit": None}, "B-16"),
    ("attack_multi_forbidden", "bout", {"lead_max_cards": 1}, "K3"),
    ("attack_multi_forbidden", "bout", {"lead_max_cards": 1, "face_out": True}, "G4"),
    ("ranks_differ", "bout", {}, "B-08"),
    ("throw_in_disabled", "bout", {"throw_in": "on_take"}, "K9"),
    ("throw_in_disabled", "bout", {"throw_in": "never"}, "B-12"),
    ("not_allowed_to_throw", "bout", {"throw_in_scope": "neighbours"}, "C1-16"),
    ("not_allowed_to_throw", "bout", {"throw_in_scope": "leader"}, "K4"),
    ("not_allowed_to_throw", "bout", {"teams": "pairs"}, "D-8"),
    ("not_allowed_to_throw", "bout", {"enforcement": "catchable"}, "K4"),
    ("one_card_at_a_time", "bout", {"throw_in_batch": "one"}, "C1-17"),
    ("must_beat", "bout", {"must_defend_if_able": True}, "K12"),
    ("transfer_disabled", "bout", {}, "C1-30"),
    ("transfer_first_bout", "bout", TRANSFER | {"transfer_first_bout": False}, "C1-26"),
    ("transfer_after_beat", "bout", TRANSFER, "B-24"),
    ("transfer_rank", "bout", TRANSFER, "C3-02"),
    ("transfer_target_too_few", "bout", TRANSFER, "B-25"),
    ("show_already_used", "bout", SHOW, "D-6"),
    ("exchange_disabled", "bout", {}, "K27"),
    ("exchange_turnup_not_ace", "bout", EXCHANGE, "C1-29"),
    ("exchange_talon_gone", "bout", EXCHANGE, "D-5"),
    ("not_your_turn", "bout", {}, "D-order"),
    ("not_your_turn", "shedding", {}, "C5-08"),
    ("call_unfounded", "bout", {"enforcement": "catchable"}, "D-11"),
    ("no_match", "shedding", {}, "C5-08"),
    ("no_match", "shedding", STUCK, "A-08"),
    ("no_match", "shedding", SUIT_ONLY, "C5-V6a"),
    ("wild_not_allowed", "shedding", STUCK, "A-17"),
    ("wild_not_allowed", "shedding", {"wild_blocked_on": ["6", "7", "A"]}, "A-18"),
    ("multi_not_allowed", "shedding", {"multi_play": {"A": (3, 4)}}, "A-19"),
    ("multi_not_allowed", "shedding", {}, "C5-08"),
    ("draw_not_allowed", "shedding", {}, "G12"),
    ("suit_required", "shedding", {"ace_chain": "english"}, "D-23"),
    ("suit_required", "shedding", {"starter": "dealer_last_card"}, "D-25"),
    ("suit_same_as_ace", "shedding", {"ace_chain": "english"}, "C5-V4a"),
    ("card_not_in_hand", "shedding", {}, "D-order"),
]

# What else everybody knows of the move decides too: its type, or that its seat was caught.
QUOTED_FOR = [
    ("not_your_turn", "attack", {}, "C2-24"),
    ("not_your_turn", "attack", ARTICLE, "C2-24"),
    ("not_your_turn", "attack", HASTY, "C2-24"),
    ("not_your_turn", "beat", {}, "C1-13"),
    ("not_your_turn", "beat", ARTICLE, "C1-13"),
    ("not_your_turn", "take", TRANSFER, "B-10"),
    ("not_your_turn", "throw_in", {}, "C2-18"),
    ("not_your_turn", "throw_in", ARTICLE, "C1-16"),
    ("not_your_turn", "throw_in", HASTY, "D-4"),
    ("not_your_turn", "throw_in", SIMPLE, "C2-16"),
    ("not_your_turn", "throw_in", {"throw_in_scope": "leader"}, "K4"),
    ("not_your_turn", "pass", {}, "C2-18"),
    ("not_your_turn", "pass", ARTICLE, "C1-16"),
    ("not_your_turn", "transfer", TRANSFER, "B-21"),
    ("not_your_turn", "show_trump", SHOW, "B-21"),
    ("not_your_turn", "exchange_trump", EXCHANGE, "D-5"),
    ("one_card_at_a_time", "throw_in", ARTICLE, "C1-17"),
    ("one_card_at_a_time", "transfer", TRANSFER | {"transfer_multi": False}, "K13"),
    ("one_card_at_a_time", "transfer", TRANSFER | ARTICLE | {"transfer_multi": False}, "K13"),
    ("cannot_beat", "beat", JAPANESE, "C4-14"),
]


def test_the_closed_list_is_covered() -> None:
    assert set(refusal_codes()) == {f"move.{code}" for code in CLOSED_LIST.split()} | {"game.over"}


@pytest.mark.parametrize("code", refusal_codes())
def test_a_refusal_has_texts_in_both_languages(code: str) -> None:
    found = reason(code)
    texts = [found.detail] if found.hint is None else [found.detail, found.hint]
    for text in texts:
        assert text.en.endswith(".")
        assert text.ru.endswith(".")
        assert not re.search("[а-яё]", text.en, re.IGNORECASE)
        assert re.search("[а-яё]", text.ru, re.IGNORECASE)


@pytest.mark.parametrize("code", refusal_codes())
def test_candidates_are_sentences(code: str) -> None:
    found = reason(code)
    assert {*found.rules, *chain(*found.when.values())} <= set(sentence_ids())
    assert set(found.when) <= {*SHAPES["bout"], *SHAPES["shedding"], "caught"}


@pytest.mark.parametrize("family", ["bout", "shedding"])
@pytest.mark.parametrize("code", refusal_codes())
def test_the_sentence_quoted_is_in_force(code: str, family: str) -> None:
    for move in (None, *SHAPES[family]):
        quoted = sentence(refusal_text(code, "en", family, {}, move=move).rule_id)
        assert quoted.holds(family, {})


@pytest.mark.parametrize(("code", "family", "options", "rule_id"), QUOTED)
def test_the_sentence_depends_on_the_ruleset(
    code: str, family: str, options: Mapping[str, object], rule_id: str
) -> None:
    found = refusal_text(f"move.{code}", "en", family, options)
    assert (found.rule_id, found.rule_text) == (rule_id, sentence(rule_id).en)


@pytest.mark.parametrize(("code", "move", "options", "rule_id"), QUOTED_FOR)
def test_the_sentence_depends_on_the_move(
    code: str, move: str, options: Mapping[str, object], rule_id: str
) -> None:
    assert refusal_text(code, "en", "bout", options, move=move).rule_id == rule_id


@pytest.mark.parametrize("move", SHAPES["shedding"])
def test_a_shedding_move_out_of_turn_quotes_the_turn(move: str) -> None:
    assert refusal_text("not_your_turn", "en", "shedding", {}, move=move).rule_id == "C5-08"


@pytest.mark.parametrize("options", [{}, ARTICLE, {"throw_in_scope": "leader"}])
def test_a_seat_that_was_caught_is_told_so(options: dict[str, object]) -> None:
    table = options | {"enforcement": "catchable"}
    text = refusal_text("not_allowed_to_throw", "en", "bout", table, move="throw_in", caught=True)
    assert text.rule_id == "D-11"


def test_language_and_prefix() -> None:
    russian = refusal_text("cannot_beat", "ru", "bout", {})
    assert russian == refusal_text("move.cannot_beat", "ru", "bout", {})
    assert russian.rule_text == sentence("C1-14").ru
    assert russian.detail == "Этой картой ту не побить."
    assert refusal_text("cannot_beat", "de", "bout", {}).rule_text == sentence("C1-14").en


def test_a_refusal_without_advice_has_no_hint() -> None:
    assert refusal_text("exchange_disabled", "en", "bout", {}).hint is None


def test_an_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        refusal_text("move.too_clever", "en", "bout", {})
