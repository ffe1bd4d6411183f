"""A second reading of the bout rules, written from the rulebook alone, as an oracle for tests.

Plain and slow on purpose: lists, dicts and loops, one function a rule, nothing shared with the
engine. `Table` holds a game, `Refused` says no; see `tests/rules/test_reference.py` for its use.
"""

from tests.reference.refusals import why_not
from tests.reference.table import Refused, Table

__all__ = ["Refused", "Table", "why_not"]
