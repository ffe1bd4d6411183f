"""What a player may be called, and when two names are the same name."""

import unicodedata
from typing import Final

SHORTEST: Final = 2
LONGEST: Final = 30
RESERVED: Final = frozenset({"me"})

_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lo"})
_OTHERS: Final = frozenset("0123456789_-")
# Letters to Unicode, nothing at all to the eye.
_INVISIBLE: Final = frozenset("\u115f\u1160\u3164\uffa0")


def name_tidy(text: str) -> str:
    """The name as it is stored: accents joined to their letters (NFC)."""
    return unicodedata.normalize("NFC", text)


def name_key(text: str) -> str:
    """Equal for two names if and only if they are the same name: NFKC, without case."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)


def name_fault(text: str) -> str | None:
    """Why `text`, already tidy, cannot be a name; None if it can."""
    if not SHORTEST <= len(text) <= LONGEST:
        return f"must have {SHORTEST} to {LONGEST} characters"
    if not all(_may_stand(character) for character in text):
        return "may hold letters, digits, _ and - only"
    if unicodedata.normalize("NFKC", text) != text:
        return "holds a letter that is another one in disguise"
    if name_key(text) in RESERVED:
        return "is reserved"
    return None


def _may_stand(character: str) -> bool:
    if character in _OTHERS:
        return True
    return unicodedata.category(character) in _LETTERS and character not in _INVISIBLE
