"""What both families' readings share: how a move names its cards, and that it may be refused."""

from typing import Any

Move = dict[str, Any]


class Refused(Exception):
    """A move that the rules do not allow; `code` as the rulebook names it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def cards_of(move: Move) -> list[str]:
    """The cards that a move names, as `card` or `cards`."""
    if "card" in move:
        return [move["card"]]
    return list(move.get("cards", []))
