"""What may be done in a position, and what it leads to.

An action is a card's bit (lead it, beat the cheapest open card with it, throw it in), ``-bit`` to
transfer with it, or 0 to take or pass. Several cards at once are several steps, leads apart: there
an action may hold more cards of a rank. Every action is a legal move of the rules.
"""

from typing import Final

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.bits import count, place
from bots.brains.search.compiled.building import Numbers, compiled

# The most actions that there can be: every card led alone, and groups of a rank besides; or every
# card of a hand beating, one of a rank transferred, and taking.
ACTIONS_MOST: Final = 2 * at.CARDS_MOST


@compiled
def actions(rules: Numbers, pos: Numbers, found: Numbers) -> int:
    """Put every action of single cards into `found`, take or pass first; how many there are."""
    hand, phase = pos[at.HANDS + pos[at.ACTOR]], pos[at.PHASE]
    if phase == at.ATTACK:
        return put(found, 0, hand, 1)
    found[0] = 0
    if phase != at.DEFEND:
        return put(found, 1, hand & pos[at.FIT], 1)
    many = put(found, 1, hand & rules[at.BEAT + place(pos[at.OPEN])], 1)
    if rules[at.TRANSFER] and not pos[at.BEATEN] and may_transfer(rules, pos):
        many = put(found, many, hand & pos[at.LEAD], -1)
    return many


@compiled
def put(found: Numbers, many: int, cards: int, sign: int) -> int:
    """Put the single cards of a set behind the first `many` actions; how many there are then."""
    while cards:
        card = cards & -cards
        cards ^= card
        found[many] = sign * card
        many += 1
    return many


@compiled
def choices(rules: Numbers, pos: Numbers, found: Numbers) -> int:
    """The actions that a search looks at: of leads also all plain cards of a rank together."""
    many = actions(rules, pos, found)
    if pos[at.PHASE] != at.ATTACK:
        return many
    room = min(rules[at.LEAD_MAX], limit_for(rules, pos, pos[at.DEFENDER]))
    rest = pos[at.HANDS + pos[at.ACTOR]] & rules[at.PLAIN]
    while rest and room > 1:
        group = rest & rules[at.RANK + place(rest)]
        rest ^= group
        if 1 < count(group) <= room:
            found[many] = group
            many += 1
    return many


@compiled
def limit_for(rules: Numbers, pos: Numbers, defender: int) -> int:
    """How many attack cards a bout against this seat may have."""
    first = not (pos[at.BOUTS] if rules[at.FIRST_BOUT] else pos[at.DISCARDED])
    most = rules[at.FIRST] if first else rules[at.MOST]
    return min(int(most), count(pos[at.HANDS + defender]))


@compiled
def may_transfer(rules: Numbers, pos: Numbers) -> bool:
    """Whether the next seat could answer one more card; asked of a defender with all open."""
    if not rules[at.TRANSFER_FIRST] and not pos[at.BOUTS]:
        return False
    return bool(pos[at.COUNT] < limit_for(rules, pos, after(rules, pos, pos[at.DEFENDER])))


@compiled
def after(rules: Numbers, pos: Numbers, seat: int) -> int:
    """The next seat that is not out."""
    seats, other = rules[at.SEATS], seat
    for _ in range(seats - 1):
        other = other + 1 if other + 1 < seats else 0
        if not pos[at.OUT] >> other & 1:
            return other
    return seat


@compiled
def step(rules: Numbers, pos: Numbers, action: int) -> None:
    """Make an action of whoever is to act; `pos` is changed."""
    phase = pos[at.PHASE]
    pos[at.MOVES] += 1
    if action > 0:
        _lay(pos, pos[at.ACTOR], action)
        if phase == at.DEFEND:
            _beat(rules, pos, action)
        elif phase == at.ATTACK:
            _lead(rules, pos, action)
        else:
            _throw_in(rules, pos, action)
    elif action < 0:
        _transfer(rules, pos, -action)
    elif phase == at.DEFEND:
        _add(rules, pos, at.TAKE)
    else:
        pos[at.PASSED] |= 1 << pos[at.ACTOR]
        _add(rules, pos, phase)
    if pos[at.MOVES] > rules[at.MAX_MOVES] and pos[at.DURAK] == at.NOBODY:
        _end(pos, at.DRAW)


