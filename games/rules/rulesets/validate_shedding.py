"""Combinations of options that make no shedding game, by name (rulebook 3.5, 12)."""

from collections.abc import Collection, Iterable, Iterator

from games.rules.cards import pack
from games.rules.rulesets.schema import MAX_PLAYERS, MIN_PLAYERS, SheddingRules

Fault = tuple[Collection[str], str]


def most_players(rules: SheddingRules) -> int:
    """For how many hands the pack is enough if a card must be left to draw (U16)."""
    opened = 1 if rules.starter == "deck_top" else 0
    return (rules.deck_size - 1 - opened) // rules.deal


def shedding_faults(
    rules: SheddingRules, named: Collection[str], players: int | None, changed: Collection[str]
) -> Iterator[Fault]:
    """Every fault: the options that do not go together, and why."""
    if players is not None:
        yield from _player_faults(rules, players)
    if rules.match == "suit_or_rank" and rules.rank_match_only:
        yield ("rank_match_only", "match"), "every rank matches by rank anyway"
    if rules.exact_target_resets and rules.match_target is None:
        yield ("exact_target_resets", "match_target"), "there is no target"
    yield from _repeat_faults(rules)
    yield from _wild_faults(rules, named)
    yield from _pack_faults(rules, changed)
    yield from _points_faults(rules)


def _player_faults(rules: SheddingRules, players: int) -> Iterator[Fault]:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        yield ("players",), f"from {MIN_PLAYERS} to {MAX_PLAYERS}"
    elif players > most_players(rules):
        yield ("players", "deal", "deck_size"), "the pack is too small for these hands"


def _repeat_faults(rules: SheddingRules) -> Iterator[Fault]:
    lists: dict[str, Iterable[tuple[object, ...]]] = {
        "rank_match_only": [rules.rank_match_only],
        "wild_blocked_on": [rules.wild_blocked_on],
        "multi_play": rules.multi_play.values(),
    }
    for name, named in lists.items():
        if any(len(set(entries)) < len(entries) for entries in named):
            yield (name,), "names an entry twice"


def _wild_faults(rules: SheddingRules, named: Collection[str]) -> Iterator[Fault]:
    """What the table wants of a card that names suits, where there is none."""
    wanted = {
        "order_skips_next": rules.order_skips_next,
        "wild_condition": rules.wild_condition != "always",
        "wild_blocked_on": bool(rules.wild_blocked_on),
        "lone_wild_penalty": rules.lone_wild_penalty != 0,
        "finish_wild_bonus": bool(rules.finish_wild_bonus),
        "wild_left_loses": rules.wild_left_loses,
    }
    for name in wanted if rules.wild is None else ():
        if wanted[name] and name in named:
            yield (name, "wild"), "no card names a suit here"
    strange = any(card[0] != rules.wild for card in _bonus_cards(rules))
    if strange and rules.wild is not None and "finish_wild_bonus" in named:
        yield ("finish_wild_bonus", "wild"), "names cards that do not name a suit"


def _bonus_cards(rules: SheddingRules) -> Collection[str]:
    return rules.finish_wild_bonus if isinstance(rules.finish_wild_bonus, dict) else ()


def _pack_faults(rules: SheddingRules, changed: Collection[str]) -> Iterator[Fault]:
    """What speaks of cards that are not dealt; a preset's points may, as it fits several packs."""
    ranks = {card[0] for card in pack(rules.deck_size)}
    naming: dict[str, Iterable[str]] = {
        "effects": rules.effects,
        "points": rules.points or (),
        "multi_play": rules.multi_play,
        "wild_blocked_on": rules.wild_blocked_on,
        "rank_match_only": rules.rank_match_only,
    }
    for name, cards in naming.items():
        blamed = name == "effects" or name in changed
        if blamed and any(card[0] not in ranks for card in cards):
            yield (name, "deck_size"), "names ranks that this pack lacks"


def _points_faults(rules: SheddingRules) -> Iterator[Fault]:
    if rules.points is not None:
        return
    if rules.end == "first_out":
        yield ("points", "end"), "points decide who comes after the winner"
    counting = {
        "finish_wild_bonus": bool(rules.finish_wild_bonus),
        "stalemate": rules.stalemate == "count_points",
        "match_target": rules.match_target is not None,
    }
    for name, counts in counting.items():
        if counts:
            yield (name, "points"), "nobody counts points here"
