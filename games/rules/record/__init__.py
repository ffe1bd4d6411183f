"""Game records: a whole game as a text that people read and the engine checks.

::

    [Ruleset "throw_in"]
    [Options {}]
    [Players ["ann", "bob"]]
    [Dealer 1]
    [Hands "6S9D…/7D8D…"]
    [Talon "TCJH…QH"]
    [Trump "QH"]
    [Attacker 0]
    [Because "lowest_trump"]
    [Result {"durak": 1, "draw": false, "winner": 0, "places": [[0], [1]], "reason": "played_out"}]

    1. 0:6S 1:6S<9S 0:+9D 1:take 0:pass
    2. 0:7D …

Tags say what chance and the table decided; their values are JSON. ``Hands`` are in the order of the
deal, ``Talon`` in the order of drawing, ``Trump`` is its card, or its suit where no card shows it.
``Drawn`` cards were turned up before the trump and went back. A void deal is followed by
``Redealt`` with its reason, and by the tags of the next. ``Game`` is the number of the game in its
match if that is not 1, ``Result`` is null while the game runs. Then come the moves in shorthand,
numbered by bout. Lines that begin with ``;`` are comments.

What follows from the rules is not written down: who draws what, who goes out. Neither are the slots
of hands face out: a record names all cards by their faces.
"""

from games.rules.record.check import check_record
from games.rules.record.game import Deal, Lines, Record, Turn, record_of
from games.rules.record.reading import read_record
from games.rules.record.writing import write_record

__all__ = [
    "Deal",
    "Lines",
    "Record",
    "Turn",
    "check_record",
    "read_record",
    "record_of",
    "write_record",
]
