"""Reading what a person types at the prompt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from bots.brains.patterns import Pattern, cheapest, entries_of, move_of, smallest
from bots.brains.registry import Answer
from bots.console.screen import SYMBOLS
from games.rules.cards import parse_card

COMMANDS: Final = {
    "help": "help", "?": "help", "h": "help", "помощь": "help",
    "rules": "rules", "правила": "rules",
    "table": "table", "стол": "table",
    "quit": "quit", "exit": "quit", "q": "quit", "выход": "quit",
}  # fmt: skip
_VERBS: Final = {
    "attack": "attack", "a": "attack", "ход": "attack", "захожу": "attack",
    "beat": "beat", "b": "beat", "бью": "beat",
    "throw": "throw_in", "throw_in": "throw_in", "подкину": "throw_in", "подкидываю": "throw_in",
    "transfer": "transfer", "перевожу": "transfer", "перевод": "transfer",
    "take": "take", "t": "take", "беру": "take", "взять": "take",
    "pass": "pass", "p": "pass", "done": "pass", "бито": "pass", "пас": "pass",
    "play": "play", "кладу": "play",
    "draw": "draw", "d": "draw", "тяну": "draw", "тянуть": "draw",
    "suit": "name_suit", "масть": "name_suit",
}  # fmt: skip
_PHASE_MOVES: Final = {"attack": "attack", "defend": "beat"}
_RESTING: Final = ("take", "pass", "draw")
_SUITS: Final = {symbol: suit for suit, symbol in SYMBOLS.items()} | {
    suit: suit for suit in SYMBOLS
}


class Reading(NamedTuple):
    """What a line means: a command, or the moves it may stand for (none if it means nothing)."""

    command: str | None = None
    moves: tuple[Answer, ...] = ()


def choices(view: Mapping[str, Any]) -> list[Answer]:
    """The moves that are offered by number: every single card, and all cards of a pattern.

    A card that may name a suit is offered with each, and without one if it need not.
    """
    patterns = view["you"]["legal_moves"]
    return [move for pattern in patterns for move in _offered(pattern, view.get("trump"))]


def _offered(pattern: Pattern, trump: str | None) -> list[Answer]:
    field, entries = entries_of(pattern)
    if field == "cards":
        entries = cheapest(entries, trump)
    if pattern.get("suits"):
        return _naming(pattern, entries)
    if not entries or pattern["min"] != 1 or pattern.get("first"):
        return [smallest(pattern)]
    moves = [move_of(pattern, [entry]) for entry in entries]
    if 1 < len(entries) <= pattern["max"]:
        moves.append(move_of(pattern, entries))
    return moves


def _naming(pattern: Pattern, entries: Sequence[Any]) -> list[Answer]:
    suits = pattern["suits"] if pattern.get("suit_required") else (None, *pattern["suits"])
    few = pattern.get("min") or 0
    chosen = [[entry] for entry in entries] if few == 1 else [list(entries[:few])]
    return [move_of(pattern, cards, suit) for cards in chosen for suit in suits]


def read_line(line: str, view: Mapping[str, Any]) -> Reading:
    """What the line means in this position.

    A move that is not legal is read too, as well as can be, so that the rules can say why not.
    """
    words = line.replace(",", " ").replace("=", " ").split()
    if not words:
        return Reading("table")
    if words[0].lower() in COMMANDS:
        return Reading(COMMANDS[words[0].lower()])
    if len(words) == 1 and words[0].isdecimal() and words[0] != "10":
        return Reading(moves=_numbered(int(words[0]), choices(view)))
    verb = _VERBS.get(words[0].lower())
    suit = _SUITS.get(words[-1].upper().removesuffix("\ufe0f"))
    cards = _cards(words[bool(verb) : len(words) - bool(suit)])
    return Reading(moves=() if cards is None else tuple(_meant(verb, cards, suit, view)))


def _numbered(number: int, offered: Sequence[Answer]) -> tuple[Answer, ...]:
    return (offered[number - 1],) if 1 <= number <= len(offered) else ()


def _cards(words: Sequence[str]) -> list[str] | None:
    letters = str.maketrans({symbol: suit for suit, symbol in SYMBOLS.items()} | {"\ufe0f": ""})
    try:
        return [parse_card(word.translate(letters)) for word in words]
    except ValueError:
        return None


def _meant(
    verb: str | None, cards: list[str], suit: str | None, view: Mapping[str, Any]
) -> list[Answer]:
    if verb in _RESTING:
        return [{"type": verb}] if not cards and suit is None else []
    if verb == "name_suit" or (suit is not None and not cards):
        return [{"type": "name_suit", "suit": suit}] if suit and not cards else []
    if not cards:
        return []
    patterns = [p for p in view["you"]["legal_moves"] if verb in (None, p["type"])]
    legal = [move for pattern in patterns for move in _legal(pattern, cards, suit)]
    if legal:
        return legal
    usual = "play" if "top_card" in view else _PHASE_MOVES.get(view["phase"], "throw_in")
    tried = _attempt(verb or usual, cards, view)
    return [move | {"suit": suit} for move in tried] if suit is not None else tried


def _legal(pattern: Pattern, cards: list[str], suit: str | None) -> list[Answer]:
    """The move of the pattern that the cards stand for, the target before them or left out."""
    field, entries = entries_of(pattern)
    target = pattern.get("target")
    chosen = cards[1:] if target is not None and cards[0] == target else cards
    fits = field == "cards" and pattern["min"] <= len(chosen) <= pattern["max"]
    if pattern.get("first") and chosen and chosen[0] not in pattern["first"]:
        return []
    if suit not in (pattern.get("suits") or ()) and (suit or pattern.get("suit_required")):
        return []
    return [move_of(pattern, chosen, suit)] if fits and set(chosen) <= set(entries) else []


def _attempt(kind: str, cards: list[str], view: Mapping[str, Any]) -> list[Answer]:
    """A move that the rules will refuse, for the reason's sake."""
    if kind != "beat":
        return [{"type": kind, "cards": cards}]
    uncovered = [pair["attack"] for pair in view["table"] if pair["beat"] is None]
    if len(cards) == 1 and uncovered:
        return [{"type": kind, "target": uncovered[0], "cards": cards}]
    return [{"type": kind, "target": cards[0], "cards": cards[1:]}] if len(cards) == 2 else []