@compiled
def advance(rules: Numbers, pos: Numbers, found: Numbers, number: int) -> int:
    """Make the action of this number in `found`, and put there those that are possible then.

    How many there are: 0 when the game is over.
    """
    step(rules, pos, found[number])
    return actions(rules, pos, found) if pos[at.DURAK] == at.NOBODY else 0


@compiled
def _lay(pos: Numbers, seat: int, cards: int) -> None:
    pos[at.HANDS + seat] ^= cards
    if not pos[at.HANDS + seat]:
        pos[at.EMPTIED] |= 1 << seat
    pos[at.TABLE] |= cards
    pos[at.PASSED] = 0


@compiled
def _lead(rules: Numbers, pos: Numbers, cards: int) -> None:
    attacker = pos[at.ATTACKER]
    pos[at.EMPTIED] = 0 if pos[at.HANDS + attacker] else 1 << attacker
    pos[at.LIMIT] = limit_for(rules, pos, pos[at.DEFENDER])
    pos[at.OPEN] = cards
    pos[at.LEAD] = pos[at.FIT] = rules[at.RANK + place(cards)]
    pos[at.COUNT] = count(cards)
    pos[at.PHASE] = at.DEFEND
    pos[at.ACTOR] = pos[at.DEFENDER]


@compiled
def _beat(rules: Numbers, pos: Numbers, card: int) -> None:
    pos[at.BEATEN] = 1
    if not rules[at.LEAD_RANKS]:
        pos[at.FIT] |= rules[at.RANK + place(card)]
    pos[at.OPEN] &= pos[at.OPEN] - 1
    if not pos[at.OPEN]:
        _add(rules, pos, at.THROW_IN)


@compiled
def _throw_in(rules: Numbers, pos: Numbers, card: int) -> None:
    pos[at.COUNT] += 1
    pos[at.OPEN] |= card
    if pos[at.PHASE] == at.TAKE:
        _add(rules, pos, at.TAKE)
    else:
        pos[at.PHASE] = at.DEFEND
        pos[at.ACTOR] = pos[at.DEFENDER]


@compiled
def _transfer(rules: Numbers, pos: Numbers, card: int) -> None:
    seat = pos[at.DEFENDER]
    _lay(pos, seat, card)
    pos[at.OPEN] |= card
    pos[at.COUNT] += 1
    pos[at.ATTACKER] = seat
    pos[at.DEFENDER] = pos[at.ACTOR] = after(rules, pos, seat)
    pos[at.LIMIT] = limit_for(rules, pos, pos[at.DEFENDER])


@compiled
def _add(rules: Numbers, pos: Numbers, phase: int) -> None:
    """Ask the next seat that may throw in; close the bout if there is none."""
    pos[at.PHASE] = phase
    closed = rules[at.NEVER] or (rules[at.ON_TAKE] and phase == at.THROW_IN)
    if pos[at.COUNT] < pos[at.LIMIT] and not closed:
        seat, defender = pos[at.ATTACKER], pos[at.DEFENDER]
        for _ in range(rules[at.SEATS]):
            able = seat != defender and pos[at.HANDS + seat] and not pos[at.PASSED] >> seat & 1
            if able and _in_scope(rules, pos, seat):
                pos[at.ACTOR] = seat
                return
            seat = seat + 1 if seat + 1 < rules[at.SEATS] else 0
    close(rules, pos, phase == at.TAKE)


@compiled
def _in_scope(rules: Numbers, pos: Numbers, seat: int) -> bool:
    scope = rules[at.SCOPE]
    if scope == at.EVERYBODY or seat == pos[at.ATTACKER]:
        return True
    return bool(scope == at.NEIGHBOURS and seat == after(rules, pos, pos[at.DEFENDER]))


