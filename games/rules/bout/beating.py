"""Which cards beat which at this table, and which ranks may be added."""

from games.rules.cards import RANK_MASK, Card, CardSet, beaters, lowest_of_suit, ranks_of
from games.rules.state import State


def beating(state: State) -> dict[Card, CardSet]:
    """For each card the set that beats it by this table's rules (K11, C4-14)."""
    rules, trump = state.rules, state.trump
    if rules.self_only_suit is None and not rules.lowest_trump_beats_trump_ace:
        return beaters(trump, None)
    # Where the special suit became trump its rule is off: with `rule_off`, where the last card
    # dealt decides, and where a talon holds no other suit to redraw.
    self_only = None if rules.self_only_suit == trump else rules.self_only_suit
    killer = None
    if rules.lowest_trump_beats_trump_ace and trump is not None:
        killer = lowest_of_suit(rules.deck_size, trump)
    return beaters(trump, self_only, killer)


def throw_in_ranks(state: State) -> CardSet:
    """All cards of the ranks that may be thrown in now (K6)."""
    if state.rules.throw_in_ranks == "lead":
        return ranks_of((state.table[0].attack,))
    ranks = 0
    for attack, beat in state.table:
        ranks |= RANK_MASK[attack]
        if beat is not None:
            ranks |= RANK_MASK[beat]
    return ranks


def attack_ranks(state: State) -> CardSet:
    """All cards of the rank that was led: with them a bout is transferred (B-21)."""
    return ranks_of((state.table[0].attack,))


def may_take(state: State) -> bool:
    """Whether the defender may take; where he must beat if able, only if he is not (K12)."""
    if not state.rules.must_defend_if_able or state.defender is None:
        return True
    fitting = beating(state)
    open_cards = [fitting[pair.attack] for pair in state.table if pair.beat is None]
    return not _can_match(open_cards, state.hands[state.defender])


def _can_match(targets: list[CardSet], hand: CardSet) -> bool:
    """Whether every target can be beaten by a card of its own."""
    given: dict[CardSet, CardSet] = {}
    return all(_give(target & hand, given, set()) for target in targets)


def _give(fitting: CardSet, given: dict[CardSet, CardSet], asked: set[CardSet]) -> bool:
    """Give one of the fitting cards away, each asked for once; who has it takes another instead.

    `given` holds for each card given what would have fitted in its place (augmenting paths).
    """
    rest = fitting
    while rest:
        card = rest & -rest
        rest ^= card
        if card in asked:
            continue
        asked.add(card)
        if card not in given or _give(given[card], given, asked):
            given[card] = fitting
            return True
    return False
