"""Forty games of podkidnoy recorded from a Go engine, replayed on ours set to its rules.

What differs is declared here, counted, and checked by the other rule where it changes cards:

- It passes over whoever holds no fitting rank, and asks all but the attacker at once; ours asks
  everybody in turn (C2-18, G23). Our passes are put in where it has none.
- A bout without room must be finished by hand; ours closes by itself (C2-25).
- Its five cards of the beginning bind while the defender beats, not once he takes; ours bind then
  too (3.6: the same room after a take).
- Hands are replenished in the order in which seats first attacked in the bout, the defender last;
  ours go clockwise from the attacker (B-14).
"""

from collections import Counter
from typing import Any

from games.rules import engine
from games.rules.cards import to_set
from games.rules.events import BoutDiscarded, BoutTaken
from games.rules.moves import Move
from games.rules.notation import read_position
from games.rules.rulesets.registry import ruleset
from games.rules.state import State
from tests.rules.recorded import Json, cards, games, pairs
from tests.rules.tables import PASS, TAKE

RULES = ruleset(
    "throw_in",
    {"attack_limit": None, "first_attack_limit": 5, "lead_max_cards": 1, "throw_in_batch": "one"},
).rules
GAMES = list(games("golden_podkidnoy_go.jsonl.gz"))
PHASES = {"attack": "attack", "defense": "defend", "throw_in": "throw_in", "taking": "take"}
MOVES = {"attack": "attack", "defend": "beat", "throw_in": "throw_in"}
Choice = tuple[str, int | None, str]


