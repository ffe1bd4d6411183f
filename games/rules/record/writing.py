"""Records as text: written."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from textwrap import fill
from typing import Any, Final

import msgspec

from games.rules.record.game import Deal, Record, Turn
from games.rules.rulesets.registry import family_of_ruleset
from games.rules.shorthand import write_cards, write_turn

WIDTH: Final = 88


def write_record(record: Record) -> str:
    """A record as text; `read_record` gives it back."""
    tags = [f"[{name} {_json(value)}]" for name, value in _tags(record)]
    bouts = [_bout(bout, list(turns)) for bout, turns in groupby(record.turns, attrgetter("bout"))]
    return "\n".join((*tags, "", *bouts)).rstrip("\n") + "\n"


def _tags(record: Record) -> Iterator[tuple[str, object]]:
    yield "Ruleset", record.ruleset
    yield "Options", dict(sorted(record.options.items()))
    yield "Players", record.players
    if record.game_number != 1:
        yield "Game", record.game_number
    yield "Dealer", record.dealer
    for deal in record.deals:
        yield from _deal_tags(deal)
    yield first_tag(record.ruleset), record.attacker
    yield "Because", record.because
    if record.recycled:
        yield "Recycled", [write_cards(cards) for cards in record.recycled]
    yield "Result", _result(record)


def first_tag(ruleset_id: str) -> str:
    """The tag that says who made the first move."""
    return "First" if family_of_ruleset(ruleset_id) == "shedding" else "Attacker"


def _deal_tags(deal: Deal) -> Iterator[tuple[str, str]]:
    yield "Hands", "/".join(write_cards(hand) for hand in deal.hands)
    yield "Talon", write_cards(deal.talon)
    if deal.trump is not None:
        yield "Trump", deal.trump
    if deal.drawn:
        yield "Drawn", write_cards(deal.drawn)
    if deal.void is not None:
        yield "Redealt", deal.void


def _result(record: Record) -> dict[str, Any] | None:
    if record.result is None:
        return None
    told: dict[str, Any] = msgspec.to_builtins(record.result)
    extras = ("points", "epaulettes")
    return {name: value for name, value in told.items() if value is not None or name not in extras}


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def _bout(bout: int, turns: Sequence[Turn]) -> str:
    told = " ".join(write_turn(turn.seat, turn.move, turn.wrong) for turn in turns)
    return fill(
        f"{bout}. {told}",
        WIDTH,
        subsequent_indent="   ",
        break_long_words=False,
        break_on_hyphens=False,
    )
