"""Rulesets: presets, options that do not exist or do not go together, the hash of the whole."""

from typing import Any

import msgspec
import pytest

from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets.registry import (
    options_schema,
    player_counts,
    players_range,
    ruleset,
    ruleset_ids,
)
from games.rules.rulesets.schema import BoutRules
from games.rules.texts import option_names, ruleset_text

DEFAULTS = BoutRules()

# The rulebook's 3.4: what each base changes in the defaults, and what each modifier changes then.
BASES: dict[str, dict[str, Any]] = {
    "simple": {"throw_in": "on_take", "next_first_attacker": "previous_winner"},
    "throw_in": {"next_first_attacker": "previous_winner"},
    "transfer": {"transfer": True, "next_first_attacker": "previous_winner"},
}
FULL_DEAL = {
    "deal_mode": "full",
    "trump_source": "last_dealt",
    "next_first_attacker": "lowest_trump",
}
FACE_OUT = {"face_out": True, "lead_max_cards": 1, "throw_in_batch": "one"}
JAPANESE = {"trump_source": "fixed_suit", "trump_suit": "D", "self_only_suit": "S"}
ARTICLE = {
    "throw_in_scope": "neighbours",
    "throw_in_batch": "one",
    "first_attack_limit": 5,
    "first_limit_scope": "first_bout",
}
COMPOSED: dict[str, dict[str, Any]] = {
    base + ending: values | changes
    for base, values in BASES.items()
    for ending, changes in {
        "": {},
        ".full_deal": FULL_DEAL,
        ".face_out": FACE_OUT,
        ".japanese": JAPANESE,
        ".full_deal.face_out": FULL_DEAL | FACE_OUT,
        ".full_deal.japanese": FULL_DEAL | JAPANESE,
        ".face_out.japanese": FACE_OUT | JAPANESE,
        ".full_deal.face_out.japanese": FULL_DEAL | FACE_OUT | JAPANESE,
    }.items()
}
SINGLE: dict[str, dict[str, Any]] = {
    "throw_in_article": ARTICLE,
    "transfer_article": ARTICLE | {"transfer": True, "transfer_first_bout": False},
    "throw_in.japanese_drawn_diamond": JAPANESE
    | {"trump_source": "draw_until_suit", "next_first_attacker": "lowest_trump"},
    "online_throw_in": {"first_attack_limit": 5},
    "online_transfer": {"first_attack_limit": 5, "transfer": True},
    "proyezdnoy": {
        "first_attack_limit": 5,
        "transfer": True,
        "transfer_by_showing_trump": True,
    },
    "partners": {"first_attack_limit": 5, "teams": "pairs"},
}
PRESETS = COMPOSED | SINGLE


def faults(ruleset_id: str, options: dict[str, Any], players: int | None = None) -> set[str]:
    with pytest.raises(InvalidOptions) as raised:
        ruleset(ruleset_id, options, players)
    assert all(reason for reason in raised.value.errors.values())
    return set(raised.value.errors)


def test_the_presets_of_the_rulebook_are_there_and_no_others() -> None:
    assert set(ruleset_ids("bout")) == set(PRESETS)


@pytest.mark.parametrize("ruleset_id", PRESETS)
def test_a_preset_differs_from_the_defaults_as_the_rulebook_says(ruleset_id: str) -> None:
    expected = msgspec.structs.asdict(DEFAULTS) | PRESETS[ruleset_id]
    assert msgspec.structs.asdict(ruleset(ruleset_id).rules) == expected


@pytest.mark.parametrize(("players", "teams"), [(4, "pairs"), (6, "triples")])
def test_partners_play_two_against_two_or_three_against_three(players: int, teams: str) -> None:
    expected = msgspec.structs.asdict(DEFAULTS) | PRESETS["partners"] | {"teams": teams}
    assert msgspec.structs.asdict(ruleset("partners", players=players).rules) == expected


def test_C1_01_every_base_goes_with_every_modifier_in_the_order_of_the_rulebook() -> None:
    assert len(COMPOSED) == 24
    composed = [name for name in ruleset_ids("bout") if name in COMPOSED]
    assert ruleset_ids("bout")[: len(composed)] == tuple(composed)
    assert composed[:8] == [
        "simple",
        "simple.full_deal",
        "simple.face_out",
        "simple.japanese",
        "simple.full_deal.face_out",
        "simple.full_deal.japanese",
        "simple.face_out.japanese",
        "simple.full_deal.face_out.japanese",
    ]
    assert composed[8:16] == [name.replace("simple", "throw_in") for name in composed[:8]]
    assert composed[16:] == [name.replace("simple", "transfer") for name in composed[:8]]


