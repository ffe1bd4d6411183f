"""Every dial of the ruleset families, with type, bounds and default (rulebook 3.1 and 3.2)."""

from functools import cached_property, partial
from typing import Annotated, Any, Final, Literal, TypeAlias, TypedDict

import msgspec

SuitName = Literal["S", "H", "D", "C"]
RankName = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
# A rank, or a single card, which goes before its rank. `$` alone lets a line break follow.
CardName = Annotated[str, msgspec.Meta(pattern=r"^[2-9TJQKA][SHDC]?(?!\n)$")]
RankNames = Annotated[
    tuple[RankName, ...], msgspec.Meta(max_length=13, extra_json_schema={"uniqueItems": True})
]
HowMany = Annotated[
    tuple[Annotated[int, msgspec.Meta(ge=2, le=4)], ...],
    msgspec.Meta(max_length=3, extra_json_schema={"uniqueItems": True}),
]
Limit = Annotated[int, msgspec.Meta(ge=1, le=52)]
Points = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class BoutRules(
    msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="bout"
):
    """The rules of one game of attack and defence. A variant is a set of values, never code."""

    deck_size: Literal[24, 32, 36, 52] = 36
    hand_size: Annotated[int, msgspec.Meta(ge=4, le=8)] = 6
    deal_mode: Literal["talon", "full"] = "talon"
    trump_source: Literal["turn_up", "last_dealt", "fixed_suit", "draw_until_suit", "none"] = (
        "turn_up"
    )
    trump_suit: SuitName | None = None
    self_only_suit: Literal["S"] | None = None
    self_only_suit_is_trump: Literal["redraw", "rule_off"] = "redraw"
    lowest_trump_beats_trump_ace: bool = False
    redeal_on_bad_hand: Literal["none", "five_of_suit"] = "none"
    first_attacker: Literal["lowest_trump", "random", "dealer_left"] = "lowest_trump"
    no_trump_first: Literal["dealer_left", "random", "redeal"] = "dealer_left"
    next_first_attacker: Literal[
        "lowest_trump", "previous_winner", "attack_the_fool", "from_under_fool"
    ] = "lowest_trump"
    first_dealer: Literal["lot", "last_seat"] = "lot"
    next_dealer: Literal["loser", "rotate"] = "loser"
    lead_max_cards: Annotated[int, msgspec.Meta(ge=1, le=4)] = 4
    throw_in: Literal["never", "on_take", "always"] = "always"
    throw_in_scope: Literal["leader", "neighbours", "all"] = "all"
    throw_in_timing: Literal["after_all_beaten", "anytime"] = "after_all_beaten"
    throw_in_batch: Literal["one", "many"] = "many"
    throw_in_ranks: Literal["lead", "table"] = "table"
    attack_limit: Limit | None = 6
    first_attack_limit: Limit | None = None
    first_limit_scope: Literal["first_bout", "until_first_discard"] = "until_first_discard"
    must_defend_if_able: bool = False
    transfer: bool = False
    transfer_first_bout: bool = True
    transfer_multi: bool = True
    transfer_by_showing_trump: bool = False
    trump_exchange: Literal["none", "six_for_ace", "six_for_any"] = "none"
    refill_order: Literal["leader_clockwise_defender_last", "clockwise_from_leader"] = (
        "leader_clockwise_defender_last"
    )
    draw_allowed: bool = True
    face_out: bool = False
    enforcement: Literal["strict", "catchable"] = "strict"
    teams: Literal["none", "pairs", "triples"] = "none"
    epaulettes: bool = False
    discard_visibility: Literal["count", "full"] = "count"
    repetition_draw: Annotated[int, msgspec.Meta(ge=2, le=100)] | None = 3
    max_moves: Annotated[int, msgspec.Meta(ge=10, le=10_000)] = 5000


class Effect(TypedDict):
    """What a card does to the next player: cards to draw, and turns missed from him on."""

    draw: Annotated[int, msgspec.Meta(ge=0, le=10)]
    skip: Annotated[int, msgspec.Meta(ge=0, le=5)]


