"""Which rules the simulator knows, and which rules a game has."""

from functools import lru_cache
from typing import Final, TypeGuard

import msgspec

from bots.brains.registry import History
from games.rules.rulesets.schema import BoutRules, Rules, rules_as_agreed

# With any other value of one of these the simulator is not used.
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


def is_claimed(rules: object) -> TypeGuard[BoutRules]:
    """Whether the simulator plays by these rules."""
    return isinstance(rules, BoutRules) and all(
        getattr(rules, dial) in values for dial, values in _CLAIMED.items()
    )


def rules_of(history: History) -> Rules:
    """The complete rules of the game, from its first event."""
    return _rules(msgspec.json.encode(history[0]["data"]["rules"]))


@lru_cache(maxsize=64)
def _rules(dials: bytes) -> Rules:
    return rules_as_agreed(msgspec.json.decode(dials))
