"""Why a move is refused: the sentence that forbids it, what is wrong, and what to do instead."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml
from games.rules.texts.sentences import Sentence, sentence

_PREFIX: Final = "move."
_ALWAYS: Final = "D-order"


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reason of refusal: candidates for the sentence, the detail and perhaps a hint."""

    rules: tuple[str, ...]
    detail: Bilingual
    hint: Bilingual | None = None


class RefusalText(msgspec.Struct, frozen=True):
    """The texts of one refusal in one language."""

    rule_id: str
    rule_text: str
    detail: str
    hint: str | None


def refusal_text(
    code: str, language: str, family: str, options: Mapping[str, object]
) -> RefusalText:
    """The texts for a refusal code, with or without its prefix ``move.``.

    They depend on the code and the ruleset alone, so they tell nothing about hidden cards.
    `options` is read as by `sentences_for`. Raises KeyError for an unknown code.
    """
    found = reason(code)
    rule = _rule(found, family, options)
    hint = found.hint.text(language) if found.hint else None
    return RefusalText(rule.id, rule.text(language), found.detail.text(language), hint)


def reason(code: str) -> Reason:
    """What is known of a refusal code, with or without ``move.``; KeyError if unknown."""
    return _reasons()[code.removeprefix(_PREFIX)]


def refusal_codes() -> tuple[str, ...]:
    """Every code: ``game.over`` and the ``move.<reason>`` of the closed list."""
    return tuple(key if "." in key else _PREFIX + key for key in _reasons())


def _rule(found: Reason, family: str, options: Mapping[str, object]) -> Sentence:
    candidates = (sentence(rule_id) for rule_id in found.rules)
    holding = (item for item in candidates if item.holds(family, options))
    return next(holding, sentence(_ALWAYS))


@lru_cache(maxsize=1)
def _reasons() -> dict[str, Reason]:
    return msgspec.convert(read_toml("refusals.toml"), dict[str, Reason])
