"""Drawing a view as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bots.brains.patterns import cheapest
from bots.console.words import Words

SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RED: Final = "HD"
_LABEL: Final = 11


class Screen:
    """Turns cards, views and results into lines; `colours` asks for terminal colours."""

    def __init__(self, words: Words, names: Sequence[str], *, colours: bool) -> None:
        self.words = words
        self.names = names
        self.colours = colours

    def suit(self, suit: str) -> str:
        """A suit as its symbol."""
        return self._paint(SYMBOLS[suit], "31" if suit in _RED else "")

    def card(self, card: str) -> str:
        """A card with the symbol of its suit; ten as 10."""
        rank = "10" if card[0] == "T" else card[0]
        return self._paint(rank + SYMBOLS[card[1]], "31" if card[1] in _RED else "")

    def slots(self, slots: Sequence[int]) -> str:
        """Cards that their owner cannot see, by the numbers of their slots."""
        return " ".join(f"#{slot}" for slot in slots)

    def cards(self, cards: Sequence[str]) -> str:
        """Cards in a row."""
        return " ".join(self.card(card) for card in cards)

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self._paint(text, "1")

    def dim(self, text: str) -> str:
        """Text that stands back."""
        return self._paint(text, "2")

    def table(self, view: Mapping[str, Any]) -> Iterator[str]:
        """The whole table: trump and talon, the seats, the bout or the pile, the own hand."""
        yield ""
        yield self._heading(view)
        for seat in view["seats"]:
            yield self._seat(view, seat)
        lying = self._bout(view["table"]) if "table" in view else self._pile(view)
        yield self._labelled("table", lying)
        if view["you"]["hand"]:
            yield self._labelled("hand", self._hand(view["you"]["hand"], view.get("trump")))

    def result(self, result: Mapping[str, Any], you: int) -> Iterator[str]:
        """How the game ended, seen from a seat."""
        yield ""
        if result["durak"] is None:
            yield self.bold(self.words.say("screen.draw"))
        else:
            durak = result["durak"]
            for seat in [durak] if isinstance(durak, int) else durak:
                mine, name = seat == you, self.names[seat]
                yield self.bold(self.words.say("screen.durak", you=mine, name=name))
        if result.get("points"):
            counted = result["points"].items()
            points = ", ".join(f"{self.names[int(seat)]} {number}" for seat, number in counted)
            yield self.words.say("screen.points", points=points)
        groups = [" = ".join(self.names[seat] for seat in group) for group in result["places"]]
        yield self.words.say("screen.places", places=", ".join(groups))

    def _heading(self, view: Mapping[str, Any]) -> str:
        parts = []
        if view.get("trump") is not None:
            parts.append(f"{self.words.say('screen.trump')} {self.suit(view['trump'])}")
        if view.get("turn_up") is not None:
            parts.append(self.words.say("screen.open_card", card=self.card(view["turn_up"])))
        parts.append(self.words.say("screen.talon", count=view["talon_count"]))
        parts.append(self.words.say("screen.discarded", count=view["discard_count"]))
        parts[0] = parts[0][0].upper() + parts[0][1:]
        return self.bold(" · ".join(parts))

    def _seat(self, view: Mapping[str, Any], seat: Mapping[str, Any]) -> str:
        number = seat["seat"]
        mark = "▸" if number in view["to_act"] else " "
        name = self.names[number].ljust(max(map(len, self.names)))
        if seat["place"] is not None:
            return self.dim(f"{mark} {name}  {self.words.say('screen.place', place=seat['place'])}")
        faces = seat.get("hand")
        held = self._hand(faces, view.get("trump")) if faces else "▮" * seat["hand_count"]
        return f"{mark} {name}  {held} {seat['hand_count']}  {self._role(view, number)}".rstrip()

    def _role(self, view: Mapping[str, Any], seat: int) -> str:
        if seat == view.get("attacker"):
            return self.words.say("screen.attacks")
        return self.words.say("screen.defends") if seat == view.get("defender") else ""

    def _pile(self, view: Mapping[str, Any]) -> str:
        """The top card, the suit to follow instead of it, what has to be taken or passed on."""
        if view["top_card"] is None:
            return self.dim(self.words.say("screen.nothing"))
        parts = [self.card(view["top_card"])]
        if view["named_suit"] is not None:
            parts.append(self.words.say("screen.named", suit=self.suit(view["named_suit"])))
        if view["pending"] is not None:
            parts.append(self.words.say("screen.pending", count=view["pending"]["draw"]))
        return "  ".join(parts)

    def _bout(self, table: Sequence[Mapping[str, Any]]) -> str:
        if not table:
            return self.dim(self.words.say("screen.nothing"))
        return "   ".join(
            self.card(pair["attack"]) + (f"/{self.card(pair['beat'])}" if pair["beat"] else "")
            for pair in table
        )

    def _hand(self, hand: Sequence[Any], trump: str | None) -> str:
        if isinstance(hand[0], Mapping):
            return self.slots([held["slot"] for held in hand])
        ordered = cheapest(hand, trump)
        plain = [card for card in ordered if card[1] != trump]
        trumps = [card for card in ordered if card[1] == trump]
        return "  │  ".join(self.cards(part) for part in (plain, trumps) if part)

    def _labelled(self, key: str, text: str) -> str:
        return f"{self.words.say('screen.' + key)}:".ljust(_LABEL) + text

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours and code else text