_EFFECTS: Final[dict[CardName, Effect]] = {
    "6": {"draw": 2, "skip": 1},
    "7": {"draw": 1, "skip": 1},
    "A": {"draw": 0, "skip": 1},
}
_POINTS: Final[dict[CardName, Points]] = {"J": 2, "Q": 3, "K": 4, "A": 11}


class SheddingRules(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag="shedding",
    dict=True,
):
    """The rules of one shedding game, mau-mau unless set otherwise.

    `points` is None where nobody counts; a card that it does not name counts its number, court
    cards and aces as in mau-mau.
    """

    deck_size: Literal[32, 36, 52] = 36
    deal: Annotated[int, msgspec.Meta(ge=3, le=7)] = 5
    starter: Literal["none", "dealer_last_card", "deck_top"] = "none"
    starter_effect: bool = True
    first_player: Literal["random", "dealer_left"] = "random"
    next_first: Literal["winner", "dealer_left"] = "winner"
    match: Literal["suit_or_rank", "suit_only"] = "suit_or_rank"
    rank_match_only: RankNames = ()
    wild: Literal["Q", "J"] | None = "Q"
    wild_condition: Literal["always", "only_if_stuck"] = "always"
    wild_blocked_on: RankNames = ()
    order_skips_next: bool = False
    effects: dict[CardName, Effect] = msgspec.field(default_factory=partial(dict, _EFFECTS))
    stacking: Literal["none", "same_rank"] = "none"
    multi_play: dict[RankName, HowMany] = {}
    ace_multi: Literal["per_ace_capped", "single"] = "per_ace_capped"
    ace_chain: Literal["none", "english"] = "none"
    draw_rule: Literal["one", "until_playable"] = "until_playable"
    drawn_card: Literal["may_play", "must_play"] = "must_play"
    draw_until_recycles: bool = False
    recycle: Literal["flip", "shuffle"] = "flip"
    end: Literal["first_out", "last_holder"] = "first_out"
    last_card_effect: bool = True
    points: dict[CardName, Points] | None = msgspec.field(default_factory=partial(dict, _POINTS))
    lone_wild_penalty: Points = 20
    finish_wild_bonus: Points | dict[CardName, Points] = 0
    wild_left_loses: bool = False
    match_target: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    exact_target_resets: bool = False
    stalemate: Literal["draw", "count_points"] = "count_points"
    max_moves: Annotated[int, msgspec.Meta(ge=10, le=10_000)] = 5000
    next_dealer: Literal["loser", "rotate", "winner"] = "loser"
    first_dealer: Literal["lot", "last_seat"] = "lot"

    @cached_property
    def _content(self) -> bytes:
        return msgspec.json.encode(msgspec.structs.asdict(self), order="sorted")

    def __hash__(self) -> int:
        """By content: the maps among the dials have no hash of their own."""
        return hash(self._content)


Rules: TypeAlias = BoutRules | SheddingRules
FAMILIES: dict[str, type[BoutRules] | type[SheddingRules]] = {
    "bout": BoutRules,
    "shedding": SheddingRules,
}
MIN_PLAYERS = 2
MAX_PLAYERS = 6


def family_of(rules: Rules) -> str:
    """The family that the rules belong to."""
    return "bout" if isinstance(rules, BoutRules) else "shedding"


def is_face_out(rules: Rules) -> bool:
    """Whether everybody sees all hands but his own (B-30)."""
    return isinstance(rules, BoutRules) and rules.face_out


def needs_chance(rules: Rules) -> bool:
    """Whether moves need chance after the deal: fresh slots, or a pile that is shuffled."""
    return rules.face_out if isinstance(rules, BoutRules) else rules.recycle == "shuffle"


def rules_as_agreed(dials: dict[str, Any]) -> Rules:
    """Rules from the complete dials in a log, within today's bounds or not.

    Raises ValueError if no family has all these dials.
    """
    for rules in FAMILIES.values():
        if dials.keys() <= set(rules.__struct_fields__):
            return rules(**{name: _frozen(value) for name, value in dials.items()})
    raise ValueError("no family has these dials")


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, dict):
        return {name: _frozen(part) for name, part in value.items()}
    return value