@pytest.mark.parametrize(
    ("option", "default"),
    [
        ("deck_size", 36),
        ("hand_size", 6),
        ("first_attacker", "lowest_trump"),
        ("no_trump_first", "dealer_left"),
        ("next_first_attacker", "lowest_trump"),
        ("next_dealer", "loser"),
        ("first_dealer", "lot"),
        ("lead_max_cards", 4),
        ("throw_in", "always"),
        ("throw_in_scope", "all"),
        ("throw_in_batch", "many"),
        ("throw_in_ranks", "table"),
        ("attack_limit", 6),
        ("first_attack_limit", None),
        ("first_limit_scope", "until_first_discard"),
        ("must_defend_if_able", False),
        ("transfer", False),
        ("transfer_first_bout", True),
        ("transfer_multi", True),
        ("refill_order", "leader_clockwise_defender_last"),
        ("draw_allowed", True),
        ("repetition_draw", 3),
        ("max_moves", 5000),
    ],
)
def test_defaults_are_those_of_the_rulebook(option: str, default: Any) -> None:
    assert getattr(DEFAULTS, option) == default


@pytest.mark.parametrize("ruleset_id", ["", "poker", "throw_in.face_up"])
def test_an_unknown_ruleset_is_refused(ruleset_id: str) -> None:
    with pytest.raises(UnknownRuleset):
        ruleset(ruleset_id)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"jokers": True}, {"jokers"}),
        ({"deal": 4, "wild": "Q"}, {"deal", "wild"}),
        ({"visibility": "private", "turn_seconds": 30}, {"visibility", "turn_seconds"}),
        ({"deck_size": 7}, {"deck_size"}),
        ({"deck_size": "36"}, {"deck_size"}),
        ({"hand_size": 3}, {"hand_size"}),
        ({"hand_size": 9}, {"hand_size"}),
        ({"lead_max_cards": 0, "attack_limit": 0}, {"lead_max_cards", "attack_limit"}),
        ({"lead_max_cards": 5}, {"lead_max_cards"}),
        ({"transfer": 1}, {"transfer"}),
        ({"hand_size": True}, {"hand_size"}),
        ({"throw_in": None}, {"throw_in"}),
        ({"throw_in_scope": "everybody"}, {"throw_in_scope"}),
        ({"repetition_draw": 1}, {"repetition_draw"}),
        ({"max_moves": 9}, {"max_moves"}),
        ({"max_moves": 10_001}, {"max_moves"}),
        ({"attack_limit": 53}, {"attack_limit"}),
        ({"jokers": 1, "deck_size": 7}, {"jokers", "deck_size"}),
    ],
)
def test_options_that_do_not_exist_or_have_no_such_value(
    options: dict[str, Any], names: set[str]
) -> None:
    assert faults("throw_in", options) == names


@pytest.mark.parametrize(
    ("options", "players"),
    [({}, 7), ({}, 1), ({"deck_size": 52}, 7)],
)
def test_U06_B01_C1_05_K17_two_to_six_may_play(options: dict[str, Any], players: int) -> None:
    assert "players" in faults("throw_in", options, players)


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 6),
        ({"deck_size": 24}, 4),
        ({"deck_size": 32}, 5),
        ({"deck_size": 52, "hand_size": 8}, 6),
        ({"deck_size": 24, "hand_size": 8}, 3),
        ({"deck_size": 36, "hand_size": 7}, 5),
    ],
)
def test_K17_the_pack_must_serve_every_hand(options: dict[str, Any], most: int) -> None:
    rules = ruleset("throw_in", options, players=most).rules
    assert players_range(rules) == (2, most)
    if most < 6:
        assert faults("throw_in", options, most + 1) == {"players", "hand_size", "deck_size"}


@pytest.mark.parametrize("option", ["transfer_first_bout", "transfer_multi"])
@pytest.mark.parametrize("value", [True, False])
def test_a_transfer_dial_needs_transfer(option: str, value: bool) -> None:
    assert faults("throw_in", {option: value}) == {option}
    assert getattr(ruleset("transfer", {option: value}).rules, option) is value
    assert faults("transfer", {"transfer": False, option: value}) == {option}


@pytest.mark.parametrize(
    ("option", "value"),
    [("throw_in_scope", "leader"), ("throw_in_batch", "one"), ("throw_in_ranks", "lead")],
)
def test_a_throw_in_dial_needs_throw_in(option: str, value: str) -> None:
    assert faults("throw_in", {"throw_in": "never", option: value}) == {option}
    assert getattr(ruleset("simple", {option: value}).rules, option) == value


def test_the_first_limit_is_not_above_the_limit() -> None:
    both = {"first_attack_limit", "attack_limit"}
    assert faults("throw_in", {"first_attack_limit": 7}) == both
    assert faults("online_throw_in", {"attack_limit": 4}) == both
    assert ruleset("throw_in", {"first_attack_limit": 7, "attack_limit": None})
    assert ruleset("throw_in", {"first_attack_limit": 6})


def test_the_scope_of_a_first_limit_needs_one() -> None:
    assert faults("throw_in", {"first_limit_scope": "first_bout"}) == {"first_limit_scope"}
    assert ruleset("throw_in", {"first_attack_limit": 5, "first_limit_scope": "first_bout"})


