"""Options: every dial of the rulebook has a meaning, and the defaults are the engine's own."""

import re

import msgspec
import pytest

from games.rules.rulesets.schema import FAMILIES
from games.rules.texts import option_names, option_text
from games.rules.texts.options import option_value

BOUT = """
deck_size players hand_size deal_mode trump_source trump_suit self_only_suit
self_only_suit_is_trump lowest_trump_beats_trump_ace first_attacker no_trump_first
next_first_attacker next_dealer redeal_on_bad_hand lead_max_cards throw_in throw_in_scope
throw_in_timing throw_in_batch throw_in_ranks attack_limit first_attack_limit first_limit_scope
must_defend_if_able transfer transfer_first_bout transfer_multi transfer_by_showing_trump
trump_exchange refill_order draw_allowed face_out enforcement teams epaulettes discard_visibility
repetition_draw max_moves first_dealer
"""
SHEDDING = """
deck_size players deal starter starter_effect first_player next_first match rank_match_only wild
wild_condition wild_blocked_on order_skips_next effects stacking multi_play ace_multi ace_chain
draw_rule drawn_card draw_until_recycles recycle end last_card_effect points lone_wild_penalty
finish_wild_bonus wild_left_loses match_target exact_target_resets stalemate max_moves next_dealer
first_dealer
"""
ALL = [("bout", name) for name in BOUT.split()] + [("shedding", name) for name in SHEDDING.split()]
DIALS = [(family, field) for family, rules in FAMILIES.items() for field in rules.__struct_fields__]


def test_every_option_of_the_rulebook_is_there() -> None:
    assert list(option_names("bout")) == BOUT.split()
    assert list(option_names("shedding")) == SHEDDING.split()


@pytest.mark.parametrize(("family", "name"), ALL)
def test_an_option_is_explained_in_one_sentence(family: str, name: str) -> None:
    text = option_text(family, name)
    assert re.fullmatch(r"[A-Z][^.]+\.", text.en)
    assert re.fullmatch(r"[А-ЯЁ][^.a-zA-Z]+\.", text.ru)


@pytest.mark.parametrize(("family", "name"), DIALS)
def test_a_dial_of_the_engine_has_the_same_default_here(family: str, name: str) -> None:
    own = getattr(FAMILIES[family](), name)
    assert msgspec.json.encode(option_text(family, name).default) == msgspec.json.encode(own)


def test_a_value_left_out_is_the_default() -> None:
    assert option_value("bout", "attack_limit", {}) == 6
    assert option_value("bout", "attack_limit", {"attack_limit": None}) is None
    assert option_value("bout", "draw_rule", {}) is None


def test_unknown_families_and_options_are_key_errors() -> None:
    with pytest.raises(KeyError):
        option_text("bout", "draw_rule")
    with pytest.raises(KeyError):
        option_names("poker")
