"""The rules' own state as one seat was told it, with gaps where it was told nothing.

For rulesets of either family. A hand holds a bit above the cards for every card that the seat
cannot name; in the talon a text such as ``?1`` stands for it. Both remember where it came from.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bots.brains.registry import History, View
from bots.brains.search.claims import rules_of
from games.rules import engine
from games.rules.bout.beating import beating, throw_in_ranks
from games.rules.cards import BIT, CARDS, HIDDEN, RANKS, Card, CardSet, pack, to_cards, to_set
from games.rules.engine import AnyState
from games.rules.events import CARD_EVENTS, CardsDealt, DiscardRecycled, Event
from games.rules.rulesets.schema import needs_chance
from games.rules.shedding.state import ACE_CHAIN, DRAWN, SheddingState
from games.rules.shuffle import NO_ENTROPY, Entropy
from games.rules.state import State

_FACES: Final[CardSet] = (1 << len(CARDS)) - 1
# Where a card that the seat cannot name came from: a hand of the deal, the talon of the deal, or,
# counted on from there, a pile that was shuffled.
_HAND, _TALON = 0, 1
Data = Mapping[str, Any]
Random = Callable[[], float]


class Retold:
    """What seat `me` was told of a game; `deal` fills the gaps, each time in another way.

    Raises LookupError or ValueError if the events are not those of one game.
    """

    def __init__(self, view: View, history: History) -> None:
        self.rules = rules_of(history)
        self.me: int = view["you"]["seat"]
        self._state: AnyState = engine.empty_state(self.rules, len(view["seats"]))
        self._origins: list[int] = []
        # The cards that lie in gaps, by origin; those of hand and talon are dealt from one pack.
        self._pools: list[CardSet] = [0, to_set(pack(self.rules.deck_size))]
        # Cards that were in no hand of the deal.
        self._late: CardSet = 0
        for event in history:
            if event["type"] in CARD_EVENTS:
                self._tell(event["type"], {**event["data"], "seat": event["seat"]})
        self._state = _as_viewed(self._state, view)
        self._own_slots = [held["slot"] for held in view["you"]["hand"] if isinstance(held, dict)]
        self._gaps = self._found()

    def deal(self, random: Random) -> AnyState:
        """A state that this seat cannot tell from the real one."""
        state, hands = self._state, [hand & _FACES for hand in self._state.hands]
        talon = list(state.talon)
        for origin, places in self._gaps.items():
            for card, place in self._fill(origin, places, random):
                if place < 0:
                    hands[~place] |= BIT[card]
                else:
                    talon[place] = card
        filled = replace(state, hands=tuple(hands), talon=tuple(talon))
        if isinstance(filled, State) and filled.rules.face_out:
            return replace(filled, **self._slots(hands, random))
        return filled

    def chance(self, random: Random) -> Entropy:
        """Chance for moves after the deal, where they need any."""
        if not needs_chance(self.rules):
            return NO_ENTROPY
        return Entropy(int(random() * (1 << 53)).to_bytes(8, "big"), "thought", ())

    def _fill(
        self, pool: int, places: list[tuple[int, int]], random: Random
    ) -> list[tuple[Card, int]]:
        """A card for each gap of a pool; late ones lie where cards of the talon came to lie."""
        cards = list(to_cards(self._pools[pool]))
        if len(cards) != len(places):
            raise ValueError("the cards do not come out even")
        cards.sort(key=lambda _: random())
        cards.sort(key=lambda card: not BIT[card] & self._late)
        late = sum(1 for card in cards if BIT[card] & self._late)
        order = sorted(places, key=lambda _: random())
        able = [place for origin, place in order if origin != _HAND]
        hands = [place for origin, place in order if origin == _HAND]
        rest = sorted([*able[late:], *hands], key=lambda _: random())
        return list(zip(cards, [*able[:late], *rest], strict=True))

    def _slots(self, hands: list[CardSet], random: Random) -> dict[str, Any]:
        """Hands face out: which card is in which slot only chance can say."""
        slots, bases = [], []
        for seat, hand in enumerate(hands):
            cards = sorted(to_cards(hand), key=lambda _: random())
            numbers = self._own_slots if seat == self.me else list(range(len(cards)))
            held = dict(zip(numbers, cards, strict=True))
            bases.append(min(numbers, default=0))
            slots.append(tuple(held.get(n) for n in range(bases[-1], max(numbers, default=-1) + 1)))
        return {"slots": tuple(slots), "slot_base": tuple(bases)}

    def _found(self) -> dict[int, list[tuple[int, int]]]:
        """The gaps of each pool: where a card came from, and its place (``~seat`` in a hand)."""
        gaps: dict[int, list[tuple[int, int]]] = {}
        for seat, hand in enumerate(self._state.hands):
            for origin in self._unnamed(hand):
                gaps.setdefault(max(origin, _TALON), []).append((origin, ~seat))
        for place, card in enumerate(self._state.talon):
            if card not in BIT:
                origin = int(card[1:])
                gaps.setdefault(origin, []).append((origin, place))
        return gaps

    def _unnamed(self, hand: CardSet) -> list[int]:
        rest = hand >> len(CARDS)
        return [origin for number, origin in enumerate(self._origins) if rest >> number & 1]

    def _tell(self, kind: str, data: dict[str, Any]) -> None:
        teller = _TELLERS.get(kind)
        if teller is not None:
            teller(self, data)
            return
        seat, cards = data["seat"], data.get("cards") or [data.get("card")]
        if kind in _SHOWING and seat is not None and cards != [None]:
            self._show(seat, cards)
        if kind in _JUDGED and not isinstance(self._state, SheddingState):
            data |= _judged(self._state, kind, data)
        if kind == "bout_opened":
            # A beater that goes back after a call goes to the defender.
            self._state = replace(self._state, defender=data["defender"])
        self._fold(_event(kind, data))
        if kind == "attacker_named" and data.get("card"):
            lower = RANKS[: RANKS.index(data["card"][0])]
            self._late |= to_set(rank + data["card"][1] for rank in lower)

    def _fold(self, event: Event) -> None:
        self._state = engine.evolve(self._state, event)

    def dealt(self, data: Data) -> None:
        """Hands of the deal, a gap for every card that the seat was not shown."""
        self._origins, self._late = [], 0
        self._pools = [0, to_set(pack(self.rules.deck_size))]
        nobody: tuple[tuple[Card, ...], ...] = ((),) * len(data["hands"])
        talon = (f"?{_TALON}",) * data["talon_count"]
        self._fold(CardsDealt(hands=nobody, talon=talon))
        for seat, cards in enumerate(data["hands"]):
            for card in cards:
                self._gain(seat, card, _HAND)

    def turned(self, data: Data) -> None:
        """The trump's card was dealt, or lies under the talon."""
        card, seat, state = data.get("card"), data["seat"], self._state
        self._late |= to_set(data.get("drawn") or ())
        if card and seat is not None:
            self._show(seat, [card])
        elif card:
            self._name(card)
            self._state = replace(state, talon=(*state.talon[:-1], card))
        self._fold(_event("trump_turned", dict(data)))

    def drew(self, data: Data) -> None:
        """A seat drew from the talon."""
        seat, cards, talon = data["seat"], data["cards"], self._state.talon
        for card, lay in zip(cards, talon, strict=False):
            named = lay if lay in BIT else card
            self._gain(seat, named, _TALON if lay in BIT else int(lay[1:]))
        state = replace(self._state, talon=talon[len(cards) :], to_act=())
        if isinstance(state, State):
            open_card = data.get("open_card")
            exposed = state.exposed | (BIT[open_card] if open_card else 0)
            self._state = replace(state, exposed=exposed)
        else:
            drawn = None if data.get("penalty") or cards[-1] == HIDDEN else cards[-1]
            self._state = replace(state, drawn=drawn, passed=(), pending=None)

    def recycled(self, data: Data) -> None:
        """The pile became the talon: turned over in an order that all have seen, or shuffled."""
        state = self._state
        cards = state.pile[:-1] if isinstance(state, SheddingState) else ()
        if needs_chance(self.rules):
            self._pools.append(to_set(cards))
            cards = (f"?{len(self._pools) - 1}",) * len(cards)
        self._fold(DiscardRecycled(seat=data["seat"], cards=cards))

    def opened(self, data: Data) -> None:
        """The first card of a pile: the dealer's last one, or the top of the talon."""
        if data["seat"] is None:
            self._name(data["card"])
        else:
            self._show(data["seat"], [data["card"]])
        self._fold(_event("starter_opened", dict(data)))

    def _gain(self, seat: int, card: Card, origin: int) -> None:
        if card == HIDDEN:
            bit = 1 << len(CARDS) + len(self._origins)
            self._origins.append(origin)
        else:
            self._name(card)
            bit = BIT[card]
        self._change(seat, bit, 0)

    def _show(self, seat: int, cards: Iterable[Card]) -> None:
        """A seat turns out to hold these cards."""
        for card in cards:
            hand = self._state.hands[seat]
            if hand & BIT[card]:
                continue
            origin = self._name(card)
            late = origin == _TALON and BIT[card] & self._late
            wanted = (_TALON, _HAND) if late else (_HAND, _TALON) if origin == _TALON else (origin,)
            self._change(seat, BIT[card], self._gap(hand, wanted))

    def _gap(self, hand: CardSet, origins: tuple[int, ...]) -> CardSet:
        rest = hand >> len(CARDS)
        for wanted in origins:
            for number, origin in enumerate(self._origins):
                if origin == wanted and rest >> number & 1:
                    return 1 << len(CARDS) + number
        raise ValueError("a seat has more cards than it was given")

    def _change(self, seat: int, more: CardSet, less: CardSet) -> None:
        hands = list(self._state.hands)
        hands[seat] = (hands[seat] | more) & ~less
        self._state = replace(self._state, hands=tuple(hands))

    def _name(self, card: Card) -> int:
        """Take a card out of the pool that it lay in; the pool's number, 0 if it was named."""
        for number, pool in enumerate(self._pools):
            if pool & BIT[card]:
                self._pools[number] = pool & ~BIT[card]
                return number
        return 0


