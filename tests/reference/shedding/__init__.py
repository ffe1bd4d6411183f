"""A second reading of the shedding rules, written from the rulebook alone, as an oracle for tests.

Plain and slow on purpose, and nothing shared with the engine. `Table` holds a game, `deal` lays it
out, `Refused` says no; see `tests/rules/test_reference_shedding.py` for their use.
"""

from tests.reference.shedding.dealing import deal
from tests.reference.shedding.refusals import why_not
from tests.reference.shedding.table import Refused, Table

__all__ = ["Refused", "Table", "deal", "why_not"]
