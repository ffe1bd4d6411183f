"""One game of attack and defence on bits: no events, no checks, a single card a step.

An action is a card's bit (lead it, beat the cheapest open card with it, throw it in), ``-bit`` to
transfer with it, or 0 to take or pass. Several cards at once are several steps, leads apart: there
an action may hold more cards of a rank. Every action is a legal move of the rules.
"""

from typing import Final

from bots.brains.search.deck import Bits, Deck, deck_of, split
from games.rules.rulesets.schema import BoutRules

ATTACK, DEFEND, THROW_IN, TAKE, OVER = range(5)
DRAW: Final = -1
# What the simulator knows of the rules; with any other value it is not used.
_CLAIMED: Final[dict[str, tuple[object, ...]]] = {
    "lowest_trump_beats_trump_ace": (False,),
    "throw_in_timing": ("after_all_beaten",),
    "must_defend_if_able": (False,),
    "transfer_by_showing_trump": (False,),
    "trump_exchange": ("none",),
    "draw_allowed": (True,),
    "face_out": (False,),
    "enforcement": ("strict",),
    "teams": ("none",),
}
CIRCLES: Final = {
    (seats, seat): tuple((seat + step) % seats for step in range(seats))
    for seats in range(1, 7)
    for seat in range(seats)
}


def is_claimed(rules: object) -> bool:
    """Whether the simulator plays by these rules."""
    return isinstance(rules, BoutRules) and all(
        getattr(rules, dial) in values for dial, values in _CLAIMED.items()
    )


class Plan:
    """What stays the same all through a game: deck and dials, as the simulator wants them."""

    __slots__ = (
        *("batch", "deck", "first_limit", "first_scope_bout", "hand_size", "lead_max", "leader"),
        *("lead_ranks", "limit", "max_moves", "never", "on_take", "others", "repetition", "rules"),
        *("scope", "seats", "transfer", "transfer_first", "transfer_multi"),
    )

    def __init__(self, rules: BoutRules, seats: int, trump: str | None) -> None:
        self.rules = rules
        self.seats = seats
        self.deck: Deck = deck_of(rules.deck_size, trump, rules.self_only_suit)
        self.hand_size = rules.hand_size
        self.limit = rules.attack_limit or rules.deck_size
        self.first_limit = min(rules.first_attack_limit or self.limit, self.limit)
        self.first_scope_bout = rules.first_limit_scope == "first_bout"
        self.never = rules.throw_in == "never"
        self.on_take = rules.throw_in == "on_take"
        self.lead_ranks = rules.throw_in_ranks == "lead"
        self.lead_max = rules.lead_max_cards
        self.batch = rules.throw_in_batch == "many"
        self.scope = rules.throw_in_scope
        self.transfer = rules.transfer
        self.transfer_first = rules.transfer_first_bout
        self.transfer_multi = rules.transfer_multi
        self.leader = rules.refill_order == "leader_clockwise_defender_last"
        self.repetition = rules.repetition_draw
        self.max_moves = rules.max_moves


