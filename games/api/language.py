"""Which of the two languages a request asks for."""

from functools import lru_cache
from typing import Final, Literal

Language = Literal["en", "ru"]
DEFAULT: Final[Language] = "en"
_LONGEST_HEADER: Final = 200


def wanted_language(header: str, default: str = DEFAULT) -> Language:
    """The better of en and ru by an Accept-Language header, `default` where it has no wish.

    >>> wanted_language("de, ru;q=0.8, en;q=0.5")
    'ru'
    """
    return _choose(header[:_LONGEST_HEADER], default)


@lru_cache(maxsize=256)
def _choose(header: str, default: str) -> Language:
    wishes: dict[str, float] = {}
    for part in header.lower().split(","):
        tag, _, parameters = part.partition(";")
        language = default if tag.strip() == "*" else tag.strip().partition("-")[0]
        if language in {"en", "ru"}:
            wishes[language] = max(quality(parameters), wishes.get(language, 0.0))
    best = max(wishes, key=lambda language: wishes[language], default=default)
    chosen = best if wishes.get(best, 1.0) > 0 else default
    return "ru" if chosen == "ru" else "en"


def quality(parameters: str) -> float:
    """The q of a header element's parameters: 1 when absent, 0 when unreadable.

    >>> quality("charset=utf-8; q=0.3"), quality(""), quality("q=high")
    (0.3, 1.0, 0.0)
    """
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            return _fraction(value.strip())
    return 1.0


def _fraction(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 0 <= number <= 1 else 0.0
