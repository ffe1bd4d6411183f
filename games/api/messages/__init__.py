"""Status, title and detail of every problem the API answers with, in English and Russian."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml
from games.rules.texts.refusals import reason, refusal_codes

_MOVE: Final = "move"


class ProblemText(msgspec.Struct, frozen=True):
    """A problem in one language; `detail` says what to do next."""

    status: int
    title: str
    detail: str


class _Problem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    status: int
    title: Bilingual
    detail: Bilingual


def problem_text(code: str, language: str) -> ProblemText:
    """The problem `code` in Russian for "ru", else in English; KeyError for an unknown code."""
    if code in _problems():
        return _in(language, _problems()[code])
    return _refused(code, language)


@lru_cache(maxsize=1)
def problem_codes() -> tuple[str, ...]:
    """Every code that `problem_text` knows, the reasons of refused moves included."""
    return tuple(dict.fromkeys((*_problems(), *refusal_codes())))


def _refused(code: str, language: str) -> ProblemText:
    if code not in refusal_codes():
        raise KeyError(code)
    found = reason(code)
    parts = [found.detail] if found.hint is None else [found.detail, found.hint]
    detail = " ".join(part.text(language) for part in parts)
    shared = _in(language, _table()[_MOVE])
    return ProblemText(shared.status, shared.title, detail)


def _in(language: str, problem: _Problem) -> ProblemText:
    title, detail = problem.title.text(language), problem.detail.text(language)
    return ProblemText(problem.status, title, detail)


def _problems() -> dict[str, _Problem]:
    return {code: problem for code, problem in _table().items() if code != _MOVE}


@lru_cache(maxsize=1)
def _table() -> dict[str, _Problem]:
    return msgspec.convert(read_toml("problems.toml", Path(__file__).parent), dict[str, _Problem])
