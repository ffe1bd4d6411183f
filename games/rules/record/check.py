"""Whether the rules allow what a record says: it is dealt and played again."""

from collections.abc import Iterator, Sequence
from typing import NoReturn, TypeVar

import msgspec

from games.rules import engine
from games.rules.bout.setup import stream_label
from games.rules.cards import Card, pack
from games.rules.engine import AnyState
from games.rules.errors import (
    InvalidOptions,
    InvalidRecord,
    MalformedMove,
    Refusal,
    UnknownRuleset,
)
from games.rules.events import Event, GameFinished, Next, Seat
from games.rules.notation import open_card
from games.rules.record.game import Deal, Record, Turn, group_of, move_of, record_of
from games.rules.record.sitting import Sitting
from games.rules.record.writing import first_tag
from games.rules.rulesets.registry import Ruleset, ruleset
from games.rules.rulesets.schema import BoutRules, Rules, SheddingRules
from games.rules.scoring import resigned_result
from games.rules.shorthand import write_turn
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED, State

T = TypeVar("T")


def check_record(record: Record) -> tuple[Event, ...]:
    """Play a record through the engine: the events of the cards, slots in an order of their own.

    Raises InvalidRecord naming the first tag or move that the rules do not allow, or contradict.
    """
    rules = _ruleset(record)
    events = list(_opening(record, rules))
    state = engine.fold(engine.empty_state(rules.rules, len(record.players)), tuple(events))
    chance = _Script(b"", "", (), {}, {}, iter(record.recycled))
    sitting = Sitting(set(), set())
    for index, turn in enumerate(record.turns):
        made = _made(record, index, turn, state, chance)
        if (fault := sitting.why_not(turn)) is not None:
            _reject_turn(record, index, fault)
        state = engine.fold(state, made)
        events += made
    if next(chance.recycled, None) is not None:
        _reject(record, "Recycled", "by the moves the pile is not turned over so often")
    if state.result != record.result:
        played = msgspec.json.encode(state.result).decode()
        over = "the game is not over" if state.result is None else f"by the moves it is {played}"
        _reject(record, "Result", over)
    return tuple(events)


def _reject(record: Record, tag: str, reason: str) -> NoReturn:
    raise InvalidRecord(record.lines.tags.get(tag, 0), tag, reason)


def _ruleset(record: Record) -> Ruleset:
    try:
        return ruleset(record.ruleset, record.options, len(record.players))
    except UnknownRuleset:
        _reject(record, "Ruleset", "no ruleset has this id")
    except InvalidOptions as error:
        _reject(record, "Players" if "players" in error.errors else "Options", str(error))


class _Script(Entropy, frozen=True):
    """Chance as it is recorded; the slots of hands face out stay in the order of the cards."""

    orders: dict[str, tuple[Card, ...]]
    numbers: dict[str, int]
    recycled: Iterator[tuple[Card, ...]]

    def shuffled(self, items: Sequence[T], label: str) -> tuple[T, ...]:
        """The recorded order of this label. Raises KeyError if these items have none."""
        if label.startswith(("hand.", "slots.")):
            return tuple(items)
        named: dict[object, T] = {item: item for item in items}
        order = self._next_talon() if label.startswith("recycle.") else self.orders[label]
        if len(order) != len(items):
            raise KeyError(label)
        return tuple(named[card] for card in order)

    def below(self, limit: int, label: str) -> int:
        """The recorded number of this label."""
        return self.numbers[label] % limit

    def _next_talon(self) -> tuple[Card, ...]:
        return next(self.recycled, ())


def _opening(record: Record, rules: Ruleset) -> tuple[Event, ...]:
    _check_seats(record)
    for deal in record.deals:
        _check_deal(record, rules, deal)
    if record.deals[-1].void is not None:
        _reject(record, "Redealt", "no other deal follows")
    try:
        events = engine.start(
            rules.rules, len(record.players), _script(record, rules.rules), _previous(record, rules)
        )
    except KeyError:
        _reject(record, "Hands", "by the rules this deal is void, or its trump is drawn otherwise")
    _compare(record, record_of(rules, events))
    return events


def _check_seats(record: Record) -> None:
    for tag, seat in (("Dealer", record.dealer), (first_tag(record.ruleset), record.attacker)):
        if not 0 <= seat < len(record.players):
            _reject(record, tag, f"there are {len(record.players)} players")


