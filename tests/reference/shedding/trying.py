"""Short ways to lay a table and to try moves on it, for tests of the reference itself."""

from typing import Any

from tests.reference.shedding.refusals import why_not
from tests.reference.shedding.rulesets import options_of
from tests.reference.shedding.table import Table


def table_of(preset: str, hands: str, pile: str = "KD", talon: str = "", **changed: Any) -> Table:
    """A table where seat 0 is to play; hands like ``"9D KC, 8C"``, the top card last."""
    position = {
        "hands": [hand.split() for hand in hands.split(",")],
        "discard_pile": pile.split(),
        "talon": talon.split(),
        "to_act": 0,
    }
    return Table(position, options_of(preset, **changed))


def move_of(said: str) -> dict[str, Any]:
    """A move like ``draw``, ``pass``, ``name H``, ``7D``, ``AD AC AS`` or ``QD:H``."""
    if said in ("draw", "pass"):
        return {"type": said}
    if said.startswith("name "):
        return {"type": "name_suit", "suit": said[5:]}
    cards, _, named = said.partition(":")
    move: dict[str, Any] = {"type": "play", "cards": cards.split()}
    return move | {"suit": named} if named else move


def go(table: Table, *moves: str) -> Table:
    """Let whoever is to act make these moves, one after the other."""
    for said in moves:
        table.play(table.to_act, move_of(said))
    return table


def refusal(table: Table, said: str) -> str | None:
    """Why a move of whoever is to act would be refused, without `move.` before it."""
    code = why_not(table, table.to_act, move_of(said))
    return code and code.removeprefix("move.")


def allowed(table: Table) -> set[str]:
    """Every allowed move, as they are written here."""
    return {said_of(move) for move in table.all_moves(table.to_act)}


def said_of(move: dict[str, Any]) -> str:
    """A move as `move_of` reads it."""
    if move["type"] == "name_suit":
        return f"name {move['suit']}"
    if move["type"] != "play":
        return str(move["type"])
    named = f":{move['suit']}" if "suit" in move else ""
    return " ".join(move["cards"]) + named
