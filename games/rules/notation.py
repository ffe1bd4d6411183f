"""Positions as JSON: the shape that the referee reads and writes."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from games.rules.bout.flow import due
from games.rules.bout.seating import (
    bout_limit,
    circle_from,
    defender_against,
    may_throw_in,
    may_throw_now,
    throwers,
)
from games.rules.bout.soundness import unsound
from games.rules.cards import Card, to_set
from games.rules.errors import InvalidPosition
from games.rules.events import Result, Seat
from games.rules.notation_shedding import read_shedding, write_shedding
from games.rules.positions import (
    Cards,
    Count,
    Hands,
    Listing,
    SeatNumber,
    as_seats,
    check_pack,
    check_seats,
    read_body,
    read_cards,
)
from games.rules.rulesets.schema import BoutRules, Rules
from games.rules.scoring import winner_of
from games.rules.shedding.state import SheddingState
from games.rules.state import ATTACK, DEFEND, FINISHED, TAKE, THROW_IN, Pair, Play, State


class PairBody(msgspec.Struct, forbid_unknown_fields=True):
    """An attack card and what beats it."""

    attack: str
    beat: str | None = None


class PlayBody(msgspec.Struct, forbid_unknown_fields=True):
    """A beat or throw-in of this bout that may be called, and whether it was wrong."""

    seat: SeatNumber
    card: str
    target: str | None = None
    wrong: bool = False


class PositionBody(msgspec.Struct, forbid_unknown_fields=True):
    """A position as it is sent. Only the first four fields must be there."""

    hands: Hands
    trump: Literal["S", "H", "D", "C"] | None
    talon: Cards
    attacker: SeatNumber | None
    phase: Literal["attack", "defend", "throw_in", "take", "finished"] | None = None
    to_act: SeatNumber | list[SeatNumber] | None = None
    defender: SeatNumber | None = None
    dealer: SeatNumber | None = None
    table: Annotated[list[PairBody], msgspec.Meta(max_length=52)] = []
    passed: list[SeatNumber] = []
    discard_count: Count = 0
    first_bout: bool = False
    out_in_order: list[SeatNumber] = []
    emptied: list[SeatNumber] | None = None
    limit: Count | None = None
    turn_up: str | None = None
    lowest_trump_owner: SeatNumber | None = None
    shown: list[str] = []
    plays: list[PlayBody] = []
    barred: list[SeatNumber] = []
    named_suit: None = None
    pending: None = None
    game_over: bool = False
    durak: SeatNumber | list[SeatNumber] | None = None
    draw: bool = False
    winner: SeatNumber | None = None
    stalemate: bool = False
    points: None = None
    match_losers: None = None


def read_position(rules: Rules, body: object) -> tuple[State | SheddingState, Listing]:
    """The state that a position describes, and the hands in the order in which they are listed.

    Raises InvalidPosition naming the fields at fault: cards twice or not in the pack, seats that
    do not exist, a phase that does not fit the table.
    """
    if isinstance(rules, BoutRules):
        return read_bout(rules, body)
    return read_shedding(rules, body)


def write_position(
    state: State | SheddingState, listing: Sequence[Sequence[Card]]
) -> dict[str, Any]:
    """A position as JSON, hands in the order of `listing`; it can be read again."""
    if isinstance(state, State):
        return _write_bout(state, listing)
    return write_shedding(state, listing)


def read_bout(rules: BoutRules, body: object) -> tuple[State, Listing]:
    """As `read_position`, for games of attack and defence."""
    sent = read_body(body, PositionBody)
    _check_seats(sent)
    hands = [read_cards("hands", hand) for hand in sent.hands]
    talon = read_cards("talon", sent.talon)
    table = tuple(_pair(pair) for pair in sent.table)
    check_pack(rules.deck_size, [*hands, talon, *(_pair_cards(pair) for pair in table)])
    state = State(
        rules=rules,
        seats=len(hands),
        hands=tuple(to_set(hand) for hand in hands),
        talon=tuple(talon),
        discard_count=sent.discard_count,
        table=table,
        trump=sent.trump,
        turn_up=_turn_up(rules, sent, talon),
        dealer=sent.dealer or 0,
        attacker=sent.attacker,
        passed=tuple(sent.passed),
        bouts=0 if sent.first_bout else 1,
        moves=1,
        out=tuple(sent.out_in_order),
        lowest_trump_owner=sent.lowest_trump_owner,
        shown=tuple(read_cards("shown", sent.shown)),
        plays=tuple(_play(play) for play in sent.plays),
        barred=tuple(sent.barred),
        slots=tuple(tuple(hand) for hand in hands) if rules.face_out else (),
        slot_base=(0,) * len(hands) if rules.face_out else (),
    )
    return (_finished(state, sent) if sent.game_over else _running(state, sent)), hands


def _write_bout(state: State, listing: Sequence[Sequence[Card]]) -> dict[str, Any]:
    result = state.result
    return {
        "hands": [list(hand) for hand in listing],
        "trump": state.trump,
        "talon": list(state.talon),
        "attacker": state.attacker,
        "phase": state.phase,
        "to_act": list(state.to_act),
        "defender": state.defender,
        "dealer": state.dealer,
        "table": [{"attack": pair.attack, "beat": pair.beat} for pair in state.table],
        "passed": list(state.passed),
        "discard_count": state.discard_count,
        "first_bout": state.bouts == 0,
        "out_in_order": list(state.out),
        "emptied": list(state.emptied) if state.to_act and state.table else [],
        "limit": state.limit if state.to_act and state.table else None,
        "turn_up": state.turn_up,
        "lowest_trump_owner": state.lowest_trump_owner,
        "shown": list(state.shown),
        "plays": [play._asdict() for play in state.plays],
        "barred": list(state.barred),
        "named_suit": None,
        "pending": None,
        "game_over": result is not None,
        "durak": result.durak if result else None,
        "draw": result.draw if result else False,
        "winner": result.winner if result else None,
        "stalemate": False,
        "points": None,
        "match_losers": None,
    }


def open_card(rules: BoutRules, talon: Sequence[Card]) -> Card | None:
    """The last card of the talon if it lies face up at this table (C4-07, C4-10)."""
    if not talon or rules.trump_source not in ("turn_up", "draw_until_suit"):
        return None
    drawn_for = rules.trump_suit or talon[-1][1]
    return talon[-1] if talon[-1][1] == drawn_for else None


def _check_seats(sent: PositionBody) -> None:
    lists = {
        "passed": sent.passed,
        "out_in_order": sent.out_in_order,
        "emptied": sent.emptied or [],
        "barred": sent.barred,
        "to_act": as_seats(sent.to_act),
        "durak": as_seats(sent.durak),
    }
    for field in ("attacker", "defender", "dealer", "winner", "lowest_trump_owner"):
        seat = getattr(sent, field)
        lists[field] = [] if seat is None else [seat]
    lists |= {f"plays[{index}].seat": [play.seat] for index, play in enumerate(sent.plays)}
    check_seats(lists, len(sent.hands))


def _pair(sent: PairBody) -> Pair:
    cards = read_cards("table", [sent.attack] if sent.beat is None else [sent.attack, sent.beat])
    return Pair(*cards)


def _play(sent: PlayBody) -> Play:
    cards = read_cards("plays", [sent.card] if sent.target is None else [sent.card, sent.target])
    return Play(sent.seat, cards[0], cards[1] if len(cards) > 1 else None, sent.wrong)


def _pair_cards(pair: Pair) -> list[Card]:
    return [card for card in pair if card is not None]


def _turn_up(rules: BoutRules, sent: PositionBody, talon: list[Card]) -> Card | None:
    if sent.turn_up is not None:
        return read_cards("turn_up", [sent.turn_up])[0]
    return open_card(rules, talon)


def _finished(state: State, sent: PositionBody) -> State:
    if sent.phase not in (None, FINISHED):
        raise InvalidPosition({"phase": "the game is over"})
    if sent.draw != (sent.durak is None or sent.durak == []):
        raise InvalidPosition({"draw": "either somebody is the durak, or it is a draw"})
    groups = tuple((seat,) for seat in state.out)
    rest = tuple(seat for seat in range(state.seats) if seat not in state.out)
    places = (*groups, rest) if rest else groups
    winner = sent.winner
    if winner is None and not sent.draw:
        winner = winner_of(places)
    duraks = tuple(as_seats(sent.durak))
    durak = duraks if len(duraks) > 1 else next(iter(duraks), None)
    result = Result(durak, sent.draw, winner, places, "played_out")
    return replace(state, phase=FINISHED, result=result)


def _running(state: State, sent: PositionBody) -> State:
    if state.attacker is None:
        raise InvalidPosition({"attacker": "required while the game runs"})
    state = _seat_players(state, sent, state.attacker)
    state = replace(state, phase=_phase(state, sent))
    if wrong := unsound(state):
        raise InvalidPosition(wrong)
    to_act = as_seats(sent.to_act)
    in_turn = state.rules.throw_in_timing != "anytime"
    if in_turn and to_act and not state.passed and may_throw_in(state, to_act[0]):
        state = replace(state, passed=_asked_before(state, to_act[0]))
    state = replace(state, to_act=due(state))
    if not state.to_act:
        raise InvalidPosition({"phase": "nobody could act here"})
    if to_act and set(to_act) != set(state.to_act):
        raise InvalidPosition({"to_act": f"by the rules it is {list(state.to_act)}"})
    if state.phase == ATTACK and not state.talon and state.rules.repetition_draw is not None:
        return replace(state, seen=((state.attacker, *state.hands),))
    return state


def _seat_players(state: State, sent: PositionBody, attacker: Seat) -> State:
    if not state.table and not state.talon:
        empty = [s for s in range(state.seats) if not state.hands[s] and s not in state.out]
        state = replace(state, out=(*state.out, *empty))
    defender = defender_against(state, attacker) if sent.defender is None else sent.defender
    emptied = tuple(_emptied(state, attacker, defender) if sent.emptied is None else sent.emptied)
    return replace(
        state,
        defender=defender,
        emptied=emptied if state.table else (),
        shed=((),) * len(emptied) if state.table else (),
        limit=_limit(state, defender, sent.limit) if state.table else 0,
    )


def _limit(state: State, defender: Seat, told: int | None) -> int:
    """The limit as told, or as it was if the bout came to the defender with the cards he has."""
    return told if told is not None else usual_limit(state, defender)


def usual_limit(state: State, defender: Seat) -> int:
    """What bounds the bout on the table, unless a card has been called back since (3.7, 2)."""
    beats = sum(1 for pair in state.table if pair.beat is not None)
    return bout_limit(state, defender, beats)


def _emptied(state: State, attacker: Seat, defender: Seat) -> Iterator[Seat]:
    order = [seat for seat in circle_from(state, attacker) if seat != defender]
    for seat in (*order, defender):
        if not state.hands[seat] and seat not in state.out:
            yield seat


def _phase(state: State, sent: PositionBody) -> str:
    uncovered = any(pair.beat is None for pair in state.table)
    usual = (DEFEND if uncovered else THROW_IN) if state.table else ATTACK
    if sent.phase in (None, usual):
        return usual
    if sent.phase == TAKE and state.table:
        return TAKE
    raise InvalidPosition({"phase": f"the table says {usual}"})


def _asked_before(state: State, seat: Seat) -> tuple[Seat, ...]:
    if state.phase not in (THROW_IN, TAKE):
        return ()
    earlier = takewhile(lambda other: other != seat, throwers(state))
    return tuple(other for other in earlier if may_throw_now(state, other))
