"""Kinds of tampering with the end of a log, with all of it, and with the rows beside it."""

import random
from typing import Final
from uuid import uuid4

from games.models import Game, GameEvent, GameSeat
from games.store import log
from tests.scores import new_player
from tests.store.kinds import EVENT, KINDS, Impossible, Shown, Victim, kind, shift
from tests.store.tampering import cut, execute, lose, rechain, rehash
from tests.store.test_chain import chain, rows_of
from tests.tables import play_one

DEALT: Final = ("cards_dealt", "hand_replenished", "cards_drawn")
_COLUMNS: Final = {
    "status": "status = CASE status WHEN 'open' THEN 'running' ELSE 'open' END",
    "visibility": "visibility = CASE visibility WHEN 'public' THEN 'private' ELSE 'public' END",
    "rated": "rated = NOT rated",
    "ruleset": "ruleset = ruleset || '.face_out'",
    "seats": "seats = seats + 1",
    "match": "match_id = gen_random_uuid()",
    "game number": "game_number = game_number + 1",
    "options": "options = options || '{\"deck_size\": 52.0}'",
    "invite": "invite = CASE invite WHEN '' THEN 'x' ELSE '' END",
    "reserved": "reserved = ARRAY[gen_random_uuid()]",
    "reserved until": "reserved_until = now()",
    "turn seconds": "turn_seconds = coalesce(turn_seconds, 0) + 1",
    "free seats": "free_seats = free_seats + 1",
    "waiting since": "waiting_since = coalesce(waiting_since, now()) - '1 us'::interval",
    "shown version": "shown_version = coalesce(shown_version, 0) + 1",
    "created at": "created_at = created_at - '1 us'::interval",
    "finished at": "finished_at = coalesce(finished_at, now()) + '1 us'::interval",
}


def column_kind(name: str, change: str) -> None:
    """A kind that changes a column of the game's row, and nothing else."""

    def made(victim: Victim, rng: random.Random) -> Shown:
        execute(f"UPDATE games_game SET {change} WHERE id = %s", victim.id)
        return Shown(victim.length, victim.length)

    KINDS[f"row: {name}"] = made


for _name, _change in _COLUMNS.items():
    column_kind(_name, _change)


@kind
def a_tail_less(victim: Victim, rng: random.Random) -> Shown:
    """The end is cut off, the row says nothing of it."""
    kept = rng.randint(1, victim.length - 1)
    GameEvent.objects.filter(game=victim.id, seq__gt=kept).delete()
    return Shown(kept + 1, kept + 1)


@kind
def a_tail_less_and_the_version(victim: Victim, rng: random.Random) -> Shown:
    """The row tells the new version, and the former hash."""
    kept = rng.randint(1, victim.length - 1)
    GameEvent.objects.filter(game=victim.id, seq__gt=kept).delete()
    Game.objects.filter(id=victim.id).update(version=kept)
    return Shown(kept, kept + 1)


@kind
def a_tail_less_and_the_head(victim: Victim, rng: random.Random) -> Shown:
    """Version and hash of the row fit, its snapshot is the former one."""
    kept = rng.choice(victim.heads[:-1])
    GameEvent.objects.filter(game=victim.id, seq__gt=kept).delete()
    last = GameEvent.objects.get(game=victim.id, seq=kept)
    Game.objects.filter(id=victim.id).update(version=kept, head_hash=last.hash)
    return Shown(kept, kept + 1)


@kind
def a_cut_within_a_move(victim: Victim, rng: random.Random) -> Shown:
    """Everything fits, but nobody's turn has come."""
    dealt = GameEvent.objects.filter(game=victim.id, data__has_key="next").order_by("seq").first()
    if dealt is None:
        raise Impossible
    inner = sorted(set(range(dealt.seq, victim.length)) - set(victim.heads))
    if not inner:
        raise Impossible
    kept = rng.choice(inner)
    cut(victim.id, kept)
    return Shown(kept + 1, kept + 1)


@kind
def a_consistent_cut(victim: Victim, rng: random.Random) -> Shown:
    """Back to what was the head at some time, and everything fits."""
    kept = rng.choice(victim.heads[:-1])
    cut(victim.id, kept)
    return Shown(kept + 1, kept + 1, alone=False)


@kind
def a_consistent_cut_and_other_moves(victim: Victim, rng: random.Random) -> Shown:
    """Back to an earlier head, and from there the game is played otherwise by the rules."""
    kept = rng.choice(victim.heads[:-1])
    kept_hash = GameEvent.objects.get(game=victim.id, seq=kept + 1).hash
    cut(victim.id, kept)
    while Game.objects.get(id=victim.id).version < victim.heads[-1]:
        if Game.objects.get(id=victim.id).status != "running":
            break
        play_one(victim.id, rng)
    if GameEvent.objects.filter(game=victim.id, hash=kept_hash).exists():
        raise Impossible
    after = min(head for head in victim.heads if head > kept)
    return Shown(kept + 1, after, alone=False)


@kind
def a_consistent_chain_of_other_times(victim: Victim, rng: random.Random) -> Shown:
    """Whoever knows the secret of the chain says that a move was made later."""
    until = rng.choice(victim.heads)
    first = 1 + max((head for head in victim.heads if head < until), default=0)
    later = "UPDATE games_gameevent SET at = at + '1 s'::interval WHERE game_id = %s AND seq >= %s"
    execute(later, victim.id, first)
    rechain(victim.id)
    return Shown(first, until, alone=False)


