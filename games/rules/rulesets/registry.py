"""The rulesets by id: presets, the table's own options on top, and the hash of the whole."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets import durak, shedding
from games.rules.rulesets.schema import (
    FAMILIES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    BoutRules,
    Rules,
    SheddingRules,
)
from games.rules.rulesets.validate import faults, most_players

PRESETS: Final[dict[str, tuple[str, dict[str, object]]]] = {
    name: (family, values)
    for family, presets in (("bout", durak.PRESETS), ("shedding", shedding.PRESETS))
    for name, values in presets.items()
}


class Ruleset(msgspec.Struct, frozen=True):
    """A preset with a table's own options: `rules` holds every dial, `options` what was changed."""

    id: str
    family: str
    options: dict[str, object]
    rules: Rules
    sha256: str


def ruleset_ids(family: str | None = None) -> tuple[str, ...]:
    """Every preset, or those of one family, in the order in which they are shown."""
    return tuple(name for name, (of, _) in PRESETS.items() if family in (of, None))


def ruleset(
    ruleset_id: str, options: Mapping[str, object] | None = None, players: int | None = None
) -> Ruleset:
    """The ruleset of this id with `options` set, checked for `players` seats if given.

    Options equal to the preset's own value are dropped, so that they leave it unchanged.
    Raises UnknownRuleset and InvalidOptions (which names every option at fault).
    """
    if ruleset_id not in PRESETS:
        raise UnknownRuleset(ruleset_id)
    family, preset = _preset(ruleset_id, players)
    given = _read(family, options or {})
    named = preset | given
    rules = msgspec.convert(named, FAMILIES[family])
    wrong = faults(rules, named, players)
    if wrong:
        raise InvalidOptions(wrong)
    own = msgspec.convert(preset, FAMILIES[family])
    changed = {name: value for name, value in given.items() if getattr(own, name) != value}
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(changed))
    return Ruleset(ruleset_id, family, plain, rules, rules_hash(family, rules))


def _preset(ruleset_id: str, players: int | None) -> tuple[str, dict[str, object]]:
    family, values = PRESETS[ruleset_id]
    return family, values | durak.AT_PLAYERS.get(ruleset_id, {}).get(players or 0, {})


def players_range(rules: Rules) -> tuple[int, int]:
    """How many may play, from and to (K17)."""
    if isinstance(rules, SheddingRules):
        return MIN_PLAYERS, min(MAX_PLAYERS, most_players(rules))
    return _bout_players(rules)


def _bout_players(rules: BoutRules) -> tuple[int, int]:
    if rules.teams != "none":
        return (4, 6) if rules.teams == "pairs" else (6, 6)
    if rules.deal_mode == "full":
        return MIN_PLAYERS, MAX_PLAYERS
    return MIN_PLAYERS, min(MAX_PLAYERS, rules.deck_size // rules.hand_size)


@lru_cache(maxsize=512)
def rules_hash(family: str, rules: Rules) -> str:
    """SHA-256, in hex, of the canonical JSON of every dial."""
    dials = {"family": family, "dials": msgspec.structs.asdict(rules)}
    return hashlib.sha256(msgspec.json.encode(dials, order="sorted")).hexdigest()


def options_schema(family: str) -> dict[str, object]:
    """JSON Schema of the family's options, each with type and default."""
    _, others = msgspec.json.schema_components([FAMILIES[family]], ref_template="#/$defs/{name}")
    properties = dict(others.pop(FAMILIES[family].__name__)["properties"])
    del properties["type"]  # names the family where a game is stored; no dial
    for name, value in msgspec.structs.asdict(FAMILIES[family]()).items():
        properties[name] = properties[name] | {"default": value}
    described: dict[str, object] = {"type": "object", "additionalProperties": False}
    return described | {"properties": properties} | ({"$defs": others} if others else {})


@lru_cache
def _types(family: str) -> dict[str, object]:
    return {field.name: field.type for field in msgspec.structs.fields(FAMILIES[family])}


def _read(family: str, options: Mapping[str, object]) -> dict[str, object]:
    types = _types(family)
    read: dict[str, object] = {}
    errors: dict[str, str] = {}
    for name, value in options.items():
        if name not in types:
            errors[str(name)[:40]] = "no such option in this ruleset"
            continue
        try:
            read[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            errors[name] = str(error)
    if errors:
        raise InvalidOptions(errors)
    return read