class Sim:
    """A position. `talon` is drawn from its end; `durak` is None, a seat, or DRAW.

    `open` are attack cards not yet beaten, `table` all cards of the bout, `fit` every card of a
    rank that may be thrown in, `lead` of the rank that was led; `out` and `passed` are sets of
    seats, one bit a seat.
    """

    __slots__ = (
        *("actor", "attacker", "beaten", "bouts", "count", "defender", "discarded", "durak"),
        *("emptied", "fit", "hands", "lead", "limit", "moves", "open", "out", "passed", "phase"),
        *("plan", "seen", "table", "talon"),
    )
    open: Bits
    table: Bits
    fit: Bits
    lead: Bits
    count: int
    limit: int
    passed: int
    beaten: bool

    def __init__(self, plan: Plan, hands: list[Bits], talon: list[Bits], attacker: int) -> None:
        self.plan = plan
        self.hands = hands
        self.talon = talon
        self.out = self.passed = 0
        self.bouts = self.discarded = 0
        self.moves = 1
        self.durak: int | None = None
        self.emptied: list[int] = []
        self.seen: list[tuple[int, ...]] = []
        self.phase = ATTACK
        self.attacker = self.actor = attacker
        self.defender = self._after(attacker)
        self._clear()
        if not talon:
            self.seen = [(attacker, *hands)]

    def clone(self) -> "Sim":
        """A copy that shares nothing that changes."""
        new = Sim.__new__(Sim)
        new.plan = self.plan
        new.hands = self.hands[:]
        new.talon = self.talon[:]
        new.out = self.out
        new.passed = self.passed
        new.bouts = self.bouts
        new.discarded = self.discarded
        new.moves = self.moves
        new.durak = self.durak
        new.emptied = self.emptied[:]
        new.seen = self.seen[:]
        new.phase = self.phase
        new.attacker = self.attacker
        new.actor = self.actor
        new.defender = self.defender
        new.open = self.open
        new.table = self.table
        new.fit = self.fit
        new.lead = self.lead
        new.count = self.count
        new.limit = self.limit
        new.beaten = self.beaten
        return new

    def actions(self) -> tuple[int, ...]:
        """Every action of single cards, take or pass among them."""
        hand, phase = self.hands[self.actor], self.phase
        if phase == ATTACK:
            return split(hand)
        if phase != DEFEND:
            return (0, *split(hand & self.fit))
        first = self.open & -self.open
        beats = split(hand & self.plan.deck.beat[first])
        if self.plan.transfer and not self.beaten and self.may_transfer():
            return (0, *beats, *[-card for card in split(hand & self.lead)])
        return (0, *beats)

    def leads(self) -> tuple[int, ...]:
        """Leads of single cards, and of all plain cards of a rank where there are several."""
        hand = self.hands[self.actor]
        room = min(self.plan.lead_max, self.limit_for(self.defender))
        if room < 2:
            return split(hand)
        rank, plain = self.plan.deck.rank, hand & self.plan.deck.plain
        groups = {plain & rank[card] for card in split(plain)}
        many = [group for group in groups if 1 < group.bit_count() <= room]
        return (*split(hand), *sorted(many))

    def step(self, action: int) -> None:
        """Make an action of whoever is to act."""
        actor, phase = self.actor, self.phase
        self.moves += 1
        if action > 0:
            hands = self.hands
            hands[actor] ^= action
            if not hands[actor]:
                self.emptied.append(actor)
            self.table |= action
            self.passed = 0
            if phase == DEFEND:
                self._beaten(action)
            elif phase == ATTACK:
                self._opened(action)
            else:
                self._thrown_in(action)
        elif action < 0:
            self._transferred(-action)
        elif phase == DEFEND:
            self._add(TAKE)
        else:
            self.passed |= 1 << actor
            self._add(phase)
        if self.moves > self.plan.max_moves and self.durak is None:
            self._draw()

    def _beaten(self, card: Bits) -> None:
        self.beaten = True
        if not self.plan.lead_ranks:
            self.fit |= self.plan.deck.rank[card]
        self.open &= self.open - 1
        if not self.open:
            self._add(THROW_IN)

    def _thrown_in(self, card: Bits) -> None:
        self.count += 1
        self.open |= card
        if self.phase == TAKE:
            self._add(TAKE)
        else:
            self.phase = DEFEND
            self.actor = self.defender

    def _opened(self, cards: Bits) -> None:
        if not self.hands[self.attacker]:
            self.emptied = [self.attacker]
        else:
            self.emptied = []
        self.limit = self.limit_for(self.defender)
        self.open = cards
        self.lead = self.fit = self.plan.deck.rank[cards & -cards]
        self.count = cards.bit_count()
        self.phase = DEFEND
        self.actor = self.defender

    def limit_for(self, defender: int) -> int:
        """How many attack cards a bout against this seat may have."""
        plan = self.plan
        first = not (self.bouts if plan.first_scope_bout else self.discarded)
        most = plan.first_limit if first else plan.limit
        held = self.hands[defender].bit_count()
        return min(most, held)

    def may_transfer(self) -> bool:
        """Whether the next seat could answer one more card; asked of a defender with all open."""
        if not self.plan.transfer_first and not self.bouts:
            return False
        return self.count < self.limit_for(self._after(self.defender))

    def _transferred(self, card: Bits) -> None:
        seat = self.defender
        self.hands[seat] ^= card
        if not self.hands[seat]:
            self.emptied.append(seat)
        self.table |= card
        self.open |= card
        self.count += 1
        self.passed = 0
        self.attacker = seat
        self.defender = self.actor = self._after(seat)
        self.limit = self.limit_for(self.defender)

    def _add(self, phase: int) -> None:
        """Ask the next seat that may throw in; close the bout if there is none."""
        plan = self.plan
        self.phase = phase
        if self.count < self.limit and not (plan.never or (plan.on_take and phase == THROW_IN)):
            hands, passed, defender = self.hands, self.passed, self.defender
            everybody = plan.scope == "all"
            for seat in CIRCLES[plan.seats, self.attacker]:
                if not hands[seat] or seat == defender or passed >> seat & 1:
                    continue
                if everybody or self._in_scope(seat):
                    self.actor = seat
                    return
        self.close(phase == TAKE)

    def _in_scope(self, seat: int) -> bool:
        if seat == self.attacker:
            return True
        return self.plan.scope == "neighbours" and seat == self._after(self.defender)

    def _after(self, seat: int) -> int:
        out = self.out
        for other in CIRCLES[self.plan.seats, seat][1:]:
            if not out >> other & 1:
                return other
        return seat

    def close(self, taken: bool) -> None:
        """End the bout: clear the table, refill, let out, and open the next one or the end."""
        hands, defender = self.hands, self.defender
        if taken:
            hands[defender] |= self.table
        else:
            self.discarded += self.table.bit_count()
            self.seen = []
        self.bouts += 1
        if self.talon:
            self._refill()
        if not self.talon:
            for seat in self.emptied:
                if not hands[seat]:
                    self.out |= 1 << seat
            if self._is_over():
                return
        leads = not taken and not self.out >> defender & 1
        leader = defender if leads else self._after(defender)
        self._clear()
        self.phase = ATTACK
        self.attacker = self.actor = leader
        self.defender = self._after(leader)
        if not self.talon and self.plan.repetition is not None:
            key = (leader, *hands)
            if self.seen and self.seen.count(key) + 1 >= self.plan.repetition:
                self._draw()
            self.seen.append(key)
        if self.moves > self.plan.max_moves:
            self._draw()

    def _clear(self) -> None:
        self.open = self.table = self.fit = self.lead = 0
        self.count = self.limit = self.passed = 0
        self.beaten = False
        self.emptied = []

    def _refill(self) -> None:
        hands, talon, size, last = self.hands, self.talon, self.plan.hand_size, self.defender
        circle = CIRCLES[self.plan.seats, self.attacker]
        if self.plan.leader:
            circle = (*[seat for seat in circle if seat != last], last)
        for seat in circle:
            if self.out >> seat & 1:
                continue
            need = size - hands[seat].bit_count()
            while need > 0 and talon:
                hands[seat] |= talon.pop()
                need -= 1

    def _is_over(self) -> bool:
        left = [seat for seat in range(self.plan.seats) if not self.out >> seat & 1]
        if len(left) > 1:
            return False
        self.phase = OVER
        self.durak = left[0] if left else DRAW
        return True

    def _draw(self) -> None:
        self.phase = OVER
        self.durak = DRAW
