"""Combinations of options that make no game, by name (rulebook 3.5)."""

from collections.abc import Collection, Iterator

from games.rules.rulesets.schema import MAX_PLAYERS, MIN_PLAYERS, BoutRules

Fault = tuple[Collection[str], str]

_TRANSFER_DIALS = ("transfer_first_bout", "transfer_multi")
_THROW_IN_DIALS = ("throw_in_scope", "throw_in_batch", "throw_in_ranks")


def faults(rules: BoutRules, named: Collection[str], players: int | None) -> dict[str, str]:
    """Every option at fault and why. `named` are the options that preset or table set."""
    found: dict[str, str] = {}
    for names, reason in _faults(rules, named, players):
        found |= dict.fromkeys(names, reason)
    return found


def _faults(rules: BoutRules, named: Collection[str], players: int | None) -> Iterator[Fault]:
    if players is not None:
        yield from _pack_faults(rules, players)
    if not rules.transfer:
        yield from _idle(_TRANSFER_DIALS, named, "needs transfer")
    if rules.throw_in == "never":
        yield from _idle(_THROW_IN_DIALS, named, "needs throw_in")
    if rules.first_attack_limit is None:
        yield from _idle(("first_limit_scope",), named, "needs first_attack_limit")
    elif rules.attack_limit is not None and rules.first_attack_limit > rules.attack_limit:
        yield ("first_attack_limit", "attack_limit"), "the first limit is above attack_limit"


def _pack_faults(rules: BoutRules, players: int) -> Iterator[Fault]:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        yield ("players",), f"from {MIN_PLAYERS} to {MAX_PLAYERS}"
    elif players * rules.hand_size > rules.deck_size:
        yield ("players", "hand_size", "deck_size"), "the pack is too small for these hands"


def _idle(dials: Collection[str], named: Collection[str], reason: str) -> Iterator[Fault]:
    for name in dials:
        if name in named:
            yield (name,), reason
