"""Before the first turn: the dealer, the deal, the first player, the card that is opened."""

from games.rules.cards import BIT, Card, pack
from games.rules.events import (
    CardsDealt,
    Event,
    FirstPlayerNamed,
    GameStarted,
    Next,
    Previous,
    Seat,
    StarterOpened,
)
from games.rules.rulesets.schema import SheddingRules
from games.rules.shedding.effects import effect_of, passed_on
from games.rules.shedding.flow import NOTHING, first_turn
from games.rules.shedding.state import NAME_SUIT, PLAY, SheddingState
from games.rules.shedding.story import Story
from games.rules.shedding.tables import tables
from games.rules.shuffle import Entropy


def start(
    rules: SheddingRules, seats: int, entropy: Entropy, previous: Previous | None = None
) -> tuple[Event, ...]:
    """The events from the start of a game to the first turn (U12, U15).

    `previous` is the last game of the same match, if any: it decides who deals and who begins.
    """
    story = Story(SheddingState(rules=rules, seats=seats), entropy)
    dealer = _dealer(rules, seats, entropy, previous)
    story.tell(GameStarted(dealer=dealer))
    cards = entropy.shuffled(pack(rules.deck_size), "deal")
    dealt = seats * rules.deal
    hands = tuple(cards[(seat - dealer - 1) % seats : dealt : seats] for seat in range(seats))
    story.tell(CardsDealt(hands=hands, talon=cards[dealt:]))
    story.tell(_first_player(rules, seats, dealer, entropy, previous))
    story.end(_opened(story, cards[dealt - 1]))
    return tuple(story.events)


def _dealer(rules: SheddingRules, seats: int, entropy: Entropy, previous: Previous | None) -> Seat:
    if previous is not None:
        return next_dealer(rules, seats, previous)
    return seats - 1 if rules.first_dealer == "last_seat" else entropy.below(seats, "dealer")


def next_dealer(rules: SheddingRules, seats: int, previous: Previous) -> Seat:
    """Who deals the game after `previous`: its durak (A-04) or its winner, else the next seat."""
    named = {"loser": previous.durak, "winner": previous.winner}.get(rules.next_dealer)
    return (previous.dealer + 1) % seats if named is None else named


def _first_player(
    rules: SheddingRules,
    seats: int,
    dealer: Seat,
    entropy: Entropy,
    previous: Previous | None,
) -> FirstPlayerNamed:
    """Who begins: the last winner where that is the rule, or as in a first game (C5-06)."""
    rule = rules.first_player
    if previous is not None:
        if rules.next_first == "dealer_left":
            rule = "dealer_left"
        elif previous.winner is not None:
            return FirstPlayerNamed(seat=previous.winner, reason="previous_winner")
    if rule == "random":
        return FirstPlayerNamed(seat=entropy.below(seats, "first_player"), reason=rule)
    return FirstPlayerNamed(seat=(dealer + 1) % seats, reason="dealer_left")


def _opened(story: Story, last: Card) -> Next:
    """Open the first card of the pile, if there is one, and let it act (G10, U13, U14)."""
    state, rules = story.state, story.state.rules
    if rules.starter == "none":
        return Next(PLAY, (state.first_player or 0,))
    own = rules.starter == "dealer_last_card"
    card = last if own else state.talon[0]
    effect = effect_of(state, (card,)) if rules.starter_effect else NOTHING
    stacked = passed_on(state, effect)
    story.tell(StarterOpened(card=card, seat=state.dealer if own else None, pending=stacked))
    if BIT[card] & tables(rules).wild and rules.starter_effect:
        return Next(NAME_SUIT, (state.dealer,))
    return first_turn(story, effect)
