"""A client in the smallest form: a view, and events that make it the newer view.

It knows what the events of API.md say and no rule of the game: JSON in, JSON out.
"""

from collections.abc import Callable, Iterable
from typing import Any

Json = dict[str, Any]
Fold = Callable[[Json, Any, Json], None]

RANKS = "23456789TJQKA"
SUITS = "SHDC"


def fold(view: Json, event: Json) -> Json:
    """The view after an event, both as the same viewer sees them."""
    newer = {
        **view,
        "version": event["seq"],
        "you": None if view["you"] is None else dict(view["you"]),
        "seats": [dict(seat) for seat in view["seats"]],
    }
    if "table" in view:
        newer["table"] = [dict(pair) for pair in view["table"]]
    newer["to_act"], newer["deadline"] = [], None
    if newer["you"]:
        newer["you"]["legal_moves"] = []
    FOLDS[event["type"]](newer, event["seat"], event["data"])
    if "next" in event:
        follow(newer, event["next"])
    return newer


def follow(view: Json, follows: Json) -> None:
    for field in {"phase", "to_act", "attacker", "defender", "deadline"} & view.keys():
        view[field] = follows[field]
    for seat, bank in enumerate(follows.get("bank_seconds", ())):
        view["seats"][seat]["bank_seconds"] = bank
    if "ace_right" in view and view["ace_right"] not in follows["to_act"]:
        view["ace_right"] = None
    if view["you"]:
        view["you"]["legal_moves"] = follows["legal_moves"]


def started(view: Json, seat: Any, data: Json) -> None:
    phase = "attack" if "table" in view else "play"
    view.update(status="running", dealer=data["dealer"], phase=phase, passed=[])
    view.pop("reserved_until", None)
    view.update(talon_count=0, discard_count=0)
    if view["options"].get("discard_visibility") == "full":
        view["discard"] = []
    for chair in view["seats"]:
        chair["status"] = "playing"


def dealt(view: Json, seat: Any, data: Json) -> None:
    view["talon_count"] = data["talon_count"]
    if "table" in view:
        view.update(trump=None, turn_up=None)
    for chair, hand in zip(view["seats"], data["hands"], strict=True):
        chair["hand_count"] = len(hand)
        chair.pop("shown", None)
        if is_own(view, chair["seat"]):
            view["you"]["hand"] = numbered(data["slots"]) if "slots" in data else in_order(hand)
        elif "slots" in data:
            chair["hand"] = in_order(hand)


def trump_turned(view: Json, seat: Any, data: Json) -> None:
    view["trump"] = data["suit"]
    if seat is None:
        view["turn_up"] = data.get("card")
    else:
        expose(view, seat, data["card"])


def opened(view: Json, seat: Any, data: Json) -> None:
    added(view, seat, data)


def beaten(view: Json, seat: Any, data: Json) -> None:
    remove(view, seat, [data["card"]], data.get("from_slots", []))
    view["passed"] = []
    for pair in view["table"]:
        if pair["attack"] == data["target"]:
            pair["beat"] = data["card"]


def thrown_in(view: Json, seat: Any, data: Json) -> None:
    added(view, seat, data)


def transferred(view: Json, seat: Any, data: Json) -> None:
    added(view, seat, data)
    view.update(attacker=seat, defender=data["defender"])


def trump_shown(view: Json, seat: Any, data: Json) -> None:
    view.update(attacker=seat, defender=data["defender"], passed=[])
    expose(view, seat, data["card"])


def trump_exchanged(view: Json, seat: Any, data: Json) -> None:
    remove(view, seat, [data["card"]], [])
    view["turn_up"] = data["card"]
    give(view, seat, [data["open_card"]], None)
    expose(view, seat, data["open_card"])


def called(view: Json, seat: Any, data: Json) -> None:
    give(view, data["offender"], [data["card"]], None)
    if "returned" in data:
        give(view, view["defender"], [data["returned"]], None)
    if "target" not in data:
        view["table"] = [pair for pair in view["table"] if pair["attack"] != data["card"]]
    for pair in view["table"]:
        if pair["beat"] == data["card"]:
            pair["beat"] = None


def take_declared(view: Json, seat: Any, data: Json) -> None:
    view["phase"] = "take"


def passed(view: Json, seat: Any, data: Json) -> None:
    if seat not in view["passed"]:
        view["passed"] = [*view["passed"], seat]
    if "pending" in view:
        view["pending"] = None


def taken(view: Json, seat: Any, data: Json) -> None:
    give(view, seat, data["cards"], data.get("slots"))
    view.update(table=[], passed=[])


def discarded(view: Json, seat: Any, data: Json) -> None:
    if "discard" in view:
        view["discard"] = in_order([*view["discard"], *data["cards"]])
    view.update(table=[], passed=[], discard_count=view["discard_count"] + len(data["cards"]))


def replenished(view: Json, seat: Any, data: Json) -> None:
    give(view, seat, data["cards"], data.get("slots"))
    if "open_card" in data:
        expose(view, seat, data["open_card"])
    view["talon_count"] -= len(data["cards"])
    if view["talon_count"] == 0:
        view["turn_up"] = None


def starter_opened(view: Json, seat: Any, data: Json) -> None:
    view.update(top_card=data["card"], discard_count=1, pending=data.get("pending"))
    if seat is None:
        view["talon_count"] -= 1
    else:
        remove(view, seat, [data["card"]], [])