@kind
def a_consistent_chain_of_other_cards(victim: Victim, rng: random.Random) -> Shown:
    """Cards in an order in which the seeds did not deal them: the rules tell."""
    told = GameEvent.objects.filter(game=victim.id, type__in=DEALT)
    several = [
        (event, name)
        for event in told
        for name in ("cards", "talon")
        if len(set(event.data.get(name, ()))) > 1
    ]
    if not several:
        raise Impossible
    event, name = rng.choice(several)
    turned = {**event.data, name: event.data[name][::-1]}
    GameEvent.objects.filter(id=event.id).update(data=turned)
    rehash(victim.id)
    return Shown(event.seq, event.seq)


@kind
def an_event_with_its_hash(victim: Victim, rng: random.Random) -> Shown:
    """Hashed anew with the game's secret, but not what follows: it tears there."""
    seq = rng.randint(1, victim.length)
    execute(EVENT.format("at = at - '1 us'::interval"), victim.id, seq)
    game = Game.objects.get(id=victim.id)
    digest = chain(str(victim.id), bytes(game.chain_secret), rows_of(game))[seq - 1]
    GameEvent.objects.filter(game=victim.id, seq=seq).update(hash=digest)
    held = max((head for head in victim.heads if head < seq), default=0)
    return Shown(held + 1, seq + 1)


@kind
def the_version(victim: Victim, rng: random.Random) -> Shown:
    """One more or less."""
    step = rng.choice([-1, 1])
    execute("UPDATE games_game SET version = version + %s WHERE id = %s", step, victim.id)
    return Shown(victim.length + (step > 0), victim.length + (step > 0))


def secret_kind(column: str, seq: int | None) -> None:
    """A kind that changes a bit of 32 bytes of the row."""

    def made(victim: Victim, rng: random.Random) -> Shown:
        known = bytearray(getattr(Game.objects.get(id=victim.id), column))
        known[rng.randrange(32)] ^= 1 << rng.randrange(8)
        Game.objects.filter(id=victim.id).update(**{column: bytes(known)})
        named = seq or victim.length
        return Shown(named, named)

    KINDS[f"row: {column}"] = made


secret_kind("head_hash", None)
secret_kind("server_seed", 1)
secret_kind("chain_secret", 1)


@kind
def a_bit_of_the_snapshot(victim: Victim, rng: random.Random) -> Shown:
    """Anywhere behind the mark of its format."""
    known = bytearray(Game.objects.get(id=victim.id).snapshot or b"")
    known[rng.randrange(len(log.SNAPSHOT_FORMAT), len(known))] ^= 1 << rng.randrange(8)
    if log.thaw(bytes(known)) == log.replay(victim.id):
        raise Impossible
    Game.objects.filter(id=victim.id).update(snapshot=bytes(known))
    return Shown(victim.length, victim.length)


@kind
def the_snapshot_of_another_game(victim: Victim, rng: random.Random) -> Shown:
    """Which is sound by itself."""
    other = Game.objects.get(id=victim.other).snapshot
    Game.objects.filter(id=victim.id).update(snapshot=other)
    return Shown(victim.length, victim.length)


@kind
def another_creator(victim: Victim, rng: random.Random) -> Shown:
    """Who would be allowed what the creator is."""
    Game.objects.filter(id=victim.id).update(creator=new_player())
    return Shown(victim.length, victim.length)


@kind
def another_player_in_a_seat(victim: Victim, rng: random.Random) -> Shown:
    """Who would find the game among his."""
    seat = GameSeat.objects.filter(game=victim.id).order_by("seat")[0]
    GameSeat.objects.filter(id=seat.id).update(player=new_player())
    return Shown(victim.length, victim.length)


@kind
def a_seat_less(victim: Victim, rng: random.Random) -> Shown:
    """Nobody would find the game among his."""
    GameSeat.objects.filter(game=victim.id).order_by("-seat")[0].delete()
    return Shown(victim.length, victim.length)


@kind
def an_empty_log(victim: Victim, rng: random.Random) -> Shown:
    """All events of a game."""
    GameEvent.objects.filter(game=victim.id).delete()
    return Shown(1, 1)


@kind
def a_game_without_its_row(victim: Victim, rng: random.Random) -> Shown:
    """The events are left."""
    execute("DELETE FROM games_game WHERE id = %s", victim.id)
    return Shown(1, 1)


@kind
def a_game_less(victim: Victim, rng: random.Random) -> Shown:
    """As if it had never been."""
    lose(victim.id)
    return Shown(1, 1, alone=False)


@kind
def a_game_twice(victim: Victim, rng: random.Random) -> Shown:
    """All of it, under another id."""
    copied = uuid4()
    row = Game.objects.get(id=victim.id)
    row.id, row.match_id = copied, uuid4()
    row.save(force_insert=True)
    for event in GameEvent.objects.filter(game=victim.id):
        event.id, event.game_id = None, copied
        event.save(force_insert=True)
    return Shown(1, 1, game=copied)


@kind
def logs_of_two_games_swapped(victim: Victim, rng: random.Random) -> Shown:
    """Their events, and nothing else."""
    shift(victim.id, 0, 2_000_000)
    GameEvent.objects.filter(game=victim.other).update(game=victim.id)
    moved = (
        "UPDATE games_gameevent SET game_id = %s, seq = seq - %s WHERE game_id = %s AND seq > %s"
    )
    execute(moved, victim.other, 2_000_000, victim.id, 2_000_000)
    return Shown(1, 1)
