"""Why a move is refused, in the rulebook's order of refusal (3.7)."""

from typing import TYPE_CHECKING

from tests.reference.cards import beats, can_beat_all, lowest_trump, rank, suit
from tests.reference.moves import Move, cards_of
from tests.reference.seating import card_limit, may_ever_throw_in, next_opponent, room, to_act

if TYPE_CHECKING:
    from tests.reference.table import Table


def why_not(table: "Table", seat: int, move: Move) -> str | None:
    """The code of the refusal, or None if the move is allowed."""
    if table.result is not None:
        return "game.over"
    reason = WHY_NOT[move["type"]](table, seat, move)
    return None if reason is None else "move." + reason


def why_no_attack(table: "Table", seat: int, move: Move) -> str | None:
    cards = cards_of(move)
    if table.phase != "attack":
        return "wrong_phase"
    if seat != table.attacker:
        return "not_your_turn"
    fault = why_not_these(table, seat, cards)
    if fault:
        return fault
    if len(cards) > table.options["lead_max_cards"]:
        return "attack_multi_forbidden"
    if any(rank(card) != rank(cards[0]) for card in cards):
        return "ranks_differ"
    if len(cards) > room(table):
        return "attack_limit"
    return None


def why_no_beat(table: "Table", seat: int, move: Move) -> str | None:
    if seat != table.defender:
        return "not_your_turn"
    if table.phase != "defend":
        return "wrong_phase"
    covers = dict(table.table)
    if move["target"] not in covers:
        return "no_such_target"
    if covers[move["target"]] is not None:
        return "already_beaten"
    fault = why_not_these(table, seat, cards_of(move))
    if fault:
        return fault
    if is_wrong_beat(table, move) and not wrong_cards_are_accepted(table):
        return "cannot_beat"
    return None


def why_no_take(table: "Table", seat: int, move: Move) -> str | None:
    if seat != table.defender:
        return "not_your_turn"
    if table.phase != "defend":
        return "wrong_phase"
    if table.options["must_defend_if_able"]:
        uncovered = [attack for attack, cover in table.table if cover is None]
        if can_beat_all(table.hands[seat], uncovered, table.trump, table.options):
            return "must_beat"
    return None


def why_no_pass(table: "Table", seat: int, move: Move) -> str | None:
    anytime = table.options["throw_in_timing"] == "anytime"
    phases = ["throw_in", "take", "defend"] if anytime else ["throw_in", "take"]
    if table.phase not in phases:
        return "wrong_phase"
    if seat == table.defender or seat not in to_act(table):
        return "not_your_turn"
    return None


def why_no_throw_in(table: "Table", seat: int, move: Move) -> str | None:
    cards = cards_of(move)
    fault = why_no_throwing_in_now(table, seat)
    if fault:
        return fault
    if table.options["throw_in_batch"] == "one" and len(cards) > 1:
        return "one_card_at_a_time"
    if len(cards) > room(table):
        return "attack_limit"
    if seat not in to_act(table):
        return "not_your_turn"
    fault = why_not_these(table, seat, cards)
    if fault:
        return fault
    if wrong_throw_ins(table, cards) and not wrong_cards_are_accepted(table):
        return "rank_not_on_table"
    return None


def why_no_throwing_in_now(table: "Table", seat: int) -> str | None:
    throw_in = table.options["throw_in"]
    if table.phase == "attack":
        return "wrong_phase"
    if seat == table.defender:
        return "not_your_turn"
    if not may_ever_throw_in(table, seat):
        return "not_allowed_to_throw"
    if throw_in == "never" or (throw_in == "on_take" and table.phase != "take"):
        return "throw_in_disabled"
    if table.phase == "defend" and table.options["throw_in_timing"] != "anytime":
        return "wrong_phase"
    return None


def why_no_transfer(table: "Table", seat: int, move: Move) -> str | None:
    cards = cards_of(move)
    if not table.options["transfer"]:
        return "transfer_disabled"
    fault = why_no_passing_on_now(table, seat) or why_not_these(table, seat, cards)
    if fault:
        return fault
    if len(cards) > 1 and not table.options["transfer_multi"]:
        return "one_card_at_a_time"
    fault = why_not_to_the_next(table, seat, len(table.table) + len(cards))
    if fault:
        return fault
    if is_wrong_transfer(table, cards) and not table.options["face_out"]:
        return "transfer_rank"
    return None


