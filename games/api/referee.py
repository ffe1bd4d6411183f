"""The referee: a position and moves in, a ruling out; no game, no account, no memory."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.bodies import Body
from games.api.operations import operation
from games.api.refusals import RuleQuote, quote_rule
from games.rules import referee
from games.rules.errors import MalformedMove
from games.rules.moves import parse_move
from games.rules.rulesets.registry import Ruleset, ruleset
from games.rules.texts import refusal_text

MOST_MOVES: Final = 500


class RefereeMove(Body, frozen=True):
    """A move, as it is sent to a game, and the seat that makes it."""

    seat: Annotated[int, Meta(ge=0, le=51)]
    move: dict[str, Any]


class RefereeCall(Body, frozen=True):
    """A position by hands, trump, talon and more, and the moves to play from it, in order."""

    ruleset: str
    position: dict[str, Any]
    options: dict[str, Any] = {}
    moves: Annotated[list[RefereeMove], Meta(max_length=MOST_MOVES)] = []


class RefusedMove(msgspec.Struct, frozen=True):
    """The first refused move, by its index, and why."""

    index: int
    code: str
    rule: RuleQuote
    detail: str


class RefereeRuling(msgspec.Struct, frozen=True):
    """The position after the moves (before the refused one), which can be sent back."""

    position: dict[str, Any]
    legal_moves: dict[str, list[dict[str, Any]]]
    events: list[dict[str, Any]]
    refused: RefusedMove | None


class RefereeView(ApiView):
    """`/referee`"""

    @operation(
        "referee",
        access="ignored",
        bucket="referee",
        body=RefereeCall,
        answer=RefereeRuling,
        codes=("rules.unknown", "rules.invalid_options"),
    )
    def post(self, request: Request) -> Response:
        """Rule on moves in a position.

        Plays the moves in order and stops at the first refused one. Nothing is stored; a game's
        id has no meaning here.
        """
        call = self.body(RefereeCall)
        rules = ruleset(call.ruleset, call.options)
        ruling = referee.rule(rules.rules, call.position, list(_turns(rules.family, call.moves)))
        refused = _refused(ruling, call, rules, self.language)
        return self.answer({**msgspec.structs.asdict(ruling), "refused": refused})


def _turns(family: str, moves: list[RefereeMove]) -> Iterator[referee.Turn]:
    for index, sent in enumerate(moves):
        try:
            yield referee.Turn(sent.seat, parse_move(family, sent.move))
        except MalformedMove as error:
            place = f"moves[{index}].move."
            faults = {f"{place}{field}": reason for field, reason in error.errors.items()}
            raise MalformedMove(faults) from None


def _refused(
    ruling: referee.Ruling, call: RefereeCall, rules: Ruleset, language: str
) -> RefusedMove | None:
    if ruling.refused is None:
        return None
    index, code = ruling.refused
    sent = call.moves[index]
    dials: dict[str, object] = msgspec.structs.asdict(rules.rules)
    caught = sent.seat in ruling.position.get("barred", ())
    text = refusal_text(code, language, rules.family, dials, move=sent.move["type"], caught=caught)
    return RefusedMove(index, code, quote_rule(text), text.detail)
