"""The rulesets by id: presets, the table's own options on top, and the hash of the whole."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets import durak, shedding
from games.rules.rulesets.schema import (
    FAMILIES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    BoutRules,
    Rules,
)
from games.rules.rulesets.validate import faults
from games.rules.texts.aliases import ruleset_named

PRESETS: Final[dict[str, tuple[str, dict[str, object]]]] = {
    name: (family, values)
    for family, presets in (("bout", durak.PRESETS), ("shedding", shedding.PRESETS))
    for name, values in presets.items()
}


TABLE_SIZES: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)


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


def family_of_ruleset(ruleset_id: str) -> str | None:
    """The family of a preset; None if there is no such preset."""
    return PRESETS[ruleset_id][0] if ruleset_id in PRESETS else None


def canonical_id(name: str) -> str:
    """The id of the ruleset that goes by this name; the name itself if none does."""
    return ruleset_named(name, tuple(PRESETS)) or name


def ruleset(
    ruleset_id: str, options: Mapping[str, object] | None = None, players: int | None = None
) -> Ruleset:
    """The ruleset of this id or alias with `options` set, checked for `players` seats if given.

    Options equal to the preset's own value are dropped, so that they leave it unchanged.
    Raises UnknownRuleset and InvalidOptions (which names every option at fault).
    """
    ruleset_id = canonical_id(ruleset_id)
    if ruleset_id not in PRESETS:
        raise UnknownRuleset(ruleset_id)
    family, preset = _preset(ruleset_id, players)
    given = _read(family, options or {})
    rules = _settled(msgspec.convert(preset | given, FAMILIES[family]), given)
    own = msgspec.convert(preset, FAMILIES[family])
    changed = {name: value for name, value in given.items() if getattr(own, name) != value}
    # What the table did not ask for it is not blamed for, but the source of a preset's trump.
    wrong = faults(rules, given.keys() | preset.keys() & {"trump_source"}, players, changed)
    if wrong:
        raise InvalidOptions(wrong)
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(changed))
    return Ruleset(ruleset_id, family, plain, rules, rules_hash(family, rules))


def _settled(rules: Rules, given: Mapping[str, object]) -> Rules:
    """Rules in which a full deal finds its trump in the last card dealt (3.5, 2)."""
    if isinstance(rules, BoutRules) and rules.deal_mode == "full" and "trump_source" not in given:
        source = "last_dealt" if rules.trump_source == "turn_up" else rules.trump_source
        return msgspec.structs.replace(rules, trump_source=source)
    return rules


def _preset(ruleset_id: str, players: int | None) -> tuple[str, dict[str, object]]:
    family, values = PRESETS[ruleset_id]
    return family, values | durak.AT_PLAYERS.get(ruleset_id, {}).get(players or 0, {})


def players_range(rules: Rules) -> tuple[int, int]:
    """How many may play by these rules, from and to (K17)."""
    able = [count for count in TABLE_SIZES if not faults(rules, (), count)]
    return able[0], able[-1]


@lru_cache(maxsize=256)
def player_counts(ruleset_id: str) -> tuple[int, ...]:
    """How many may play a preset as it stands: teams need their even numbers."""
    return tuple(count for count in TABLE_SIZES if _is_playable(ruleset_id, count))


def _is_playable(ruleset_id: str, players: int) -> bool:
    try:
        ruleset(ruleset_id, players=players)
    except InvalidOptions:
        return False
    return True


@lru_cache(maxsize=512)
def rules_hash(family: str, rules: Rules) -> str:
    """SHA-256, in hex, of the canonical JSON of every dial."""
    dials = {"family": family, "dials": msgspec.structs.asdict(rules)}
    return hashlib.sha256(msgspec.json.encode(dials, order="sorted")).hexdigest()


def options_schema(family: str) -> dict[str, object]:
    """JSON Schema of the family's options, each with type and default."""
    _, parts = msgspec.json.schema_components([FAMILIES[family]], ref_template="{name}")
    properties = _inlined(parts[FAMILIES[family].__name__]["properties"], parts)
    del properties["type"]  # names the family where a game is stored; no dial
    for name, value in msgspec.structs.asdict(FAMILIES[family]()).items():
        properties[name] = properties[name] | {"default": value}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema with its parts in the places where they are referred to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(parts[schema["$ref"]], parts)
        return {name: _inlined(value, parts) for name, value in schema.items()}
    return [_inlined(one, parts) for one in schema] if isinstance(schema, list) else schema


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
            continue
        for field in _passed_over(value, read[name]):
            errors.setdefault(name, f"no such field: {field[:40]}")
    if errors:
        raise InvalidOptions(errors)
    return read


def _passed_over(value: Any, read: Any) -> Iterator[str]:
    """The fields, at any depth of an option, that its type does not know and that were dropped."""
    if not isinstance(value, Mapping):
        return
    for name, part in value.items():
        if name not in read:
            yield str(name)
        else:
            yield from _passed_over(part, read[name])
