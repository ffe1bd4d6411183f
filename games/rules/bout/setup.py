"""Before the first bout: the dealer, the deal, the trump, the first attacker."""

from collections.abc import Iterator

import msgspec

from games.rules.bout.seating import CIRCLES
from games.rules.cards import SUIT_MASK, Card, CardSet, Suit, lowest, pack, to_set
from games.rules.events import (
    AttackerNamed,
    CardsDealt,
    CardsRedealt,
    Event,
    GameStarted,
    Next,
    Seat,
    TrumpTurned,
)
from games.rules.rulesets.schema import BoutRules
from games.rules.shuffle import Entropy
from games.rules.state import ATTACK


class Previous(msgspec.Struct, frozen=True):
    """What the next game of a match needs to know of the last one."""

    dealer: Seat
    durak: Seat | None
    winner: Seat | None
    draw: bool


class _Deal(msgspec.Struct, frozen=True):
    """One deal: hands by seat, the talon in drawing order, the card that names the trump."""

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    turn_up: Card
    holder: Seat | None


def start(
    rules: BoutRules, seats: int, entropy: Entropy, previous: Previous | None = None
) -> tuple[Event, ...]:
    """The events from the start of a game to the first attack.

    `previous` is the last game of the same match, if any: it decides who deals and who leads.
    """
    return tuple(_start(rules, seats, entropy, previous))


def _start(
    rules: BoutRules, seats: int, entropy: Entropy, previous: Previous | None
) -> Iterator[Event]:
    dealer = _dealer(rules, seats, entropy, previous)
    yield GameStarted(dealer=dealer)
    attempt = 0
    while True:
        deal = _deal(rules, seats, dealer, entropy, attempt)
        yield CardsDealt(hands=deal.hands, talon=deal.talon)
        yield TrumpTurned(card=deal.turn_up, suit=deal.turn_up[1], seat=deal.holder)
        named = _first_attacker(rules, deal, dealer, entropy, previous)
        if named is not None:
            break
        attempt += 1
        yield CardsRedealt(reason="no_trump")
    defender = CIRCLES[seats][named.seat][1]
    yield msgspec.structs.replace(named, next=Next(ATTACK, (named.seat,), named.seat, defender))


def _dealer(rules: BoutRules, seats: int, entropy: Entropy, previous: Previous | None) -> Seat:
    if previous is None:
        return seats - 1 if rules.first_dealer == "last_seat" else entropy.below(seats, "dealer")
    if rules.next_dealer == "loser" and previous.durak is not None:
        return previous.durak
    return (previous.dealer + 1) % seats


def _deal(rules: BoutRules, seats: int, dealer: Seat, entropy: Entropy, attempt: int) -> _Deal:
    label = f"deal.{attempt}" if attempt else "deal"
    cards = entropy.shuffled(pack(rules.deck_size), label)
    dealt = seats * rules.hand_size
    hands = tuple(cards[(seat - dealer - 1) % seats : dealt : seats] for seat in range(seats))
    if dealt == len(cards):
        # Nothing is left to lie under: the dealer's last card is the trump and stays his (G2).
        return _Deal(hands, (), cards[-1], dealer)
    return _Deal(hands, (*cards[dealt + 1 :], cards[dealt]), cards[dealt], None)


def _first_attacker(
    rules: BoutRules, deal: _Deal, dealer: Seat, entropy: Entropy, previous: Previous | None
) -> AttackerNamed | None:
    """Who leads, or None if the cards must be dealt anew."""
    seats = len(deal.hands)
    if previous is not None and (named := _by_last_game(rules, seats, previous)) is not None:
        return named
    if previous is None and rules.first_attacker != "lowest_trump":
        return _by_rule(rules.first_attacker, seats, dealer, entropy)
    trump = _lowest_trump(deal.hands, deal.turn_up[1])
    if trump is not None:
        return AttackerNamed(seat=_holder(deal.hands, trump), reason="lowest_trump", card=trump)
    if rules.no_trump_first == "redeal":
        return None
    return _by_rule(rules.no_trump_first, seats, dealer, entropy)


def _by_rule(rule: str, seats: int, dealer: Seat, entropy: Entropy) -> AttackerNamed:
    if rule == "random":
        return AttackerNamed(seat=entropy.below(seats, "attacker"), reason="random")
    return AttackerNamed(seat=(dealer + 1) % seats, reason="dealer_left")


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
