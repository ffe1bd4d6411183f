"""Texts in the two languages of the game, and the files they live in."""

import tomllib
from pathlib import Path
from typing import Final, Literal

import msgspec

Language = Literal["en", "ru"]
_HERE: Final = Path(__file__).parent


class Bilingual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text in English and in Russian."""

    en: str
    ru: str

    def text(self, language: str) -> str:
        """The text in `language`; English for every language but Russian."""
        return self.ru if language == "ru" else self.en


def read_toml(name: str, folder: Path = _HERE) -> dict[str, object]:
    """The tables of the TOML file `name` in `folder`, in the order in which they stand there."""
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))
