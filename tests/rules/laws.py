"""Laws that hold in games of both families; each asserts one of them of a whole game."""

import msgspec
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.cards import CardSet, pack, to_cards, to_set
from games.rules.engine import AnyState
from games.rules.game import Game
from games.rules.notation import read_position, write_position
from games.rules.shedding.state import SheddingState
from games.rules.state import FINISHED
from games.store.codec import decode_event, encode_event
from tests.rules.playing import Setting, Step, entropy, log, some, start, steps


def assert_conserved(setting: Setting) -> None:
    """4.4.1: after every event each card of the pack is in one place."""
    whole = to_set(pack(setting.rules.rules.deck_size))
    for logged in log(setting):
        state = logged.game.state
        if state is not None and state.hands:
            sets = [*state.hands, to_set(state.talon), *lying(state)]
            assert sum(cards.bit_count() for cards in sets) == whole.bit_count()
            assert sum(sets) == whole
            assert len(state.talon) == len(set(state.talon))


def lying(state: AnyState) -> list[CardSet]:
    """The cards that have been played, place by place."""
    if isinstance(state, SheddingState):
        assert len(state.pile) == len(set(state.pile))
        return [to_set(state.pile)]
    assert state.discard_count == state.discard.bit_count()
    table = [card for pair in state.table for card in pair if card is not None]
    return [to_set(table), state.discard]


def assert_goes_on(step: Step) -> None:
    """4.4.4: somebody is to act until the game is over, and the last event says who."""
    assert step.events[-1].next is not None
    assert all(event.next is None for event in step.events[:-1])
    assert (step.after.to_act == ()) == (step.after.phase == FINISHED)
    assert (step.after.result is not None) == (step.after.phase == FINISHED)


def assert_replayed(setting: Setting) -> None:
    """4.4.10: replaying the stored log gives the live game at every version."""
    replayed: Game | None = None
    for event, live in log(setting):
        kind, version, facts = encode_event(event)
        replayed = games.evolve(replayed, decode_event(kind, version, facts.decode()))
        assert replayed == live
    assert msgspec.json.decode(msgspec.json.encode(replayed), type=Game) == replayed


def assert_positions_return(setting: Setting) -> None:
    """A returned position can be sent back, and everybody may do the same in it."""
    for step in some(steps(setting), setting):
        state, listing = as_listed(step.after)
        written = write_position(state, listing)
        again, hands = read_position(state.rules, msgspec.json.decode(msgspec.json.encode(written)))
        assert hands == listing
        assert write_position(again, hands) == written
        for seat in range(setting.seats):
            assert engine.legal_moves(again, seat) == engine.legal_moves(state, seat)


def as_listed(state: AnyState) -> tuple[AnyState, list[list[str]]]:
    """The state and its hands in the order in which the referee numbers their cards."""
    if isinstance(state, SheddingState) or not state.slots:
        return state, [list(to_cards(hand)) for hand in state.hands]
    listing = [[card for card in hand if card is not None] for hand in state.slots]
    slots = tuple(tuple(hand) for hand in listing)
    return replace(state, slots=slots, slot_base=(0,) * state.seats), listing


def assert_played_as_decided(setting: Setting) -> None:
    """To play is to decide and then to evolve."""
    chance = entropy(setting)
    for step in steps(setting):
        played = engine.play(step.before, step.seat, step.move, chance)
        assert played.events == step.events
        assert played.state == engine.fold(step.before, step.events)


def assert_determined(setting: Setting) -> None:
    """A game follows from its entropy and its moves."""
    assert list(steps(setting)) == list(steps(setting))
    assert start(setting) != start(setting._replace(seed=setting.seed + 1))
