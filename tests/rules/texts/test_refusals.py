"""Refusals of moves: each has a text, and a sentence that is in force in the ruleset."""

import re
from collections.abc import Mapping

import pytest

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
    ("not_your_turn", "bout", {}, "C2-18"),
    ("not_your_turn", "bout", {"throw_in": "never"}, "C2-24"),
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
    assert set(reason(code).rules) <= set(sentence_ids())


@pytest.mark.parametrize("family", ["bout", "shedding"])
@pytest.mark.parametrize("code", refusal_codes())
def test_the_sentence_quoted_is_in_force(code: str, family: str) -> None:
    quoted = sentence(refusal_text(code, "en", family, {}).rule_id)
    assert quoted.holds(family, {})


@pytest.mark.parametrize(("code", "family", "options", "rule_id"), QUOTED)
def test_the_sentence_depends_on_the_ruleset(
    code: str, family: str, options: Mapping[str, object], rule_id: str
) -> None:
    found = refusal_text(f"move.{code}", "en", family, options)
    assert (found.rule_id, found.rule_text) == (rule_id, sentence(rule_id).en)


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