def test_the_error_names_every_option_in_words() -> None:
    with pytest.raises(InvalidOptions, match="jokers: no such option"):
        ruleset("throw_in", {"jokers": 2})


def test_C1_30_an_option_equal_to_the_presets_changes_nothing() -> None:
    plain = ruleset("simple")
    named = ruleset("simple", {"throw_in": "on_take", "deck_size": 36})
    assert (named.options, named.sha256) == ({}, plain.sha256)


def test_C1_30_options_are_kept_with_the_ruleset_and_change_its_hash() -> None:
    found = ruleset("simple", {"deck_size": 52})
    assert found.options == {"deck_size": 52}
    assert found.rules.deck_size == 52
    assert found.sha256 != ruleset("simple").sha256


def test_rulesets_of_the_same_dials_share_a_hash_and_no_others() -> None:
    hashes = {ruleset_id: ruleset(ruleset_id).sha256 for ruleset_id in ruleset_ids()}
    assert len(set(hashes.values())) == len(hashes)
    assert all(len(digest) == 64 for digest in hashes.values())
    assert ruleset("throw_in", {"transfer": True}).sha256 == hashes["transfer"]


def test_every_dial_is_told_with_its_default_and_has_a_text() -> None:
    schema = options_schema("bout")
    properties: Any = schema["properties"]
    assert schema["additionalProperties"] is False
    assert properties.keys() == msgspec.structs.asdict(DEFAULTS).keys()
    assert properties.keys() <= set(option_names("bout"))
    for name, value in msgspec.structs.asdict(DEFAULTS).items():
        assert properties[name]["default"] == value


@pytest.mark.parametrize(
    ("ruleset_id", "options"),
    [
        ("online_throw_in", {"first_attack_limit": None}),
        ("throw_in_article", {"first_attack_limit": None}),
        ("throw_in_article", {"throw_in": "never"}),
        ("throw_in.face_out", {"throw_in": "never"}),
        ("transfer_article", {"transfer": False}),
    ],
)
def test_what_a_preset_sets_can_be_turned_off(ruleset_id: str, options: dict[str, Any]) -> None:
    assert ruleset(ruleset_id, options).options == options


def test_a_full_deal_finds_its_trump_in_the_last_card_dealt() -> None:
    assert ruleset("throw_in", {"deal_mode": "full"}).rules.trump_source == "last_dealt"
    assert ruleset("throw_in.japanese", {"deal_mode": "full"}).rules.trump_source == "fixed_suit"
    named = {"deal_mode": "full", "trump_source": "turn_up"}
    assert faults("throw_in", named) == {"deal_mode", "trump_source"}
    exchanging = {"deal_mode": "full", "trump_exchange": "six_for_any"}
    assert faults("throw_in", exchanging) == {"deal_mode", "trump_exchange"}


def test_deals_that_are_always_void_are_refused() -> None:
    bad = {"redeal_on_bad_hand": "five_of_suit", "deal_mode": "full"}
    with pytest.raises(InvalidOptions, match="every deal"):
        ruleset("throw_in", bad, 2)
    assert ruleset("throw_in", bad, 3)
    trumpless = {"trump_source": "none", "first_attacker": "random", "no_trump_first": "redeal"}
    assert faults("throw_in", trumpless) == {"no_trump_first", "trump_source"}


def test_K17_how_many_may_play_is_told_for_teams_and_for_a_drawn_diamond() -> None:
    assert player_counts("partners") == (4, 6)
    assert player_counts("throw_in") == (2, 3, 4, 5, 6)
    assert player_counts("throw_in.japanese_drawn_diamond") == (2, 3, 4, 5)
    assert players_range(ruleset("throw_in", {"teams": "pairs"}).rules) == (4, 4)
    assert players_range(ruleset("throw_in", {"teams": "triples"}).rules) == (6, 6)


@pytest.mark.parametrize(
    ("name", "ruleset_id"),
    [
        ("podkidnoy", "throw_in"),
        ("Подкидной", "throw_in"),
        ("ПЕРЕВОДНОЙ", "transfer"),
        ("transfer.japanese.full_deal", "transfer.full_deal.japanese"),
        ("THROW_IN", "throw_in"),
    ],
)
def test_a_ruleset_is_found_by_the_names_people_use(name: str, ruleset_id: str) -> None:
    assert ruleset(name).id == ruleset_id


@pytest.mark.parametrize(
    "name", ["", ".", "throw_in.", "throw_in.x", "japanese.throw_in", "ё" * 999]
)
def test_no_other_name_is_a_ruleset(name: str) -> None:
    with pytest.raises(UnknownRuleset):
        ruleset(name)


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_every_alias_names_one_ruleset(ruleset_id: str) -> None:
    for alias in ruleset_text(ruleset_id).aliases:
        assert ruleset(alias).id == ruleset_id
