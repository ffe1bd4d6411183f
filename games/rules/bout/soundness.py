"""Whether a game could be in a position that was written down, not played."""

from collections.abc import Iterator

from games.rules.bout.beating import beating
from games.rules.bout.seating import defender_against, may_throw_in
from games.rules.cards import BIT
from games.rules.state import ATTACK, DEFEND, TAKE, THROW_IN, Play, State

Fault = tuple[str, str]


def unsound(state: State) -> dict[str, str]:
    """What no running game could have, by the position's fields; empty if it is sound."""
    checks = (_table, _passes, _bystanders, _opponents, _plays, _trump, _pack, _teams)
    return dict(fault for check in checks for fault in check(state))


def _opponents(state: State) -> Iterator[Fault]:
    attacker, defender = state.attacker or 0, state.defender or 0
    for field, seat in (("defender", defender), ("attacker", attacker)):
        if state.phase == ATTACK and not state.hands[seat]:
            yield field, "holds no cards"
        if seat in state.out:
            yield field, "is out of the game"
    if attacker == defender:
        yield "defender", "the attacker cannot defend"
    elif attacker not in state.out and defender != defender_against(state, attacker):
        yield "defender", f"by the rules it is {defender_against(state, attacker)}"


def _table(state: State) -> Iterator[Fault]:
    if len(state.table) > state.limit:
        yield "table", "more attack cards than this bout allows"
    beaters = beating(state)
    called = {play.card for play in state.plays}
    for pair in state.table:
        if pair.beat is None or pair.beat in called:
            continue
        if not BIT[pair.beat] & beaters[pair.attack]:
            yield "table", f"{pair.beat} does not beat {pair.attack}"


def _passes(state: State) -> Iterator[Fault]:
    early = state.phase == DEFEND and state.rules.throw_in_timing == "anytime"
    if state.passed and not early and state.phase not in (THROW_IN, TAKE):
        yield "passed", f"nobody passes in the phase {state.phase}"
    if not all(may_throw_in(state, seat) for seat in state.passed):
        yield "passed", "only seats that may throw in can pass"


def _bystanders(state: State) -> Iterator[Fault]:
    if any(state.hands[seat] for seat in state.out):
        yield "out_in_order", "who is out holds no cards"
    if state.out and state.talon:
        yield "out_in_order", "nobody is out while cards can be drawn"
    inside = [seat for seat in range(state.seats) if seat not in state.out]
    if state.table and set(state.emptied) != {seat for seat in inside if not state.hands[seat]}:
        yield "emptied", "names the seats in the game that hold no cards"


def _plays(state: State) -> Iterator[Fault]:
    """Plays that can be called lie on the table, and beats are wrong or right as they are."""
    if state.rules.enforcement != "catchable":
        for field in ("plays", "barred"):
            if getattr(state, field):
                yield field, "nothing can be called at this table"
        return
    for index, play in enumerate(state.plays):
        if (reason := _misplayed(state, play)) is not None:
            yield f"plays[{index}]", reason
    if len({play.card for play in state.plays}) != len(state.plays):
        yield "plays", "a card is named twice"


def _misplayed(state: State, play: Play) -> str | None:
    if play.target is None:
        thrown = [pair.attack for pair in state.table]
        fits = play.card in thrown and play.seat != state.defender
        return None if fits else f"{play.card} was not thrown in by seat {play.seat}"
    if (play.target, play.card) not in state.table or play.seat != state.defender:
        return f"{play.card} does not lie on {play.target}"
    wrong = not BIT[play.card] & beating(state)[play.target]
    return None if play.wrong == wrong else f"is {'wrong' if wrong else 'right'} by the rules"


def _trump(state: State) -> Iterator[Fault]:
    rules, turn_up = state.rules, state.turn_up
    if (state.trump is None) != (rules.trump_source == "none"):
        yield "trump", "there is none by these rules" if state.trump else "required"
    elif rules.trump_suit not in (None, state.trump):
        yield "trump", f"by the rules it is {rules.trump_suit}"
    if turn_up is not None:
        if rules.trump_source not in ("turn_up", "draw_until_suit"):
            yield "turn_up", "no card is turned up by these rules"
        elif turn_up not in state.talon[-1:]:
            yield "turn_up", "is not the last card of the talon"
    if any(card[1] != state.trump for card in state.shown):
        yield "shown", "only trumps are shown"


def _pack(state: State) -> Iterator[Fault]:
    table = sum(1 for pair in state.table for card in pair if card is not None)
    listed = sum(hand.bit_count() for hand in state.hands) + len(state.talon) + table
    if state.discard_count % 2 or listed + state.discard_count > state.rules.deck_size:
        yield "discard_count", "cards are discarded in pairs, and with all others are one pack"
    if state.bouts == 0 and state.discard_count:
        yield "first_bout", "cards have been discarded before"
    if state.rules.deal_mode == "full" and state.talon:
        yield "talon", "all cards are dealt by these rules"


def _teams(state: State) -> Iterator[Fault]:
    needed = {"pairs": 4, "triples": 6}.get(state.rules.teams, state.seats)
    if state.seats != needed:
        yield "hands", f"teams of {state.rules.teams} need {needed}"