# Events in which a seat lays or shows cards that it holds.
_SHOWING: Final = frozenset(
    {
        *("bout_opened", "card_beaten", "cards_thrown_in", "bout_transferred", "trump_shown"),
        *("trump_exchanged", "wrong_play_punished", "attacker_named", "cards_played"),
    }
)
_JUDGED: Final = frozenset({"card_beaten", "cards_thrown_in"})
_TELLERS: Final[dict[str, Callable[[Retold, Data], None]]] = {
    "cards_dealt": Retold.dealt,
    "trump_turned": Retold.turned,
    "hand_replenished": Retold.drew,
    "cards_drawn": Retold.drew,
    "discard_recycled": Retold.recycled,
    "starter_opened": Retold.opened,
}


def _event(kind: str, data: dict[str, Any]) -> Event:
    """The event without what only the seat itself was told of its slots."""
    fields = CARD_EVENTS[kind].__struct_fields__
    kept = {name: value for name, value in data.items() if name in fields and name != "slots"}
    return msgspec.convert(kept, CARD_EVENTS[kind])


def _judged(state: State, kind: str, data: Data) -> dict[str, Any]:
    """Whether a card was played wrongly, which is told to nobody but can be seen by all."""
    if kind == "card_beaten":
        return {"wrong": not BIT[data["card"]] & beating(state)[data["target"]]}
    fitting = throw_in_ranks(state)
    return {"wrong": [card for card in data["cards"] if not BIT[card] & fitting]}


def _as_viewed(state: AnyState, view: View) -> AnyState:
    """What the view says and the events leave out."""
    shared = {
        "phase": view["phase"],
        "to_act": tuple(view["to_act"]),
        "passed": tuple(view["passed"]),
        "moves": max(1, view["version"] // 2),
    }
    if isinstance(state, State):
        bout = {name: view[name] for name in ("attacker", "defender", "turn_up")}
        return replace(state, **shared, **bout)
    right = view["ace_right"] if view["ace_right"] in view["to_act"] else None
    drawn = state.drawn if view["phase"] in (DRAWN, ACE_CHAIN) else None
    return replace(state, **shared, ace_right=right, drawn=drawn)
