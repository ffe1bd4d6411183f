"""What a dishonest server might do to a log of its own, and single changes to an export."""

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.api.test_replays import relink
from tests.exports import Export

__all__ = ["FORGERIES", "Forgery", "changed", "leaves", "relink"]

Json = dict[str, Any]
Place = tuple[Any, ...]


class Forgery(NamedTuple):
    """`forge` changes a game and returns the event that is then wrong.

    The game must have an event `needs`, a type or, with a fact that it tells, `type.fact`.
    """

    name: str
    needs: str
    forge: Callable[[Export], Json]


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all plain values and empty lists in an export."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        if isinstance(inner, dict | list) and inner:
            yield from leaves(inner, (*place, step))
        else:
            yield (*place, step)


def changed(game: Export, place: Place) -> Export:
    """The game with another value of the same kind in one place."""
    other = copy.deepcopy(game)
    holder: Any = other
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = _another(holder[place[-1]])
    return other


def _another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return _another_text(value)
    return 0 if value is None else ["6S"]


def _another_text(text: str) -> str:
    if re.fullmatch("[2-9TJQKA][SHDC]", text):
        return "7H" if text == "6S" else "6S"
    if re.fullmatch("[0-9a-f]+", text):
        return ("2" if text[0] == "1" else "1") + text[1:]
    return text + "x"


def _first(game: Export, kind: str) -> Json:
    found: Json = next(event for event in game["events"] if event["type"] == kind)
    return found


def _reversed(kind: str, name: str) -> Callable[[Export], Json]:
    """Turn a list of the first event of a kind round."""

    def forge(game: Export) -> Json:
        event = _first(game, kind)
        turned = event["data"][name][::-1]
        assert turned != event["data"][name]
        event["data"][name] = turned
        return event

    return forge


def _card(kind: str) -> Callable[[Export], Json]:
    """Exchange the first card of the first event of a kind."""

    def forge(game: Export) -> Json:
        event = _first(game, kind)
        event["data"]["cards"][0] = _another_text(event["data"]["cards"][0])
        return event

    return forge


def _slots(kind: str) -> Callable[[Export], Json]:
    """Lay the first hand face out that an event of a kind tells in another order."""

    def forge(game: Export) -> Json:
        event = next(e for e in game["events"] if e["type"] == kind and "slots" in e["data"])
        slots = event["data"]["slots"]
        hand = slots[0] if isinstance(slots, list) else slots
        assert len(hand["cards"]) > 1
        hand["cards"] = hand["cards"][::-1]
        return event

    return forge


def _fact(kind: str, name: str) -> Callable[[Export], Json]:
    """Change a fact of the first event of a kind."""

    def forge(game: Export) -> Json:
        event = _first(game, kind)
        event["data"][name] = _another(event["data"][name])
        return event

    return forge


def _seat(kind: str) -> Callable[[Export], Json]:
    def forge(game: Export) -> Json:
        event = _first(game, kind)
        event["seat"] = 1 - event["seat"]
        return event

    return forge


def _without(kind: str) -> Callable[[Export], Json]:
    """Leave the first event of a kind out; the one after it is wrong."""

    def forge(game: Export) -> Json:
        place = game["events"].index(_first(game, kind))
        del game["events"][place]
        _number(game)
        found: Json = game["events"][place]
        return found

    return forge


def _put(game: Export, place: int, event: Json) -> Json:
    game["events"].insert(place, event)
    _number(game)
    return event


def _number(game: Export) -> None:
    for seq, event in enumerate(game["events"], 1):
        event["seq"] = seq


def _dealt_again(game: Export) -> Json:
    """A deal that the server did not like is called void."""
    dealt = _first(game, "cards_dealt")
    void = {**dealt, "type": "cards_redealt", "data": {"reason": "no_trump"}}
    return _put(game, dealt["seq"], void)


def _late_seed(game: Export) -> Json:
    """A seat's seed is set after the deal was seen."""
    last = game["events"][-1]
    seed = {"client_seed": game["client_seeds"][0]}
    late = {**last, "type": "client_seed_set", "seat": 0, "data": seed}
    late.pop("next", None)
    return _put(game, len(game["events"]) - 1, late)


def _early_end(game: Export) -> Json:
    """The log is cut where a player was about to lose."""
    del game["events"][len(game["events"]) // 2 :]
    found: Json = game["events"][-1]
    return found


def _talon(game: Export) -> Json:
    event = _first(game, "cards_dealt")
    talon = event["data"]["talon"]
    talon[0], talon[1] = talon[1], talon[0]
    return event


FORGERIES = [
    Forgery("dealer", "game_started", _fact("game_started", "dealer")),
    Forgery("hands", "cards_dealt", _reversed("cards_dealt", "hands")),
    Forgery("talon", "hand_replenished", _talon),
    Forgery("slots of the deal", "cards_dealt.slots", _slots("cards_dealt")),
    Forgery("fresh slots", "bout_taken.slots", _slots("bout_taken")),
    Forgery("trump card", "trump_turned.card", _fact("trump_turned", "card")),
    Forgery("trump suit", "trump_turned", _fact("trump_turned", "suit")),
    Forgery("no trump", "trump_turned", _without("trump_turned")),
    Forgery("attacker", "attacker_named", _seat("attacker_named")),
    Forgery("why he attacks", "attacker_named", _fact("attacker_named", "reason")),
    Forgery("undue redeal", "attacker_named", _dealt_again),
    Forgery("deal that should be void", "cards_redealt", _without("cards_redealt")),
    Forgery("replenished hand", "hand_replenished", _card("hand_replenished")),
    Forgery("first player", "first_player_named", _seat("first_player_named")),
    Forgery("opened card", "starter_opened", _fact("starter_opened", "card")),
    Forgery("drawn card", "cards_drawn", _card("cards_drawn")),
    Forgery("recycled pile", "discard_recycled", _reversed("discard_recycled", "cards")),
    Forgery("late seed", "attacker_named", _late_seed),
    Forgery("early end", "attacker_named", _early_end),
]
