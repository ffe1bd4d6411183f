"""Endgames of two, searched to their ends: who wins if both play as well as can be.

`memo` keeps what was found: a row for each position met, placed by a hash of it.
"""

from typing import Final

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.building import Numbers, compiled
from bots.brains.search.compiled.moves import ACTIONS_MOST, actions, step

# A value that was not found within the nodes and the depth that there were.
UNKNOWN: Final = 2
# Lines of play that are longer are not followed. There are some: who takes lays the cards again.
DEPTH_MOST: Final = 4 * at.CARDS_MOST
# A row of the stack: a position, and behind it the actions that are possible there.
STACKED: Final = at.POSITION + ACTIONS_MOST
# Columns of the memo: what tells positions of one endgame apart, and the value, 1 to 3 (0: none).
_VALUE: Final = 5
COLUMNS: Final = 6
Key = tuple[int, int, int, int, int]


@compiled
def value(rules: Numbers, stack: Numbers, depth: int, memo: Numbers, left: Numbers) -> int:
    """1, 0 or -1 for whoever is to act: the game won, drawn or lost; UNKNOWN if it was not found.

    The position is that of the stack at this depth, what is deeper is written over; below its last
    row nothing is found. `left` counts nodes down. The memo must have more rows than there are
    nodes, and as many as a power of two.
    """
    pos, found = stack[depth], stack[depth, at.POSITION :]
    key = _key(pos)
    known = memo[_row(memo, key), _VALUE]
    if known:
        return int(known - 2)
    if not left[0] or depth + 1 == len(stack):
        return UNKNOWN
    left[0] -= 1
    after = stack[depth + 1]
    best, many, actor = -1, actions(rules, pos, found), pos[at.ACTOR]
    first = 0 if found[0] else 1
    for number in range(many):
        after[: at.POSITION] = pos[: at.POSITION]
        # To pass or to take comes last.
        step(rules, after, found[(number + first) % many])
        worth = result(after, actor)
        if worth == UNKNOWN:
            worth = value(rules, stack, depth + 1, memo, left)
            if worth == UNKNOWN:
                return UNKNOWN
            worth *= 1 if after[at.ACTOR] == actor else -1
        best = max(best, worth)
        if best == 1:
            break
    _keep(memo, key, best)
    return best


@compiled
def result(pos: Numbers, seat: int) -> int:
    """What the end of a game is worth to a seat, UNKNOWN before it."""
    durak = pos[at.DURAK]
    if durak == at.NOBODY:
        return UNKNOWN
    if durak == at.DRAW:
        return 0
    return -1 if durak == seat else 1


@compiled
def _key(pos: Numbers) -> Key:
    """Cards in hands and on the table, and whose move it is; the other seats are out."""
    attacker = pos[at.ATTACKER]
    room = pos[at.LIMIT] - pos[at.COUNT]
    turn = ((room * 8 + pos[at.PHASE]) * 8 + pos[at.ACTOR]) * 8 + attacker
    hands = pos[at.HANDS + attacker], pos[at.HANDS + pos[at.DEFENDER]]
    return hands[0], hands[1], pos[at.TABLE], pos[at.OPEN], turn


@compiled
def _row(memo: Numbers, key: Key) -> int:
    """The row of a position, or the free one where it belongs."""
    mixed = 0
    for number in key:
        mixed = (mixed ^ number) * 0x2545F4914F6CDD1D
        mixed ^= mixed >> 29
    row = mixed & (len(memo) - 1)
    while memo[row, _VALUE] and not _is_of(memo[row], key):
        row = (row + 1) & (len(memo) - 1)
    return row


@compiled
def _is_of(row: Numbers, key: Key) -> bool:
    hands = row[0] == key[0] and row[1] == key[1]
    return bool(hands and row[2] == key[2] and row[3] == key[3] and row[4] == key[4])


@compiled
def _keep(memo: Numbers, key: Key, value: int) -> None:
    row = memo[_row(memo, key)]
    for place in range(_VALUE):
        row[place] = key[place]
    row[_VALUE] = value + 2
