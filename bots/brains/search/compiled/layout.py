"""Where the numbers of a position and of a game's rules stand in their arrays.

A position holds, from `HANDS` on, a set of cards for each seat, from `TALON` on the single cards of
the talon, drawn from the end of its `LEFT` cards, and from `KEYS` on what stood at the starts of
bouts without a talon, `MET` of them. The rules hold a set for each card of the pack from `BEAT` on
(what beats it) and from `RANK` on (its rank).
"""

from typing import Final

SEATS_MOST: Final = 6
CARDS_MOST: Final = 52
KEYS_MOST: Final = 64
# Of `DURAK`, besides the seats.
DRAW: Final = -1
NOBODY: Final = -2
# Of `PHASE`.
ATTACK, DEFEND, THROW_IN, TAKE, OVER = range(5)
# Of `SCOPE`.
EVERYBODY, NEIGHBOURS, LEADER = range(3)

PHASE, ACTOR, ATTACKER, DEFENDER, OUT, PASSED, EMPTIED, BOUTS, DISCARDED, MOVES, DURAK = range(11)
OPEN, TABLE, FIT, LEAD, COUNT, LIMIT, BEATEN, LEFT, MET, HANDS = range(11, 21)
TALON: Final = HANDS + SEATS_MOST
KEYS: Final = TALON + CARDS_MOST
POSITION: Final = KEYS + KEYS_MOST

SEATS, HAND_SIZE, MOST, FIRST, FIRST_BOUT, NEVER, ON_TAKE, LEAD_RANKS, LEAD_MAX, SCOPE = range(10)
TRANSFER, TRANSFER_FIRST, LEADER_FIRST, REPETITION, MAX_MOVES, PLAIN, PACK, BEAT = range(10, 18)
RANK: Final = BEAT + CARDS_MOST
RULES: Final = RANK + CARDS_MOST