@compiled
def close(rules: Numbers, pos: Numbers, taken: bool) -> None:
    """End the bout: clear the table, refill, let out, and open the next one or the end."""
    defender = pos[at.DEFENDER]
    if taken:
        pos[at.HANDS + defender] |= pos[at.TABLE]
    else:
        pos[at.DISCARDED] += count(pos[at.TABLE])
        pos[at.MET] = 0
    pos[at.BOUTS] += 1
    if pos[at.LEFT]:
        _refill(rules, pos)
    if not pos[at.LEFT]:
        _let_out(rules, pos)
        if pos[at.PHASE] == at.OVER:
            return
    leads = not taken and not pos[at.OUT] >> defender & 1
    open_bout(rules, pos, defender if leads else after(rules, pos, defender))
    if pos[at.MOVES] > rules[at.MAX_MOVES]:
        _end(pos, at.DRAW)


@compiled
def open_bout(rules: Numbers, pos: Numbers, leader: int) -> None:
    """Clear the table and ask for a lead; without a talon, notice what comes back too often."""
    pos[at.OPEN] = pos[at.TABLE] = pos[at.FIT] = pos[at.LEAD] = 0
    pos[at.COUNT] = pos[at.LIMIT] = pos[at.PASSED] = pos[at.BEATEN] = pos[at.EMPTIED] = 0
    pos[at.PHASE] = at.ATTACK
    pos[at.ATTACKER] = pos[at.ACTOR] = leader
    pos[at.DEFENDER] = after(rules, pos, leader)
    if not pos[at.LEFT] and rules[at.REPETITION]:
        _meet(rules, pos)


@compiled
def _meet(rules: Numbers, pos: Numbers) -> None:
    """Note the start of a bout; too long ago is forgotten."""
    key = pos[at.ATTACKER]
    for seat in range(rules[at.SEATS]):
        key = (key ^ pos[at.HANDS + seat]) * 0x2545F4914F6CDD1D
        key ^= key >> 29
    met = pos[at.MET]
    times = 1
    for number in range(min(met, at.KEYS_MOST)):
        times += pos[at.KEYS + number] == key
    pos[at.KEYS + met % at.KEYS_MOST] = key
    pos[at.MET] = met + 1
    if met and times >= rules[at.REPETITION]:
        _end(pos, at.DRAW)


@compiled
def _refill(rules: Numbers, pos: Numbers) -> None:
    seats, last = rules[at.SEATS], pos[at.DEFENDER]
    seat = pos[at.ATTACKER]
    for _ in range(seats):
        if not (rules[at.LEADER_FIRST] and seat == last):
            _draw(rules, pos, seat)
        seat = seat + 1 if seat + 1 < seats else 0
    if rules[at.LEADER_FIRST]:
        _draw(rules, pos, last)


@compiled
def _draw(rules: Numbers, pos: Numbers, seat: int) -> None:
    if pos[at.OUT] >> seat & 1:
        return
    need = min(rules[at.HAND_SIZE] - count(pos[at.HANDS + seat]), pos[at.LEFT])
    for _ in range(need):
        pos[at.LEFT] -= 1
        pos[at.HANDS + seat] |= pos[at.TALON + pos[at.LEFT]]


@compiled
def _let_out(rules: Numbers, pos: Numbers) -> None:
    """Seats whose last card was laid are out; the game ends with less than two of them left."""
    left, durak = 0, at.DRAW
    for seat in range(rules[at.SEATS]):
        if pos[at.EMPTIED] >> seat & 1 and not pos[at.HANDS + seat]:
            pos[at.OUT] |= 1 << seat
        if not pos[at.OUT] >> seat & 1:
            left += 1
            durak = seat
    if left < 2:
        _end(pos, durak)


@compiled
def _end(pos: Numbers, durak: int) -> None:
    pos[at.PHASE] = at.OVER
    pos[at.DURAK] = durak