class Replay:
    """One recorded game beside ours."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.found: Counter[str] = Counter()
        self.order: list[int] = []
        self.late: list[tuple[int, str]] = []
        self.closed: tuple[State, State] | None = None
        self.talon = cards(record["stock_draw_order"])
        first = {"attacker": record["first_attacker"], "hands": record["hands"]}
        self.state = self.position(first, first_bout=True)

    def position(self, theirs: Json, **more: Any) -> State:
        """Our state at the start of a bout of theirs."""
        body = {
            "hands": [cards(hand) for hand in theirs["hands"]],
            "trump": cards([self.record["trump"]])[0][1],
            "talon": self.talon,
            "attacker": theirs["attacker"],
        }
        return read_position(RULES, body | more)[0]

    def play(self) -> Counter[str]:
        """Replay every step and say what was met."""
        for step in self.record["steps"]:
            kind = step["action"]["kind"]
            if kind in ("finish_defense", "finish_take"):
                self.finish(step["state"])
            elif kind in ("throw_in", "pass"):
                self.throw_in(step)
            else:
                self.lead_or_answer(step)
            if self.closed is None:
                self.compare(step["state"])
        return self.found

    def lead_or_answer(self, step: Json) -> None:
        """An attack, a beat or a take: the choices are the same, and so is what comes of one."""
        action = step["action"]
        assert self.state.to_act == (action["seat"],)
        takes = any(other["kind"] == "take" for other in step["legal_before"])
        ours = {pattern.type for pattern in engine.legal_moves(self.state, action["seat"])}
        assert theirs_of(step, action["seat"]) == ours_of(self.state, action["seat"])
        assert takes == ("take" in ours)
        if action["kind"] == "attack":
            self.order = [action["seat"]]
        self.move(action["seat"], self.translated(action))

    def translated(self, action: Json) -> Move:
        """Its action as our move."""
        if action["kind"] == "take":
            return TAKE
        index = action.get("attack_index")
        target = None if index is None else self.state.table[index].attack
        return Move(MOVES[action["kind"]], cards=tuple(cards([action["card"]])), target=target)

    def throw_in(self, step: Json) -> None:
        """Ask in our order up to the seat that acts; a pass of theirs is only noted."""
        action, seat = step["action"], step["action"]["seat"]
        if self.closed is not None:
            self.throw_in_late(step)
            return
        asked = self.asked(seat)
        assert theirs_of(step, seat) == ours_of(asked, seat)
        if action["kind"] == "throw_in":
            self.state = asked
            self.order += [] if seat in self.order else [seat]
            self.move(seat, self.translated(action))

    def throw_in_late(self, step: Json) -> None:
        """Our bout is full, by the five of the beginning; theirs is not, since he takes."""
        before, _ = self.closed or (self.state, self.state)
        action, seat = step["action"], step["action"]["seat"]
        assert (step["state"]["phase"], before.limit, before.discard_count) == ("taking", 5, 0)
        if action["kind"] == "throw_in":
            self.late.append((seat, *cards([action["card"]])))
            self.order += [] if seat in self.order else [seat]
            self.found["cards over five"] += 1

    def asked(self, seat: int) -> State:
        """Our state when it is this seat's turn to throw in."""
        state = self.state
        while state.to_act != (seat,):
            assert state.phase in ("throw_in", "take")
            state = engine.fold(state, engine.decide(state, state.to_act[0], PASS))
            self.found["passes put in"] += 1
        return state

    def move(self, seat: int, move: Move) -> None:
        """Play on our side; keep the state before the bout closed, and before the refill."""
        before, state = self.state, self.state
        for event in engine.decide(before, seat, move):
            state = engine.evolve(state, event)
            if isinstance(event, BoutDiscarded | BoutTaken):
                self.closed = (before, state)
        self.state = state

    def finish(self, theirs: Json) -> None:
        """Everybody passes, unless our bout has closed already; then compare what follows."""
        while self.closed is None:
            self.move(self.state.to_act[0], PASS)
        if theirs["phase"] == "complete":
            self.check_result()
            return
        assert [to_set(cards(hand)) for hand in theirs["hands"]] == self.replenished()
        assert len(self.talon) == theirs["stock"]
        if self.replenished() != list(self.state.hands):
            self.found["other hands"] += 1
            count, out = theirs["discard"], list(self.state.out)
            self.state = self.position(theirs, discard_count=count, out_in_order=out)
        self.closed, self.late = None, []

    def replenished(self) -> list[int]:
        """Hands by its own order of drawing, late cards included."""
        before, after = self.closed or (self.state, self.state)
        hands, defender = list(after.hands), before.defender or 0
        for seat, card in self.late:
            hands[seat] ^= to_set([card])
            hands[defender] ^= to_set([card])
        talon = list(after.talon)
        for seat in (*self.order, defender):
            need = max(0, RULES.hand_size - hands[seat].bit_count())
            hands[seat] |= to_set(talon[:need])
            talon = talon[need:]
        self.talon = talon
        return hands

    def check_result(self) -> None:
        """The same seat lost."""
        result = self.state.result
        assert result is not None
        assert (result.durak, result.draw, self.late) == (self.record["loser"], False, [])
        self.found["games"] += 1

    def compare(self, theirs: Json) -> None:
        """Every place of a card, whose turn it is, and what for."""
        state = self.state
        assert list(state.hands) == [to_set(cards(hand)) for hand in theirs["hands"]]
        assert [pair._asdict() for pair in state.table] == pairs(theirs["table"])
        assert (len(state.talon), state.discard_count) == (theirs["stock"], theirs["discard"])
        assert (state.attacker, state.defender) == (theirs["attacker"], theirs["defender"])
        assert state.phase == PHASES[theirs["phase"]]
        self.found["states"] += 1


def theirs_of(step: Json, seat: int) -> set[Choice]:
    """Each card that a seat may play by their list, and at which attack card."""
    return {
        (MOVES[action["kind"]], action.get("attack_index"), cards([action["card"]])[0])
        for action in step["legal_before"]
        if "card" in action and action["seat"] == seat
    }


def ours_of(state: State, seat: int) -> set[Choice]:
    """The same by our patterns."""
    attacks = [pair.attack for pair in state.table]
    return {
        (pattern.type, attacks.index(pattern.target) if pattern.target else None, card)
        for pattern in engine.legal_moves(state, seat)
        for card in pattern.cards or ()
    }


def test_every_recorded_game_is_ours_too_but_for_what_is_declared() -> None:
    found: Counter[str] = Counter()
    for record in GAMES:
        found += Replay(record).play()
    assert found == {
        "games": 40,
        "states": 5917,
        "passes put in": 1502,
        "cards over five": 19,
        "other hands": 16,
    }
