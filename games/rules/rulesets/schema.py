"""Every dial of a ruleset family, with its type, bounds and default (rulebook 3.1)."""

from typing import Annotated, Literal

import msgspec

SuitName = Literal["S", "H", "D", "C"]
Limit = Annotated[int, msgspec.Meta(ge=1, le=52)]


class BoutRules(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The rules of one game of attack and defence. A variant is a set of values, never code."""

    deck_size: Literal[24, 32, 36, 52] = 36
    hand_size: Annotated[int, msgspec.Meta(ge=4, le=8)] = 6
    deal_mode: Literal["talon", "full"] = "talon"
    trump_source: Literal["turn_up", "last_dealt", "fixed_suit", "draw_until_suit", "none"] = (
        "turn_up"
    )
    trump_suit: SuitName | None = None
    self_only_suit: SuitName | None = None
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


FAMILIES: dict[str, type[BoutRules]] = {"bout": BoutRules}
MIN_PLAYERS = 2
MAX_PLAYERS = 6
