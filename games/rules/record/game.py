"""A game as it is recorded: what chance and the table decided, and what the seats did."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from games.rules.cards import Card
from games.rules.events import (
    AttackerNamed,
    BoutDiscarded,
    BoutOpened,
    BoutTaken,
    BoutTransferred,
    CardBeaten,
    CardsDealt,
    CardsDrawn,
    CardsPlayed,
    CardsRedealt,
    CardsThrownIn,
    DiscardRecycled,
    Event,
    FirstPlayerNamed,
    GameFinished,
    GameStarted,
    Result,
    Seat,
    SeatPassed,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
    SeatSkipped,
    SuitNamed,
    TakeDeclared,
    TrumpExchanged,
    TrumpShown,
    TrumpTurned,
    WrongPlayCalled,
    WrongPlayPunished,
)
from games.rules.moves import Move
from games.rules.rulesets.registry import Ruleset
from games.rules.rulesets.schema import needs_chance
from games.rules.shorthand import Said

Teller = Callable[[Any], Said]


class Turn(NamedTuple):
    """A seat's move in a bout (counted from 1), and whether it is marked as wrong.

    In shedding games `bout` is the number of the move from 1 that begins its group of ten.
    Besides moves: ``resign``, ``bot`` (it plays the seat from here) and ``back`` (its player does).
    """

    bout: int
    seat: Seat
    move: Move
    wrong: bool = False


class Deal(msgspec.Struct, frozen=True):
    """Hands in the order of the deal, the talon in that of drawing, and the trump's card or suit.

    `drawn` were turned up before the trump and went back; `void` says why this deal was redealt.
    """

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    trump: str | None = None
    drawn: tuple[Card, ...] = ()
    void: str | None = None


class Lines(msgspec.Struct, frozen=True):
    """Where a record that was read says what: the lines of its tags and of its turns."""

    tags: dict[str, int] = {}
    turns: tuple[int, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """A whole game, or a game so far: then `result` is None. The last of `deals` is played.

    `attacker` is who made the first move. `recycled` are the talons that a shuffled pile became.
    """

    ruleset: str
    options: dict[str, object]
    players: tuple[str, ...]
    dealer: Seat
    deals: tuple[Deal, ...]
    attacker: Seat
    because: str
    result: Result | None
    turns: tuple[Turn, ...]
    game_number: int = 1
    recycled: tuple[tuple[Card, ...], ...] = ()
    lines: Lines = Lines()


def record_of(
    ruleset: Ruleset, events: Sequence[Event], *, players: Sequence[str] = (), game_number: int = 1
) -> Record:
    """The record of a game from its events. `players` are the names of the seats.

    Raises ValueError if the cards have not been dealt.
    """
    latest = {type(event): event for event in events}
    started = latest.get(GameStarted)
    named = latest.get(AttackerNamed) or latest.get(FirstPlayerNamed)
    if not isinstance(started, GameStarted) or not isinstance(
        named, AttackerNamed | FirstPlayerNamed
    ):
        raise ValueError("the cards are not dealt")
    deals = tuple(_deals(events))
    finished = latest.get(GameFinished)
    return Record(
        ruleset=ruleset.id,
        options=ruleset.options,
        players=tuple(players) or tuple(f"seat {seat}" for seat in range(len(deals[0].hands))),
        dealer=started.dealer,
        deals=deals,
        attacker=named.seat,
        because=named.reason,
        result=finished.result if isinstance(finished, GameFinished) else None,
        turns=tuple(_turns(events) if ruleset.family == "bout" else _numbered(events)),
        game_number=game_number,
        recycled=tuple(_recycled(ruleset, events)),
    )


def _deals(events: Iterable[Event]) -> Iterator[Deal]:
    """The deals, void ones first."""
    deal = Deal((), ())
    for event in events:
        match event:
            case CardsDealt():
                deal = Deal(event.hands, event.talon)
            case TrumpTurned():
                trump = event.card or event.suit
                deal = msgspec.structs.replace(deal, trump=trump, drawn=event.drawn)
            case CardsRedealt():
                yield msgspec.structs.replace(deal, void=event.reason)
    yield deal


def move_of(event: Event) -> Said | None:
    """The move that an event tells of; None if it follows from one."""
    teller = _MOVES.get(type(event))
    return None if teller is None else teller(event)


def moves_told(events: Iterable[Event]) -> int:
    """How many moves these events tell of, with those beside the cards: resigned, left, back."""
    return sum(begins and move_of(event) is not None for event, begins in _moving(events))


def _turns(events: Iterable[Event]) -> Iterator[Turn]:
    bout = 1
    for event, begins in _moving(events):
        if begins and (told := move_of(event)) is not None:
            yield Turn(bout, *told)
        bout += isinstance(event, BoutTaken | BoutDiscarded)


def _numbered(events: Iterable[Event]) -> Iterator[Turn]:
    """The turns of a shedding game, in groups of ten moves."""
    made = 0
    for event, begins in _moving(events):
        if begins and (told := move_of(event)) is not None:
            yield Turn(group_of(made + 1), *told)
            made += type(event) not in _BESIDE


def group_of(move: int) -> int:
    """The move that begins the group of the given one; both count from 1."""
    return (move - 1) // 10 * 10 + 1


def _moving(events: Iterable[Event]) -> Iterator[tuple[Event, bool]]:
    """The events, and of each whether it begins a move or stands beside the moves.

    Only the first event of a move is the move; the last one says who is due next.
    """
    due = False
    for event in events:
        beside = type(event) in _BESIDE
        yield event, due or beside
        due = due if beside else event.next is not None


def _recycled(ruleset: Ruleset, events: Iterable[Event]) -> Iterator[tuple[Card, ...]]:
    """What chance made of the pile; where it is just turned over there is nothing to tell."""
    if needs_chance(ruleset.rules):
        for event in events:
            if isinstance(event, DiscardRecycled):
                yield event.cards


def _plain(kind: str) -> Teller:
    return lambda event: Said(event.seat, Move(kind))


def _with_cards(kind: str) -> Teller:
    return lambda event: Said(event.seat, Move(kind, cards=event.cards))


def _with_card(kind: str) -> Teller:
    return lambda event: Said(event.seat, Move(kind, cards=(event.card,)))


def _beat(event: CardBeaten) -> Said:
    return Said(event.seat, Move("beat", cards=(event.card,), target=event.target), event.wrong)


def _thrown_in(event: CardsThrownIn) -> Said:
    return Said(event.seat, Move("throw_in", cards=event.cards), bool(event.wrong))


def _punished(event: WrongPlayPunished) -> Said:
    return Said(event.seat, Move(event.move, cards=event.cards, target=event.target), True)


def _laid(event: CardsPlayed) -> Said:
    return Said(event.seat, Move("play", cards=event.cards, suit=event.suit))


def _named(event: SuitNamed) -> Said:
    return Said(event.seat, Move("name_suit", suit=event.suit))


_BESIDE: Final = frozenset({SeatResigned, SeatReplaced, SeatReturned})
_MOVES: Final[dict[type[Event], Teller]] = {
    BoutOpened: _with_cards("attack"),
    CardBeaten: _beat,
    CardsThrownIn: _thrown_in,
    BoutTransferred: _with_cards("transfer"),
    TrumpShown: _with_card("show_trump"),
    TrumpExchanged: _plain("exchange_trump"),
    TakeDeclared: _plain("take"),
    SeatPassed: _plain("pass"),
    WrongPlayPunished: _punished,
    WrongPlayCalled: _with_card("call"),
    CardsPlayed: _laid,
    CardsDrawn: _plain("draw"),
    # Who has to draw turns an empty pile over first.
    DiscardRecycled: _plain("draw"),
    # Who may pass a penalty on and has nothing to draw for it takes it by passing.
    SeatSkipped: _plain("pass"),
    SuitNamed: _named,
    SeatResigned: _plain("resign"),
    SeatReplaced: _plain("bot"),
    SeatReturned: _plain("back"),
}
