"""A refused move with the sentence of the rulebook that forbids it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.api.problems import Problem
from games.rules.texts import RefusalText, refusal_text


class RuleQuote(msgspec.Struct, frozen=True):
    """A sentence of the rulebook in one language."""

    id: str
    text: str


def refused(
    code: str, *, family: str, options: Mapping[str, object], language: str, **members: Any
) -> Problem:
    """The problem for a Refusal's code in a game of this ruleset (`options`: every dial's value).

    It carries `rule`, `hint` where there is one, and `members`, such as the game's `version`.
    """
    text = refusal_text(code, language, family, options)
    if text.hint:
        members["hint"] = text.hint
    return Problem(code, detail=text.detail, rule=quote_rule(text), **members)


def quote_rule(text: RefusalText) -> RuleQuote:
    """The sentence that a refusal stands on."""
    return RuleQuote(text.rule_id, text.rule_text)
