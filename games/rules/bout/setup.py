"""Before the first bout: the dealer, the deal, the trump, the first attacker."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from games.rules.bout.seating import CIRCLES
from games.rules.cards import SUIT_MASK, SUITS, Card, CardSet, Suit, lowest, pack, to_set
from games.rules.events import (
    AttackerNamed,
    CardsDealt,
    CardsRedealt,
    Event,
    GameStarted,
    Next,
    Previous,
    Seat,
    Slots,
    TrumpTurned,
)
from games.rules.rulesets.schema import BoutRules
from games.rules.shuffle import Entropy
from games.rules.state import ATTACK

# After so many void deals in a row the next one stands, whatever it is.
MOST_DEALS: Final = 50


class _Deal(msgspec.Struct, frozen=True):
    """One deal: hands by seat, the talon in drawing order, and the trump as it came to be known.

    `holder` has the trump's card if that was dealt; `drawn` were turned up before it and went back.
    """

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    trump: Suit | None
    turn_up: Card | None = None
    holder: Seat | None = None
    drawn: tuple[Card, ...] = ()


class _Table(msgspec.Struct, frozen=True):
    """What does not change from one attempt to deal to the next."""

    rules: BoutRules
    seats: int
    dealer: Seat
    entropy: Entropy
    previous: Previous | None


def start(
    rules: BoutRules, seats: int, entropy: Entropy, previous: Previous | None = None
) -> tuple[Event, ...]:
    """The events from the start of a game to the first attack.

    `previous` is the last game of the same match, if any: it decides who deals and who leads.
    """
    dealer = _dealer(rules, seats, entropy, previous)
    return tuple(_start(_Table(rules, seats, dealer, entropy, previous)))


def _start(table: _Table) -> Iterator[Event]:
    yield GameStarted(dealer=table.dealer)
    for attempt in range(MOST_DEALS):
        deal = _deal(table, attempt)
        yield _dealt(table, deal, attempt)
        last = attempt + 1 == MOST_DEALS
        if _is_bad(table.rules, deal) and not last:
            yield CardsRedealt(reason="five_of_suit")
            continue
        if deal.trump is not None:
            yield TrumpTurned(
                suit=deal.trump, card=deal.turn_up, seat=deal.holder, drawn=deal.drawn
            )
        named = _first_attacker(table, deal)
        if named is None and last:
            named = _by_rule("dealer_left", table)
        if named is not None:
            yield _with_next(table, named)
            return
        yield CardsRedealt(reason="no_trump")


def _with_next(table: _Table, named: AttackerNamed) -> Event:
    defender = CIRCLES[table.seats][named.seat][1]
    follows = Next(ATTACK, (named.seat,), named.seat, defender)
    card = None if table.rules.face_out else named.card
    return AttackerNamed(seat=named.seat, reason=named.reason, card=card, next=follows)


def _dealer(rules: BoutRules, seats: int, entropy: Entropy, previous: Previous | None) -> Seat:
    if previous is not None:
        return next_dealer(rules, seats, previous)
    return seats - 1 if rules.first_dealer == "last_seat" else entropy.below(seats, "dealer")


def next_dealer(rules: BoutRules, seats: int, previous: Previous) -> Seat:
    """Who deals the game after `previous`: its durak, else the next seat (U11, C1-04)."""
    if rules.next_dealer == "loser" and previous.durak is not None:
        return previous.durak
    return (previous.dealer + 1) % seats


def stream_label(name: str, attempt: int) -> str:
    """The stream of chance for the deal and what belongs to it; each redeal has its own."""
    return f"{name}.{attempt}" if attempt else name


def _deal(table: _Table, attempt: int) -> _Deal:
    rules, seats = table.rules, table.seats
    cards = table.entropy.shuffled(pack(rules.deck_size), stream_label("deal", attempt))
    dealt = len(cards) if rules.deal_mode == "full" else seats * rules.hand_size
    hands = tuple(cards[(seat - table.dealer - 1) % seats : dealt : seats] for seat in range(seats))
    return _with_trump(table, _Deal(hands, cards[dealt:], None), cards[dealt - 1], attempt)


def _with_trump(table: _Table, deal: _Deal, last: Card, attempt: int) -> _Deal:
    rules, source = table.rules, table.rules.trump_source
    if source == "none":
        return deal
    if source == "fixed_suit":
        return replace(deal, trump=rules.trump_suit)
    if source == "last_dealt" or not deal.talon:
        holder = next(seat for seat, hand in enumerate(deal.hands) if last in hand)
        return replace(deal, trump=last[1], turn_up=last, holder=holder)
    return _turned_up(table, deal, attempt)


def _turned_up(table: _Table, deal: _Deal, attempt: int) -> _Deal:
    """Turn cards up until one may be the trump; the others go back into the talon (C4-09, U17)."""
    fitting = [place for place, card in enumerate(deal.talon) if _may_turn_up(table.rules, card)]
    if not fitting and table.rules.trump_source == "draw_until_suit":
        shuffled = table.entropy.shuffled(deal.talon, stream_label("talon", attempt))
        return replace(deal, talon=shuffled, trump=table.rules.trump_suit, drawn=deal.talon)
    # A talon of nothing but the special suit: the first card stands, and the suit's rule is off.
    first = fitting[0] if fitting else 0
    drawn, turn_up, rest = deal.talon[:first], deal.talon[first], deal.talon[first + 1 :]
    if drawn:
        rest = table.entropy.shuffled((*drawn, *rest), stream_label("talon", attempt))
    return replace(deal, talon=(*rest, turn_up), trump=turn_up[1], turn_up=turn_up, drawn=drawn)


def _may_turn_up(rules: BoutRules, card: Card) -> bool:
    if rules.trump_source == "draw_until_suit":
        return card[1] == rules.trump_suit
    return card[1] != rules.self_only_suit or rules.self_only_suit_is_trump == "rule_off"


def _dealt(table: _Table, deal: _Deal, attempt: int) -> CardsDealt:
    slots: tuple[Slots, ...] = ()
    if table.rules.face_out:
        labels = [stream_label(f"hand.{seat}", attempt) for seat in range(table.seats)]
        orders = zip(deal.hands, labels, strict=True)
        slots = tuple(Slots(0, table.entropy.shuffled(hand, label)) for hand, label in orders)
    return CardsDealt(hands=deal.hands, talon=deal.talon, slots=slots)


def _is_bad(rules: BoutRules, deal: _Deal) -> bool:
    """Whether some hand has five cards of a suit where that voids the deal (3.7, 12)."""
    if rules.redeal_on_bad_hand == "none":
        return False
    return any(sum(card[1] == suit for card in hand) >= 5 for hand in deal.hands for suit in SUITS)


def _first_attacker(table: _Table, deal: _Deal) -> AttackerNamed | None:
    """Who leads, or None if the cards must be dealt anew."""
    rules, previous = table.rules, table.previous
    if previous is not None and (named := _by_last_game(rules, table.seats, previous)) is not None:
        return named
    if previous is None and rules.first_attacker != "lowest_trump":
        return _by_rule(rules.first_attacker, table)
    trump = None if deal.trump is None else _lowest_trump(deal.hands, deal.trump)
    if trump is not None:
        return AttackerNamed(seat=_holder(deal.hands, trump), reason="lowest_trump", card=trump)
    if rules.no_trump_first == "redeal":
        return None
    return _by_rule(rules.no_trump_first, table)


def _by_rule(rule: str, table: _Table) -> AttackerNamed:
    if rule == "random":
        return AttackerNamed(seat=table.entropy.below(table.seats, "attacker"), reason="random")
    return AttackerNamed(seat=(table.dealer + 1) % table.seats, reason="dealer_left")


def _by_last_game(rules: BoutRules, seats: int, previous: Previous) -> AttackerNamed | None:
    rule = rules.next_first_attacker
    if rule == "previous_winner" and previous.winner is not None and not previous.draw:
        return AttackerNamed(seat=previous.winner, reason=rule)
    if rule == "attack_the_fool" and previous.durak is not None:
        return AttackerNamed(seat=(previous.durak - 1) % seats, reason=rule)
    if rule == "from_under_fool" and previous.durak is not None:
        return AttackerNamed(seat=(previous.durak + 1) % seats, reason=rule)
    return None


def _lowest_trump(hands: tuple[tuple[Card, ...], ...], trump: Suit) -> Card | None:
    held: CardSet = to_set(card for hand in hands for card in hand) & SUIT_MASK[trump]
    return lowest(held) if held else None


def _holder(hands: tuple[tuple[Card, ...], ...], card: Card) -> Seat:
    return next(seat for seat, hand in enumerate(hands) if card in hand)
