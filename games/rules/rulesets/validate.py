"""Combinations of options that make no game, by name (rulebook 3.5)."""

from collections.abc import Collection, Iterator

from games.rules.rulesets.schema import MAX_PLAYERS, MIN_PLAYERS, BoutRules, Rules
from games.rules.rulesets.validate_shedding import Fault, shedding_faults

_TRANSFER_DIALS = ("transfer_first_bout", "transfer_multi", "transfer_by_showing_trump")
_THROW_IN_DIALS = ("throw_in_scope", "throw_in_timing", "throw_in_batch", "throw_in_ranks")
_TEAM_PLAYERS = {"pairs": 4, "triples": 6}
_DRAWN_OR_FIXED = ("fixed_suit", "draw_until_suit")


def faults(
    rules: Rules, named: Collection[str], players: int | None, changed: Collection[str] = ()
) -> dict[str, str]:
    """Every option at fault and why.

    `named` are the options that preset or table set, `changed` those in which the table differs
    from its preset.
    """
    found: dict[str, str] = {}
    if isinstance(rules, BoutRules):
        wrong = _faults(rules, named, players)
    else:
        wrong = shedding_faults(rules, named, players, changed)
    for names, reason in wrong:
        found |= dict.fromkeys(names, reason)
    return found


def _faults(rules: BoutRules, named: Collection[str], players: int | None) -> Iterator[Fault]:
    if players is not None:
        yield from _player_faults(rules, players)
    yield from _trump_faults(rules, named)
    yield from _exchange_faults(rules)
    yield from _idle_faults(rules, named)
    yield from _face_out_faults(rules)
    first, limit = rules.first_attack_limit, rules.attack_limit
    if first is not None and limit is not None and first > limit:
        yield ("first_attack_limit", "attack_limit"), "the first limit is above attack_limit"


def _player_faults(rules: BoutRules, players: int) -> Iterator[Fault]:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        yield ("players",), f"from {MIN_PLAYERS} to {MAX_PLAYERS}"
        return
    if rules.redeal_on_bad_hand != "none" and _is_always_bad(rules, players):
        yield ("redeal_on_bad_hand", "players"), "every deal of so many cards would be void"
    dealt = players * rules.hand_size
    if rules.deal_mode == "talon" and dealt > rules.deck_size:
        yield ("players", "hand_size", "deck_size"), "the pack is too small for these hands"
    if rules.deal_mode == "talon" and dealt == rules.deck_size:
        yield from _no_talon_faults(rules)
    team_players = _TEAM_PLAYERS.get(rules.teams, players)
    if players != team_players:
        yield ("players", "teams"), f"teams of {rules.teams} need {team_players} players"


def _is_always_bad(rules: BoutRules, players: int) -> bool:
    """Whether some hand must have five cards of one of the four suits."""
    held = rules.hand_size if rules.deal_mode == "talon" else -(-rules.deck_size // players)
    return held > 16


def _no_talon_faults(rules: BoutRules) -> Iterator[Fault]:
    if rules.trump_source == "draw_until_suit":
        yield ("trump_source", "players"), "no talon is left to draw from"
    if rules.trump_exchange != "none":
        yield ("trump_exchange", "players"), "no talon is left under which a card could lie"


def _trump_faults(rules: BoutRules, named: Collection[str]) -> Iterator[Fault]:
    source, suit = rules.trump_source, rules.trump_suit
    no_open_card = rules.deal_mode == "full" and source in ("turn_up", "draw_until_suit")
    if no_open_card and "trump_source" in named:
        yield ("deal_mode", "trump_source"), "a full deal leaves no card to turn up"
    if source in _DRAWN_OR_FIXED and suit is None:
        yield ("trump_source", "trump_suit"), "this source needs trump_suit"
    if source not in _DRAWN_OR_FIXED and suit is not None:
        yield ("trump_suit", "trump_source"), "this source finds its own suit"
    if suit is not None and suit == rules.self_only_suit:
        yield ("self_only_suit", "trump_suit"), "the trump beats every suit but itself anyway"
    if source == "none":
        yield from _trumpless_faults(rules)


def _trumpless_faults(rules: BoutRules) -> Iterator[Fault]:
    for name in ("first_attacker", "next_first_attacker"):
        if getattr(rules, name) == "lowest_trump":
            yield (name, "trump_source"), "there is no trump"
    for name in ("transfer_by_showing_trump", "lowest_trump_beats_trump_ace"):
        if getattr(rules, name):
            yield (name, "trump_source"), "there is no trump"
    if rules.no_trump_first == "redeal":
        yield ("no_trump_first", "trump_source"), "every deal would be void"


def _exchange_faults(rules: BoutRules) -> Iterator[Fault]:
    if rules.trump_exchange == "none":
        return
    if rules.deal_mode == "full":
        yield ("trump_exchange", "deal_mode"), "no open card lies under the talon"
    elif rules.trump_source not in ("turn_up", "draw_until_suit"):
        yield ("trump_exchange", "trump_source"), "no open card lies under the talon"


def _idle_faults(rules: BoutRules, named: Collection[str]) -> Iterator[Fault]:
    if not rules.transfer:
        yield from _idle(_TRANSFER_DIALS, named, "needs transfer")
    if rules.throw_in == "never":
        yield from _idle(_THROW_IN_DIALS, named, "needs throw_in")
    elif rules.throw_in == "on_take" and rules.throw_in_timing == "anytime":
        yield ("throw_in_timing", "throw_in"), "anytime needs throw_in always"
    if rules.first_attack_limit is None:
        yield from _idle(("first_limit_scope",), named, "needs first_attack_limit")


def _face_out_faults(rules: BoutRules) -> Iterator[Fault]:
    if not rules.face_out:
        return
    clashes = {
        "must_defend_if_able": rules.must_defend_if_able,
        "enforcement": rules.enforcement == "catchable",
        "transfer_by_showing_trump": rules.transfer_by_showing_trump,
        "trump_exchange": rules.trump_exchange != "none",
        "lead_max_cards": rules.lead_max_cards > 1,
    }
    for name, clash in clashes.items():
        if clash:
            yield (name, "face_out"), "does not go with hands that their owners cannot see"


def _idle(dials: Collection[str], named: Collection[str], reason: str) -> Iterator[Fault]:
    for name in dials:
        if name in named:
            yield (name,), reason