def cards_played(view: Json, seat: Any, data: Json) -> None:
    remove(view, seat, data["cards"], [])
    view["discard_count"] += len(data["cards"])
    view.update(top_card=data["cards"][-1], named_suit=data.get("suit"))
    view.update(passed=[], pending=data.get("pending"), ace_right=None)


def cards_drawn(view: Json, seat: Any, data: Json) -> None:
    give(view, seat, data["cards"], None)
    view["talon_count"] -= len(data["cards"])
    view.update(passed=[], pending=None)


def recycled(view: Json, seat: Any, data: Json) -> None:
    view.update(talon_count=len(data["cards"]), discard_count=1)


def suit_named(view: Json, seat: Any, data: Json) -> None:
    view["named_suit"] = data["suit"]


def skipped(view: Json, seat: Any, data: Json) -> None:
    view["pending"] = None


def right_passed(view: Json, seat: Any, data: Json) -> None:
    view["ace_right"] = seat


def went_out(view: Json, seat: Any, data: Json) -> None:
    chair = view["seats"][seat]
    chair["place"] = data["place"]
    if chair["status"] != "resigned":
        chair["status"] = "out"


def finished(view: Json, seat: Any, data: Json) -> None:
    view.update(status="finished", result=data["result"])
    better = 0
    for group in data["result"]["places"]:
        for member in group:
            view["seats"][member]["place"] = better + 1
        better += len(group)


def voided(view: Json, seat: Any, data: Json) -> None:
    view.update(status="finished", result=data["result"])
    view.pop("reserved_until", None)
    if "reason" in data:
        view["voided"] = data["reason"]


def joined(view: Json, seat: Any, data: Json) -> None:
    chair = view["seats"][seat]
    chair.update(player=data["player"], kind=data["kind"], bot=data.get("brain"), status="seated")
    chair.pop("reserved_for", None)


def left(view: Json, seat: Any, data: Json) -> None:
    chair = view["seats"][seat]
    if "reserved_until" in view:
        chair.update(status="reserved", reserved_for=chair["player"])
    else:
        chair["status"] = "open"
    chair.update(player=None, kind=None, bot=None)


def resigned(view: Json, seat: Any, data: Json) -> None:
    view["seats"][seat]["status"] = "resigned"


def replaced(view: Json, seat: Any, data: Json) -> None:
    view["seats"][seat]["bot"] = data["brain"]


def returned(view: Json, seat: Any, data: Json) -> None:
    view["seats"][seat]["bot"] = None


def nothing(view: Json, seat: Any, data: Json) -> None:
    """News that a view does not show."""


def is_own(view: Json, seat: int) -> bool:
    return view["you"] is not None and view["you"]["seat"] == seat


def added(view: Json, seat: int, data: Json) -> None:
    remove(view, seat, data["cards"], data.get("from_slots", []))
    view["table"] += [{"attack": card, "beat": None} for card in data["cards"]]
    view["passed"] = []


def remove(view: Json, seat: int, cards: list[str], from_slots: list[int]) -> None:
    chair = view["seats"][seat]
    chair["hand_count"] -= len(cards)
    gone = [*cards, *({"slot": number} for number in from_slots)]
    for holder in (chair, view["you"] if is_own(view, seat) else {}):
        for name in {"hand", "shown"} & holder.keys():
            holder[name] = [card for card in holder[name] if card not in gone]
    if not chair.get("shown", True):
        del chair["shown"]


def give(view: Json, seat: int, cards: list[str], fresh: Json | None) -> None:
    chair = view["seats"][seat]
    chair["hand_count"] += len(cards)
    if fresh is not None:
        view["you"]["hand"] = numbered(fresh)
    elif is_own(view, seat):
        view["you"]["hand"] = in_order([*view["you"]["hand"], *cards])
    elif "hand" in chair:
        chair["hand"] = in_order([*chair["hand"], *cards])


def expose(view: Json, seat: int, card: str) -> None:
    chair = view["seats"][seat]
    chair["shown"] = in_order({card, *chair.get("shown", [])})


def numbered(slots: Json) -> list[Json]:
    """A hand that its owner cannot see."""
    return [{"slot": slots["base"] + place} for place in range(slots["count"])]


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1])))


FOLDS: dict[str, Fold] = {
    "player_joined": joined,
    "player_left": left,
    "client_seed_set": nothing,
    "seat_resigned": resigned,
    "seat_replaced": replaced,
    "seat_returned": returned,
    "seat_timed_out": nothing,
    "deadline_extended": nothing,
    "game_started": started,
    "cards_dealt": dealt,
    "trump_turned": trump_turned,
    "cards_redealt": nothing,
    "attacker_named": nothing,
    "bout_opened": opened,
    "card_beaten": beaten,
    "cards_thrown_in": thrown_in,
    "bout_transferred": transferred,
    "trump_shown": trump_shown,
    "trump_exchanged": trump_exchanged,
    "wrong_play_punished": nothing,
    "wrong_play_called": called,
    "take_declared": take_declared,
    "seat_passed": passed,
    "bout_taken": taken,
    "bout_discarded": discarded,
    "hand_replenished": replenished,
    "first_player_named": nothing,
    "starter_opened": starter_opened,
    "cards_played": cards_played,
    "cards_drawn": cards_drawn,
    "discard_recycled": recycled,
    "suit_named": suit_named,
    "seat_skipped": skipped,
    "ace_right_passed": right_passed,
    "seat_went_out": went_out,
    "game_finished": finished,
    "game_voided": voided,
}