def _check_deal(record: Record, rules: Ruleset, deal: Deal) -> None:
    dials, seats = rules.rules, len(record.players)
    dealt = _dealt(dials, seats)
    order = [(record.dealer + 1 + step) % seats for step in range(seats)]
    sizes = {seat: (dealt + seats - 1 - place) // seats for place, seat in enumerate(order)}
    if [len(hand) for hand in deal.hands] != [sizes[seat] for seat in range(seats)]:
        _reject(record, "Hands", f"by the rules there are {[sizes[s] for s in range(seats)]} cards")
    cards = [card for place in (*deal.hands, deal.talon) for card in place]
    if sorted(cards) != sorted(pack(dials.deck_size)):
        _reject(record, "Hands", f"with the talon they are not the pack of {dials.deck_size}")
    if len(set(deal.drawn) & set(deal.talon)) < len(deal.drawn):
        _reject(record, "Drawn", "these cards went back into the talon, each once")


def _dealt(rules: Rules, seats: int) -> int:
    if isinstance(rules, SheddingRules):
        return seats * rules.deal
    return rules.deck_size if rules.deal_mode == "full" else seats * rules.hand_size


def _made(
    record: Record, index: int, turn: Turn, state: AnyState, chance: _Script
) -> tuple[Event, ...]:
    if state.phase == FINISHED:
        _reject_turn(record, index, "game.over", "game.over")
    fault = _place_fault(turn, state)
    if fault is not None:
        _reject_turn(record, index, fault)
    if turn.move.type in ("resign", "bot", "back"):
        return _beside(turn, state)
    try:
        made = engine.decide(state, turn.seat, turn.move, chance)
    except KeyError:
        _reject(record, "Recycled", "these are not the cards of a pile that is turned over")
    except Refusal as refusal:
        _reject_turn(record, index, refusal.code, refusal.code)
    except MalformedMove as error:
        _reject_turn(record, index, str(error))
    said = move_of(made[0])
    if said is not None and said.wrong != turn.wrong:
        _reject_turn(record, index, f"by the rules this is {'wrong' if said.wrong else 'right'}")
    return made


def _reject_turn(record: Record, index: int, reason: str, code: str | None = None) -> NoReturn:
    lines, turn = record.lines.turns, record.turns[index]
    line = lines[index] if index < len(lines) else 0
    raise InvalidRecord(line, write_turn(turn.seat, turn.move, turn.wrong), reason, code)


def _place_fault(turn: Turn, state: AnyState) -> str | None:
    if turn.seat >= state.seats:
        return f"there are {state.seats} players"
    if isinstance(state, State):
        return None if turn.bout == state.bouts + 1 else f"this is bout {state.bouts + 1}"
    group = group_of(state.moves)
    return None if turn.bout == group else f"this belongs to the moves from {group} on"


def _beside(turn: Turn, state: AnyState) -> tuple[Event, ...]:
    """What follows when a seat is given up: of two players the other wins (X02)."""
    if turn.move.type != "resign" or state.seats > 2:
        return ()
    return (GameFinished(result=resigned_result(turn.seat), next=Next(FINISHED)),)


def _script(record: Record, rules: Rules) -> _Script:
    orders: dict[str, tuple[Card, ...]] = {}
    for attempt, deal in enumerate(record.deals):
        # A deal that was void before its trump was told had a card turned up all the same.
        turned = deal.trump
        if turned is None and isinstance(rules, BoutRules):
            turned = open_card(rules, deal.talon)
        orders[stream_label("deal", attempt)] = tuple(_as_dealt(record.dealer, deal, turned))
        shuffled = deal.talon[:-1] if turned in deal.talon else deal.talon
        orders[stream_label("talon", attempt)] = shuffled
    first = record.attacker
    numbers = {"dealer": record.dealer, "attacker": first, "first_player": first}
    return _Script(b"", "", (), orders, numbers, iter(()))


def _as_dealt(dealer: Seat, deal: Deal, turned: str | None) -> Iterator[Card]:
    """The pack in the order of the deal: card by card round the table, then as it was turned up."""
    seats = len(deal.hands)
    for place in range(sum(map(len, deal.hands))):
        yield deal.hands[(dealer + 1 + place) % seats][place // seats]
    first = (*deal.drawn, *(card for card in deal.talon if card == turned))
    yield from first
    yield from (card for card in deal.talon if card not in first)


def _previous(record: Record, rules: Ruleset) -> engine.Previous | None:
    """A last game after which this one would have begun as it did."""
    if record.game_number == 1:
        return None
    seats = len(record.players)
    fools = {"attack_the_fool": record.attacker + 1, "from_under_fool": record.attacker - 1}
    fool = fools.get(record.because)
    won = record.because == "previous_winner"
    return engine.Previous(
        dealer=(record.dealer - 1) % seats,
        durak=None if fool is None else fool % seats,
        winner=record.attacker if won else None,
        draw=fool is None and not won,
    )


def _compare(record: Record, played: Record) -> None:
    for said, dealt in zip(record.deals, played.deals, strict=False):
        fields = {"Drawn": "drawn", "Trump": "trump", "Talon": "talon", "Redealt": "void"}
        _compare_fields(record, said, dealt, fields)
    fields = {"Dealer": "dealer", first_tag(record.ruleset): "attacker", "Because": "because"}
    _compare_fields(record, record, played, fields)


def _compare_fields(
    record: Record, said: msgspec.Struct, played: msgspec.Struct, fields: dict[str, str]
) -> None:
    for tag, field in fields.items():
        rightly = getattr(played, field)
        if getattr(said, field) != rightly:
            _reject(record, tag, f"by the rules it is {rightly}")
