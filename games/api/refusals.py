"""A refused move with the sentence of the rulebook that forbids it."""

from typing import Any

import msgspec

from games.api.problems import Problem
from games.rules.texts import RefusalText, refusal_text
from games.services.errors import MoveRefused


class RuleQuote(msgspec.Struct, frozen=True):
    """A sentence of the rulebook in one language."""

    id: str
    text: str


def refused(error: MoveRefused, language: str) -> Problem:
    """The problem for a refused move: with `rule`, `hint` where there is one, and `version`."""
    dials = msgspec.structs.asdict(error.rules)
    text = refusal_text(
        error.code, language, error.family, dials, move=error.move, caught=error.caught
    )
    members: dict[str, Any] = {**error.members, "rule": quote_rule(text)}
    if text.hint:
        members["hint"] = text.hint
    return Problem(error.code, detail=text.detail, **members)


def quote_rule(text: RefusalText) -> RuleQuote:
    """The sentence that a refusal stands on."""
    return RuleQuote(text.rule_id, text.rule_text)
