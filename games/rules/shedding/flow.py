"""What follows a move: effects, draws, who plays next, and the end."""

from typing import Final

from games.rules.cards import BIT
from games.rules.events import (
    AceRightPassed,
    CardsDrawn,
    CardsPlayed,
    GameFinished,
    Next,
    Penalty,
    Seat,
    SeatPassed,
    SeatSkipped,
    SeatWentOut,
    SuitNamed,
)
from games.rules.moves import Move
from games.rules.shedding.effects import effect_of, passed_on, recycle, suffer, take
from games.rules.shedding.fitting import stops
from games.rules.shedding.scoring import PLAYED_OUT, is_over, result_of
from games.rules.shedding.seating import next_after
from games.rules.shedding.state import ACE_CHAIN, DRAWN, PLAY, SheddingState
from games.rules.shedding.story import Story
from games.rules.state import FINISHED

NOTHING: Final = Penalty(0, 0)


def lay(story: Story, seat: Seat, move: Move) -> Next:
    """A seat lays cards: they act, also the last ones of a hand (G19), and the seat may go out.

    An ace may take a second card, but not where it was the last one (C5-V4a, G18).
    """
    state = story.state
    gone = state.hands[seat].bit_count() == len(move.cards)
    idle = gone and not state.rules.last_card_effect
    effect = NOTHING if idle else effect_of(state, move.cards)
    stacked = passed_on(state, effect)
    if move.suit is not None and not idle:
        effect = ordered(state, effect)
    story.tell(CardsPlayed(seat=seat, cards=move.cards, suit=move.suit, pending=stacked))
    if gone:
        story.tell(SeatWentOut(seat=seat, place=len(story.state.out) + 1))
        if is_over(story.state):
            take(story, next_after(story.state, seat), (stacked or effect).draw)
            return finish(story)
    elif state.rules.ace_chain == "english" and move.cards[-1][0] == "A":
        return Next(ACE_CHAIN, (seat,))
    if stacked is not None:
        return Next(PLAY, (next_after(story.state, seat),))
    return suffer(story, seat, effect)


def ordered(state: SheddingState, effect: Penalty) -> Penalty:
    """An effect with what naming a suit adds to it: nothing where it skips anyway (C5-V6b)."""
    if effect.skip or not state.rules.order_skips_next:
        return effect
    return Penalty(effect.draw, 1)


def draw(story: Story, seat: Seat, move: Move) -> Next:
    """A seat draws: a penalty, a single card, or until something can be played (C5-09, C5-V1)."""
    state = story.state
    if state.pending is not None:
        return accept(story, seat, state.pending)
    if not state.talon:
        recycle(story, seat)
    if state.phase != ACE_CHAIN and state.rules.draw_rule == "until_playable":
        return _draw_until_playable(story, seat)
    story.tell(CardsDrawn(seat=seat, cards=story.state.talon[:1]))
    return Next(ACE_CHAIN if state.phase == ACE_CHAIN else DRAWN, (seat,))


def _draw_until_playable(story: Story, seat: Seat) -> Next:
    """Draw until a card can be played; with the talon the turn may end too (K28, 3.7, 17)."""
    wanted = stops(story.state)
    while story.state.talon:
        talon = story.state.talon
        found = next((place for place, card in enumerate(talon) if BIT[card] & wanted), None)
        drawn = talon if found is None else talon[: found + 1]
        story.tell(CardsDrawn(seat=seat, cards=drawn))
        if found is not None:
            return Next(DRAWN, (seat,))
        if len(story.state.pile) > 1:
            recycle(story, seat)
        if not story.state.rules.draw_until_recycles:
            break
    return Next(PLAY, (next_after(story.state, seat),))


def accept(story: Story, seat: Seat, penalty: Penalty) -> Next:
    """A seat takes a penalty that it could have passed on."""
    take(story, seat, penalty.draw)
    if not penalty.skip:
        if not story.events:
            story.tell(SeatPassed(seat=seat))
        return Next(PLAY, (seat,))
    story.tell(SeatSkipped(seat=seat))
    return suffer(story, seat, Penalty(0, penalty.skip - 1))


def pass_on(story: Story, seat: Seat, move: Move) -> Next:
    """A seat passes: when all have, one after the other, the game has stalled (G14, 3.7, 19)."""
    state = story.state
    if state.pending is not None:
        return accept(story, seat, state.pending)
    story.tell(SeatPassed(seat=seat))
    following = next_after(story.state, seat)
    if len(story.state.passed) + len(state.out) == state.seats:
        return finish(story, "stalemate")
    if state.phase == ACE_CHAIN:
        story.tell(AceRightPassed(seat=following))
    return Next(PLAY, (following,))


def name_suit(story: Story, seat: Seat, move: Move) -> Next:
    """The dealer names a suit for the card he opened, which then acts (3.7, 25)."""
    story.tell(SuitNamed(seat=seat, suit=move.suit or ""))
    state = story.state
    return first_turn(story, ordered(state, effect_of(state, state.pile)))


def first_turn(story: Story, effect: Penalty) -> Next:
    """The first turn, after the opened card has acted on whose turn it would be (G10)."""
    state = story.state
    first = next_after(state, state.dealer) if state.first_player is None else state.first_player
    if state.pending is not None:
        return Next(PLAY, (first,))
    return suffer(story, (first - 1) % state.seats, effect)


def finish(story: Story, reason: str = PLAYED_OUT) -> Next:
    """The end."""
    story.tell(GameFinished(result=result_of(story.state, reason)))
    return Next(FINISHED)


def end(story: Story, follows: Next) -> None:
    """End a move, and with the last move that is allowed the game (as a stalemate)."""
    state = story.state
    if follows.phase != FINISHED and state.moves >= state.rules.max_moves:
        follows = finish(story, "max_moves")
    story.end(follows)
