"""Rulesets by the names that people use: aliases, in any language and order of modifiers."""

from collections.abc import Iterable
from functools import lru_cache

from games.rules.texts.rulesets import ruleset_text


def ruleset_named(name: str, ids: tuple[str, ...]) -> str | None:
    """The one of `ids` that goes by this name, or None; case does not matter.

    >>> ruleset_named("Подкидной", ("simple", "throw_in"))
    'throw_in'
    >>> ruleset_named("simple.japanese.full_deal", ("simple.full_deal.japanese",))
    'simple.full_deal.japanese'
    """
    if name in ids:
        return name
    return _known(ids).get(_key(name.split(".")))


@lru_cache(maxsize=8)
def _known(ids: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    known: dict[tuple[str, ...], str] = {}
    for ruleset_id in ids:
        for name in (ruleset_id, *ruleset_text(ruleset_id).aliases):
            known.setdefault(_key(name.split(".")), ruleset_id)
    return known


def _key(parts: Iterable[str]) -> tuple[str, ...]:
    base, *modifiers = (part.strip().casefold() for part in parts)
    return base, *sorted(modifiers)
