"""One decision judged: by what the seat knew, and with all cards known."""

import random
from typing import Any

import msgspec

from bots.analysis.analyser import NAME, SURE, VERSION, rounded
from bots.analysis.report import AnalysedMove, Hindsight, JudgedMove, WeighedMove
from bots.analysis.turns import Eyes, Turn
from bots.brains.registry import Answer
from bots.brains.search.weighing import Scales, Weighed


def decision_judge(turn: Turn, eyes: Eyes) -> JudgedMove:
    """Judge a move; the same turn is always judged the same."""
    view, history = eyes.view(turn), eyes.history(turn)
    scales = Scales(view, history, turn.move)
    plain = JudgedMove(
        number=turn.number,
        seq=turn.seq,
        at_version=turn.game.version,
        seat=turn.seat,
        by=turn.by,
        move=_shown(turn.move),
    )
    if len(scales.moves) == 1:
        return plain
    rng = random.Random(seed_of(turn.number))
    blind = scales.blind(rng)
    seen = blind if scales.is_certain else scales.open(turn.state, rng)
    return msgspec.structs.replace(plain, **_judged(scales, blind, seen))


def seed_of(number: int) -> str:
    """What the chance of a decision's analysis is made of."""
    return f"{NAME}:{VERSION}:{number}"


def _judged(scales: Scales, blind: Weighed, seen: Weighed) -> dict[str, Any]:
    made = scales.made
    order = sorted(range(len(blind.moves)), key=lambda n: (-blind.shares[n], -seen.shares[n], n))
    options = tuple(
        WeighedMove(_shown(blind.moves[n]), rounded(blind.shares[n]), rounded(seen.shares[n]))
        for n in order
    )
    return {
        "move": _shown(blind.moves[made]),
        "options": options,
        "best": options[0].move,
        "share": rounded(blind.shares[made]),
        "loss": _loss(blind, made),
        "error": rounded(blind.errors[made]),
        "deals": blind.deals,
        "exact": blind.exact,
        "hindsight": Hindsight(
            best=_shown(seen.moves[seen.best]),
            loss=_loss(seen, made),
            deals=seen.deals,
            exact=seen.exact,
        ),
    }


def _loss(weighed: Weighed, made: int) -> float:
    lost = weighed.shares[weighed.best] - weighed.shares[made]
    return rounded(lost) if lost > SURE * weighed.errors[made] else 0.0


def _shown(move: Answer) -> AnalysedMove:
    return msgspec.convert(move, AnalysedMove)