def why_no_show_trump(table: "Table", seat: int, move: Move) -> str | None:
    cards = cards_of(move)
    if not table.options["transfer"]:
        return "transfer_disabled"
    if not table.options["transfer_by_showing_trump"]:
        return "show_disabled"
    fault = why_no_passing_on_now(table, seat) or why_not_these(table, seat, cards)
    if fault:
        return fault
    if suit(cards[0]) != table.trump:
        return "show_not_trump"
    if cards[0] in table.shown:
        return "show_already_used"
    fault = why_not_to_the_next(table, seat, len(table.table))
    if fault:
        return fault
    return "transfer_rank" if is_wrong_transfer(table, cards) else None


def why_no_passing_on_now(table: "Table", seat: int) -> str | None:
    if seat != table.defender:
        return "not_your_turn"
    if table.phase != "defend":
        return "wrong_phase"
    if table.first_bout and not table.options["transfer_first_bout"]:
        return "transfer_first_bout"
    if any(cover is not None for attack, cover in table.table):
        return "transfer_after_beat"
    return None


def why_not_to_the_next(table: "Table", seat: int, count: int) -> str | None:
    limit = card_limit(table)
    if count > len(table.hands[next_opponent(table, seat)]):
        return "transfer_target_too_few"
    if limit is not None and count > limit:
        return "attack_limit"
    return None


def why_no_exchange(table: "Table", seat: int, move: Move) -> str | None:
    exchange = table.options["trump_exchange"]
    six = lowest_trump(table.trump, table.options)
    if exchange == "none":
        return "exchange_disabled"
    if seat not in to_act(table):
        return "not_your_turn"
    if six not in table.hands[seat]:
        return "card_not_in_hand"
    if table.turn_up is None:
        return "exchange_talon_gone"
    if exchange == "six_for_ace" and rank(table.turn_up) != "A":
        return "exchange_turnup_not_ace"
    if table.lowest_trump_owner not in (None, seat):
        return "exchange_not_original_holder"
    return None


def why_no_call(table: "Table", seat: int, move: Move) -> str | None:
    if table.options["enforcement"] != "catchable":
        return "call_disabled"
    for play in table.plays:
        if [play["card"]] == cards_of(move) and play["wrong"] and play["seat"] != seat:
            return None
    return "call_unfounded"


def why_not_these(table: "Table", seat: int, cards: list[str]) -> str | None:
    """No cards at all, one twice, one that is not in the hand."""
    if not cards:
        return "no_cards"
    if len(set(cards)) < len(cards):
        return "duplicate_card"
    if any(card not in table.hands[seat] for card in cards):
        return "card_not_in_hand"
    return None


def wrong_cards_are_accepted(table: "Table") -> bool:
    """Face out they are punished, in catchable games they stand until called."""
    return table.options["face_out"] or table.options["enforcement"] == "catchable"


def is_wrong_beat(table: "Table", move: Move) -> bool:
    cover = cards_of(move)[0]
    return not beats(cover, move["target"], table.trump, table.options)


def wrong_throw_ins(table: "Table", cards: list[str]) -> list[str]:
    """Those of the cards whose rank may not be thrown in (K6)."""
    if table.options["throw_in_ranks"] == "lead":
        ranks = [rank(table.table[0][0])]
    else:
        ranks = [rank(card) for pair in table.table for card in pair if card is not None]
    return [card for card in cards if rank(card) not in ranks]


def is_wrong_transfer(table: "Table", cards: list[str]) -> bool:
    lead = table.table[0][0]
    return any(rank(card) != rank(lead) for card in cards)


WHY_NOT = {
    "attack": why_no_attack,
    "beat": why_no_beat,
    "throw_in": why_no_throw_in,
    "transfer": why_no_transfer,
    "show_trump": why_no_show_trump,
    "take": why_no_take,
    "pass": why_no_pass,
    "exchange_trump": why_no_exchange,
    "call": why_no_call,
}
