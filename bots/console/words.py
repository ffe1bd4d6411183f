"""What the console says, in English and Russian."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text by language; a pair speaks of somebody else, then of the person at the keyboard."""

    en: str | tuple[str, str]
    ru: str | tuple[str, str]


class Words:
    """The console's phrases in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, *, you: bool = False, **fields: object) -> str:
        """The phrase ``table.name`` with its fields filled in. Raises KeyError if unknown."""
        table, name = key.split(".")
        phrase = _phrases()[table][name]
        text = phrase.ru if self.language == "ru" else phrase.en
        chosen = text if isinstance(text, str) else text[you]
        return chosen.format(**fields)

    def knows(self, key: str) -> bool:
        """Whether there is such a phrase."""
        table, name = key.split(".")
        return name in _phrases()[table]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, dict[str, Phrase]]:
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, Phrase]])
