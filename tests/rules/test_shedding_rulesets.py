"""The presets of the shedding family, and options that do not go together."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import options_schema, ruleset, ruleset_ids
from games.rules.rulesets.schema import SheddingRules, family_of, rules_as_agreed
from games.rules.texts import option_names

OPENS = {"starter": "dealer_last_card", "first_player": "dealer_left", "next_first": "dealer_left"}
ACE = {"draw": 0, "skip": 1}
ONE, TWO, FIVE = ({"draw": count, "skip": 1} for count in (1, 2, 5))
PRESETS: dict[str, dict[str, Any]] = {
    "japanese_shedding": {
        **OPENS,
        "deal": 4,
        "wild_condition": "only_if_stuck",
        "effects": {"6": ONE, "7": TWO, "A": ACE},
        "multi_play": {"A": (3, 4)},
        "draw_rule": "one",
        "drawn_card": "may_play",
        "end": "last_holder",
        "points": None,
        "lone_wild_penalty": 0,
        "stalemate": "draw",
    },
    "mau_mau": {},
    "mau_mau_single_draw": {"draw_rule": "one"},
    "mau_mau_32": {"deck_size": 32, "effects": {"7": TWO, "8": ONE, "A": ACE}},
    "mau_mau_jacks": {
        **OPENS,
        "deal": 6,
        "wild": "J",
        "wild_left_loses": True,
        "lone_wild_penalty": 0,
    },
    "english_durak": {"ace_chain": "english"},
    "pharaoh": {"deal": 4, "finish_wild_bonus": 30, "lone_wild_penalty": 30},
    "pentagon": {
        "match": "suit_only",
        "rank_match_only": ("6",),
        "order_skips_next": True,
        "points": {"A": 11, "K": 4, "Q": 20, "J": 2, "T": 10} | dict.fromkeys("23456789", 0),
    },
    "crocodile": {"draw_rule": "one", "effects": {"6": TWO, "7": ONE, "A": ACE, "KH": FIVE}},
    "hundred_one": {
        **OPENS,
        "deal": 4,
        "draw_rule": "one",
        "effects": {"6": TWO, "7": ONE, "A": ACE, "KS": FIVE},
        "end": "last_holder",
        "points": {"J": 2, "Q": 3, "K": 4, "A": 11, "9": 0},
        "finish_wild_bonus": {"Q": 20, "QS": 40},
        "match_target": 101,
        "exact_target_resets": True,
    },
}


SCHEMA: Any = options_schema("shedding")
DIALS: dict[str, Any] = SCHEMA["properties"]


def faults(options: dict[str, Any], ruleset_id: str = "mau_mau") -> set[str]:
    with pytest.raises(InvalidOptions) as raised:
        ruleset(ruleset_id, options)
    assert all(reason for reason in raised.value.errors.values())
    return set(raised.value.errors)


def test_the_presets_of_the_rulebook_are_there() -> None:
    assert set(ruleset_ids("shedding")) == set(PRESETS)
    assert set(ruleset_ids()) == set(ruleset_ids("shedding")) | set(ruleset_ids("bout"))


@pytest.mark.parametrize("ruleset_id", PRESETS)
def test_a_preset_differs_from_mau_mau_as_the_rulebook_says(ruleset_id: str) -> None:
    dials = msgspec.structs.asdict(ruleset(ruleset_id).rules)
    defaults = msgspec.structs.asdict(SheddingRules())
    changed = {name: value for name, value in dials.items() if defaults[name] != value}
    assert changed == PRESETS[ruleset_id]


@pytest.mark.parametrize(
    ("option", "default"),
    [
        ("deck_size", 36),
        ("deal", 5),
        ("starter", "none"),
        ("starter_effect", True),
        ("first_player", "random"),
        ("next_first", "winner"),
        ("match", "suit_or_rank"),
        ("rank_match_only", ()),
        ("wild", "Q"),
        ("wild_condition", "always"),
        ("wild_blocked_on", ()),
        ("order_skips_next", False),
        ("effects", {"6": TWO, "7": ONE, "A": ACE}),
        ("stacking", "none"),
        ("multi_play", {}),
        ("ace_multi", "per_ace_capped"),
        ("ace_chain", "none"),
        ("draw_rule", "until_playable"),
        ("drawn_card", "must_play"),
        ("draw_until_recycles", False),
        ("recycle", "flip"),
        ("end", "first_out"),
        ("last_card_effect", True),
        ("points", {"J": 2, "Q": 3, "K": 4, "A": 11}),
        ("lone_wild_penalty", 20),
        ("finish_wild_bonus", 0),
        ("wild_left_loses", False),
        ("match_target", None),
        ("exact_target_resets", False),
        ("stalemate", "count_points"),
        ("max_moves", 5000),
        ("next_dealer", "loser"),
        ("first_dealer", "lot"),
    ],
)
def test_defaults_are_those_of_the_rulebook(option: str, default: Any) -> None:
    assert getattr(SheddingRules(), option) == default


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"transfer": True, "hand_size": 6}, {"transfer", "hand_size"}),
        ({"deck_size": 24}, {"deck_size"}),
        ({"deal": 2}, {"deal"}),
        ({"deal": 8}, {"deal"}),
        ({"wild": "K"}, {"wild"}),
        ({"effects": {"X": ACE}}, {"effects"}),
        ({"effects": {"6": {"draw": 1}}}, {"effects"}),
        ({"effects": {"6": {"draw": 11, "skip": 0}}}, {"effects"}),
        ({"multi_play": {"A": [1]}}, {"multi_play"}),
        ({"multi_play": {"A": [5]}}, {"multi_play"}),
        ({"rank_match_only": ["10"], "match": "suit_only"}, {"rank_match_only"}),
        ({"points": {"A": "11"}}, {"points"}),
        ({"first_player": "lowest_trump"}, {"first_player"}),
        ({"type": "shedding"}, {"type"}),
    ],
)
def test_options_that_do_not_exist_or_have_no_such_value(
    options: dict[str, Any], names: set[str]
) -> None:
    assert faults(options) == names


RANKS = "23456789TJQKA"
LISTS: list[tuple[str, Any]] = [
    ("rank_match_only", RANKS),
    ("wild_blocked_on", RANKS),
    ("multi_play", (2, 3, 4)),
]


@pytest.mark.parametrize(("name", "entries"), LISTS)
@pytest.mark.parametrize("times", [2, 20_000])
def test_no_list_names_an_entry_twice(name: str, entries: Any, times: int) -> None:
    for listed in ([entries[-1]] * times, [*entries, *entries[: times - 1]]):
        value = {"A": listed} if name == "multi_play" else listed
        assert faults({"deck_size": 52, "match": "suit_only", name: value}) == {name}


@pytest.mark.parametrize(("name", "entries"), LISTS)
def test_a_list_may_name_every_entry(name: str, entries: Any) -> None:
    value = {rank: list(entries) for rank in RANKS} if name == "multi_play" else list(entries)
    options = {"deck_size": 52, "match": "suit_only", name: value}
    assert ruleset("mau_mau", options).options[name] == value


def test_there_is_no_other_list_among_the_dials() -> None:
    listed = {
        name for name, dial in DIALS.items() if '"array"' in msgspec.json.encode(dial).decode()
    }
    assert listed == {name for name, _ in LISTS}


MAPS: dict[str, tuple[str, Any]] = {
    "effects": ("7S", ACE),
    "multi_play": ("A", [2]),
    "points": ("7S", 3),
    "finish_wild_bonus": ("QS", 3),
}


def test_there_is_no_other_map_among_the_dials() -> None:
    told = {name: msgspec.json.encode(dial).decode() for name, dial in DIALS.items()}
    assert {name for name, dial in told.items() if '"object"' in dial} == set(MAPS)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("more", ["{}\n", "\n{}", "{} ", "{}\r", "{}\r\n", "{}\x00", "{}S", "1{}"])
def test_a_map_names_ranks_and_cards_to_the_letter(name: str, more: str) -> None:
    known, value = MAPS[name]
    assert name in ruleset("mau_mau", {name: {known: value}}).options
    for key in (known, known[0]):
        if more.format(key) != known:
            assert faults({name: {more.format(key): value}}) == {name}


@pytest.mark.parametrize("effects", [{"6": ACE | {"foo": 2}}, {"6": ACE, "7S": ACE | {"": None}}])
def test_an_effect_has_nothing_but_its_own_fields(effects: dict[str, Any]) -> None:
    assert faults({"effects": effects}) == {"effects"}


def test_the_field_of_an_effect_that_does_not_exist_is_named() -> None:
    with pytest.raises(InvalidOptions) as raised:
        ruleset("mau_mau", {"effects": {"6": ACE | {"foo" * 30: 2, "bar": 1}}})
    assert raised.value.errors == {"effects": "no such field: " + ("foo" * 30)[:40]}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"rank_match_only": ["6"]}, {"rank_match_only", "match"}),
        ({"wild": None, "order_skips_next": True}, {"wild", "order_skips_next"}),
        ({"wild": None, "wild_condition": "only_if_stuck"}, {"wild", "wild_condition"}),
        ({"wild": None, "lone_wild_penalty": 30}, {"wild", "lone_wild_penalty"}),
        ({"wild": None, "wild_blocked_on": ["7"]}, {"wild", "wild_blocked_on"}),
        ({"wild": None, "finish_wild_bonus": 30}, {"wild", "finish_wild_bonus"}),
        ({"wild": None, "wild_left_loses": True}, {"wild", "wild_left_loses"}),
        ({"finish_wild_bonus": {"K": 30}}, {"wild", "finish_wild_bonus"}),
        ({"deck_size": 32}, {"deck_size", "effects"}),
        ({"exact_target_resets": True}, {"exact_target_resets", "match_target"}),
        ({"points": None}, {"points", "end", "stalemate"}),
        (
            {"points": None, "end": "last_holder", "stalemate": "draw", "finish_wild_bonus": 5},
            {"points", "finish_wild_bonus"},
        ),
        (
            {"points": None, "end": "last_holder", "stalemate": "draw", "match_target": 50},
            {"points", "match_target"},
        ),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], names: set[str]) -> None:
    assert faults(options) == names


@pytest.mark.parametrize(
    "options",
    [
        {"wild": None},
        {"wild_left_loses": True, "finish_wild_bonus": 30},
        {"draw_rule": "one", "drawn_card": "must_play"},
        {"end": "last_holder", "finish_wild_bonus": 30},
        {"points": None, "end": "last_holder", "stalemate": "draw"},
        {"match": "suit_only", "rank_match_only": ["6", "A"]},
        {"deck_size": 32, "effects": {}},
        {"deck_size": 52, "effects": {"2": {"draw": 2, "skip": 0}, "KH": {"draw": 5, "skip": 1}}},
        {"match_target": 101, "exact_target_resets": True},
        {"stacking": "same_rank", "multi_play": {"A": [2, 3, 4], "6": [2]}},
    ],
)
def test_options_that_go_together(options: dict[str, Any]) -> None:
    found = ruleset("mau_mau", options)
    assert found.options.items() <= options.items()
    assert found.sha256 != ruleset("mau_mau").sha256


@pytest.mark.parametrize(("size", "foreign"), [(32, "23456"), (36, "2345"), (52, "")])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("effects", lambda rank: {rank: ACE}),
        ("effects", lambda rank: {"A": ACE, rank + "S": ACE}),
        ("points", lambda rank: {rank: 3}),
        ("points", lambda rank: {"A": 3, rank + "S": 3}),
        ("multi_play", lambda rank: {rank: [2]}),
        ("wild_blocked_on", lambda rank: sorted({"A", rank})),
        ("rank_match_only", lambda rank: sorted({"A", rank})),
    ],
)
def test_no_option_speaks_of_ranks_that_the_pack_lacks(
    size: int, foreign: str, name: str, value: Callable[[str], Any]
) -> None:
    for rank in RANKS:
        options = {"effects": {}, "match": "suit_only", "deck_size": size, name: value(rank)}
        if rank in foreign:
            assert faults(options) == {name, "deck_size"}
        else:
            assert ruleset("mau_mau", options).options[name] == value(rank)


@pytest.mark.parametrize("ruleset_id", PRESETS)
@pytest.mark.parametrize("size", [32, 36, 52])
def test_a_preset_fits_every_pack_and_may_be_said_in_full(ruleset_id: str, size: int) -> None:
    own: Any = msgspec.to_builtins(ruleset(ruleset_id).rules)
    plain = {"effects": {}, "deck_size": size}
    assert ruleset(ruleset_id, plain).options.items() <= plain.items()
    said = {
        name: own[name] for name in ("points", "multi_play", "rank_match_only") if own.get(name)
    }
    assert ruleset(ruleset_id, said | plain) == ruleset(ruleset_id, plain)


def test_an_option_of_the_other_family_is_refused() -> None:
    with pytest.raises(InvalidOptions):
        ruleset("throw_in", {"draw_rule": "one"})


def test_every_dial_is_told_with_its_default_and_has_a_text() -> None:
    schema = options_schema("shedding")
    properties: Any = schema["properties"]
    defaults = msgspec.to_builtins(SheddingRules())
    assert schema["additionalProperties"] is False
    assert properties.keys() == msgspec.structs.asdict(SheddingRules()).keys()
    assert properties.keys() <= set(option_names("shedding"))
    for name, value in defaults.items():
        if name != "type":
            assert properties[name]["default"] == value
    effect = properties["effects"]["additionalProperties"]
    assert effect["properties"].keys() == {"draw", "skip"}


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_rules_come_back_from_the_log_as_they_were_agreed(ruleset_id: str) -> None:
    rules = ruleset(ruleset_id).rules
    logged = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(rules)))
    again = rules_as_agreed(logged)
    assert again == rules
    assert hash(again) == hash(rules)
    assert family_of(again) == family_of(rules)


def test_rules_of_no_family_are_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="no family"):
        rules_as_agreed({"jokers": 2})
