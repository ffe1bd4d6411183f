"""Thinking a past turn again: does the same move come out?"""

import random
from uuid import UUID

import msgspec

from bots.brains import UnknownBrain, brain_get
from bots.brains.registry import Answer, Entry, Thought, thought_of
from bots.models import Decision
from bots.turns import Turn, turn_at, turn_history
from games.rules import engine
from games.rules.clocks import bare
from games.rules.errors import RulesError
from games.rules.moves import parse_move
from games.selectors.game_show import head_at
from games.services.game_advance import chance
from games.store import log
from games.store.log import Head


class NoDecisionError(Exception):
    """There is nothing to think again; the message says why."""


class Rerun(msgspec.Struct, frozen=True):
    """A decision, what its brain thinks of the turn now, and whether that gives the move made."""

    decision: Decision
    thought: Thought
    same: bool


def decision_rerun(game_id: UUID, seq: int) -> Rerun:
    """Let the brain of a finished game's move think again, on what it was shown then.

    A search that was cut does as many iterations as it had done. Raises NoDecisionError.
    """
    head = log.load(game_id)
    if head is None:
        raise NoDecisionError(f"there is no game {game_id}")
    if head.game.status != "finished":
        raise NoDecisionError("the game is not over: its cards are still secret")
    decision = Decision.objects.filter(game_id=game_id, seq=seq).first()
    if decision is None:
        raise NoDecisionError(f"no move of a bot begins with event {seq}")
    entry = _entry(decision)
    before = head_at(head, decision.at_version)
    (last,) = log.events(game_id, after=decision.at_version - 1, limit=1)
    turn = turn_at(before, decision.seat, decision.brain, last.at)
    thought = _again(entry, turn, decision)
    return Rerun(decision, thought, _is_move_made(before, decision, thought.move))


def _entry(decision: Decision) -> Entry:
    if decision.trouble:
        raise NoDecisionError(f"the move was a safe one: {decision.trouble}")
    try:
        return brain_get(decision.brain, decision.brain_version)
    except UnknownBrain:
        named = f"{decision.brain}, version {decision.brain_version}"
        raise NoDecisionError(f"this release has no brain {named}") from None


def _again(entry: Entry, turn: Turn, decision: Decision) -> Thought:
    history = turn_history(turn, entry)
    rng = random.Random(bytes(decision.seed))
    done = decision.iterations or None
    return thought_of(entry.brain, turn.view, history, rng, decision.budget, iterations=done)


def _is_move_made(before: Head, decision: Decision, answer: Answer) -> bool:
    """Whether the answer leads to the events that stand in the log."""
    game = before.game
    if game.state is None:
        return False
    try:
        move = parse_move(game.family, answer)
        events = engine.decide(game.state, decision.seat, move, chance(before))
    except RulesError:
        return False
    stored = log.events(before.id, after=decision.seq - 1, limit=len(events))
    return [bare(one.event) for one in stored] == [bare(event) for event in events]
