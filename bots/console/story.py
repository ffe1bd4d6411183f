"""Telling the events of a game in words."""

from collections.abc import Mapping
from typing import Any

from bots.console.screen import Screen


def told(screen: Screen, event: Mapping[str, Any], you: int) -> str | None:
    """One line for a redacted event, or None for one that says nothing by itself."""
    key = f"events.{event['type']}"
    if event["data"].get("suit") and event["type"] == "cards_played":
        key = "events.cards_played_naming"
    if not screen.words.knows(key):
        return None
    seat = event["seat"]
    name = "" if seat is None else screen.names[seat]
    return screen.words.say(key, you=seat == you, name=name, **_fields(screen, event["data"]))


def _fields(screen: Screen, data: Mapping[str, Any]) -> dict[str, object]:
    fields: dict[str, object] = {"place": data.get("place"), "card": "–"}
    for name in ("card", "target"):
        if data.get(name):
            fields[name] = screen.card(data[name])
    if "cards" in data:
        shown = screen.cards([card for card in data["cards"] if card != "??"])
        fields |= {"count": len(data["cards"]), "cards": shown or "▮" * len(data["cards"])}
    if data.get("suit"):
        fields["suit"] = screen.suit(data["suit"])
    if "reason" in data:
        fields["reason"] = _reason(screen, data)
    return fields


def _reason(screen: Screen, data: Mapping[str, Any]) -> str:
    key = f"reasons.{data['reason']}"
    text = screen.words.say(key) if screen.words.knows(key) else ""
    return f"{text} {screen.card(data['card'])}" if data.get("card") else text
