"""Which game has which number: a ruleset, a table, and options that go together."""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from games.rules.errors import InvalidOptions
from games.rules.events import Previous
from games.rules.rulesets.registry import Ruleset, player_counts, ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from tests.rules.playing import SHEDDING_DIALS

DIALS: Final[dict[str, Sequence[Any]]] = {
    "deck_size": (24, 32, 36, 52),
    "hand_size": (4, 5, 6, 7, 8),
    "deal_mode": ("talon", "full"),
    "trump_source": ("turn_up", "last_dealt", "fixed_suit", "draw_until_suit", "none"),
    "trump_suit": ("S", "H", "D", "C"),
    "self_only_suit": ("S", "C"),
    "self_only_suit_is_trump": ("redraw", "rule_off"),
    "lowest_trump_beats_trump_ace": (True,),
    "redeal_on_bad_hand": ("five_of_suit",),
    "first_attacker": ("lowest_trump", "random", "dealer_left"),
    "first_dealer": ("lot", "last_seat"),
    "next_dealer": ("loser", "rotate"),
    "no_trump_first": ("dealer_left", "random", "redeal"),
    "next_first_attacker": ("previous_winner", "attack_the_fool", "from_under_fool"),
    "lead_max_cards": (1, 2, 4),
    "throw_in": ("never", "on_take", "always"),
    "throw_in_scope": ("leader", "neighbours", "all"),
    "throw_in_timing": ("after_all_beaten", "anytime"),
    "throw_in_batch": ("one", "many"),
    "throw_in_ranks": ("lead", "table"),
    "attack_limit": (None, 3, 6),
    "first_attack_limit": (None, 5),
    "first_limit_scope": ("first_bout", "until_first_discard"),
    "must_defend_if_able": (True,),
    "transfer": (True, False),
    "transfer_first_bout": (True, False),
    "transfer_multi": (True, False),
    "transfer_by_showing_trump": (True,),
    "trump_exchange": ("six_for_ace", "six_for_any"),
    "refill_order": ("leader_clockwise_defender_last", "clockwise_from_leader"),
    "draw_allowed": (True, False),
    "face_out": (True,),
    "enforcement": ("catchable",),
    "teams": ("pairs", "triples"),
    "epaulettes": (True,),
    "discard_visibility": ("full",),
    "repetition_draw": (None, 2, 3),
    "max_moves": (10, 100, 5000),
}
OF_FAMILY: Final = {"bout": DIALS, "shedding": SHEDDING_DIALS}
# So many of the games are played by a preset as it stands.
PLAIN_SHARE: Final = 0.5
# So many are not the first of their match.
REMATCH_SHARE: Final = 0.3
_PLAIN_TRIES: Final = 20


class Table(NamedTuple):
    """One game to be played: its number, rules, seats, and how players of this game lean."""

    number: int
    rules: Ruleset
    seats: int
    entropy: Entropy
    takes: float
    previous: Previous | None = None


def table(seed: int, number: int, family: str | None = None) -> Table:
    """The game of this number, of any family or one; the same in every run with the same seed."""
    rng = random.Random(f"{seed}:{number}")
    rules, seats = _rules(rng, family)
    secret = rng.randbytes(32)
    entropy = Entropy(secret, str(number), (b"",) * seats)
    previous = _previous(seats, rng) if rng.random() < REMATCH_SHARE else None
    return Table(number, rules, seats, entropy, rng.choice((0.0, 0.2, 0.5)), previous)


def _previous(seats: int, rng: random.Random) -> Previous:
    """Any end of a game before: drawn, or lost by one seat and won by another."""
    dealer, (durak, winner) = rng.randrange(seats), rng.sample(range(seats), 2)
    drawn = rng.random() < 0.2
    return Previous(dealer, None if drawn else durak, None if drawn else winner, drawn)


def _rules(rng: random.Random, family: str | None) -> tuple[Ruleset, int]:
    ruleset_id = rng.choice(ruleset_ids(family))
    counts = player_counts(ruleset_id)
    dials = OF_FAMILY[_preset(ruleset_id).family]
    plain = rng.random() < PLAIN_SHARE
    for _ in range(_PLAIN_TRIES):
        seats = rng.choice(counts)
        names = [] if plain else rng.sample(sorted(dials), rng.randint(1, 5))
        try:
            return ruleset(
                ruleset_id, {name: rng.choice(dials[name]) for name in names}, seats
            ), seats
        except InvalidOptions:
            continue
    return _preset(ruleset_id), counts[0]


@lru_cache(maxsize=256)
def _preset(ruleset_id: str) -> Ruleset:
    return ruleset(ruleset_id)
