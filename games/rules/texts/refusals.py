"""Why a move is refused: the sentence that forbids it, what is wrong, and what to do instead."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml
from games.rules.texts.sentences import Sentence, sentence

_PREFIX: Final = "move."
_ALWAYS: Final = "D-order"


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reason of refusal: candidates for the sentence, the detail and perhaps a hint.

    `when` has candidates that go before `rules`, by move type or for a seat that was caught.
    """

    rules: tuple[str, ...]
    detail: Bilingual
    hint: Bilingual | None = None
    when: dict[str, tuple[str, ...]] = {}


class RefusalText(msgspec.Struct, frozen=True):
    """The texts of one refusal in one language."""

    rule_id: str
    rule_text: str
    detail: str
    hint: str | None


def refusal_text(
    code: str,
    language: str,
    family: str,
    options: Mapping[str, object],
    *,
    move: str | None = None,
    caught: bool = False,
) -> RefusalText:
    """The texts for a refusal code, with or without its prefix ``move.``.

    They depend on the code, the ruleset, the type of the refused `move` (None if it is not known)
    and whether its seat was `caught` with a wrong card in this bout (D-11), so they tell nothing
    about hidden cards. `options` is read as by `sentences_for`. Raises KeyError for an unknown
    code.
    """
    found = reason(code)
    about = ("caught", move) if caught else (move,)
    preferred = [rule_id for key in about if key for rule_id in found.when.get(key, ())]
    rule = _in_force((*preferred, *found.rules), family, options)
    hint = found.hint.text(language) if found.hint else None
    return RefusalText(rule.id, rule.text(language), found.detail.text(language), hint)


def reason(code: str) -> Reason:
    """What is known of a refusal code, with or without ``move.``; KeyError if unknown."""
    return _reasons()[code.removeprefix(_PREFIX)]


def refusal_codes() -> tuple[str, ...]:
    """Every code: ``game.over`` and the ``move.<reason>`` of the closed list."""
    return tuple(key if "." in key else _PREFIX + key for key in _reasons())


def _in_force(rules: Sequence[str], family: str, options: Mapping[str, object]) -> Sentence:
    candidates = (sentence(rule_id) for rule_id in rules)
    holding = (item for item in candidates if item.holds(family, options))
    return next(holding, sentence(_ALWAYS))


@lru_cache(maxsize=1)
def _reasons() -> dict[str, Reason]:
    return msgspec.convert(read_toml("refusals.toml"), dict[str, Reason])
