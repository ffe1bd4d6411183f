"""Taking, leaving and handing over seats."""

import secrets
from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone
from msgspec.structs import replace

from games.models import GameSeat
from games.rules import engine
from games.rules.events import (
    ClientSeedSet,
    Event,
    GameFinished,
    Next,
    PlayerJoined,
    PlayerLeft,
    Seat,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
)
from games.rules.game import Game
from games.rules.scoring import resigned_result
from games.rules.state import FINISHED
from games.services.errors import ServiceError
from games.services.game_advance import (
    Outcome,
    game_advance,
    start_events,
    with_start,
)
from games.services.game_open import read_seed
from games.services.house import SUBSTITUTE, brain_check, house_player
from games.store import log
from games.store.log import Head


def game_join(
    *, game_id: UUID, player_id: UUID, kind: str, invite: str = "", client_seed: str = ""
) -> Outcome:
    """Take the first free seat, or the one that is kept for the player.

    A private game wants its invite of all but its creator and those whose seats are kept.
    Raises ServiceError game.not_found, game.already_joined, game.full, game.over.
    """
    seed = read_seed(client_seed)

    def decide(head: Head) -> Sequence[Event]:
        _admit(head, player_id, invite)
        return seat_taken(head, player_id, kind, seed)

    return game_advance(game_id, decide)


def seat_taken(head: Head, player_id: UUID, kind: str, seed: str) -> Sequence[Event]:
    """The events of sitting down at a locked game. Raises ServiceError game.full, game.over."""
    seat = _free_seat(head.game, str(player_id))
    _seat_row(head.id, seat, player_id)
    joined = PlayerJoined(seat=seat, player=str(player_id), kind=kind, client_seed=seed)
    return with_start(head.id, head.game, [joined])


def client_seed_set(*, game_id: UUID, player_id: UUID, seed: str) -> Outcome:
    """Exchange the player's half of the deal's chance; the same seed again changes nothing.

    Raises ServiceError request.invalid, game.not_found, game.not_joined, game.running, game.over.
    """
    given = read_seed(seed, "seed")

    def decide(head: Head) -> Sequence[Event]:
        seat = seat_at_table(head, player_id)
        _check_open(head.game)
        if head.game.chairs[seat].client_seed == given:
            return []
        return [ClientSeedSet(seat=seat, client_seed=given)]

    return game_advance(game_id, decide)


def game_bot_add(*, game_id: UUID, player_id: UUID, brain: str) -> Outcome:
    """Give the first free seat to a bot; only the creator may.

    Raises ServiceError request.invalid, game.not_found, game.not_creator, game.full, game.over.
    """
    brain_check(brain, "brain")

    def decide(head: Head) -> Sequence[Event]:
        _check_creator(head, player_id)
        bot = house_player(brain)
        seat = _free_seat(head.game, str(bot))
        _seat_row(game_id, seat, bot)
        joined = PlayerJoined(seat=seat, player=str(bot), kind="bot", brain=brain)
        return with_start(game_id, head.game, [joined])

    return game_advance(game_id, decide)


def game_start(*, game_id: UUID, player_id: UUID) -> Outcome:
    """Deal, when every seat is taken; only the creator may.

    Raises ServiceError game.not_found, game.not_creator, game.running, game.over, and
    game.not_started while seats are free.
    """

    def decide(head: Head) -> Sequence[Event]:
        _check_creator(head, player_id)
        _check_open(head.game)
        if any(chair.player is None for chair in head.game.chairs):
            raise ServiceError("game.not_started")
        return start_events(game_id, head.game, log.server_seed(game_id))

    return game_advance(game_id, decide)


def game_leave(*, game_id: UUID, player_id: UUID) -> Outcome:
    """Free the seat before the start; while the game runs hand it to a bot.

    Raises ServiceError game.not_found, game.not_joined, game.over.
    """

    def decide(head: Head) -> Sequence[Event]:
        seat = seat_at_table(head, player_id)
        if head.game.status == "finished":
            raise ServiceError("game.over")
        if head.game.status == "running":
            return going_on(head.game, _hand_over(head.game, seat, "left"))
        GameSeat.objects.filter(game_id=game_id, seat=seat).delete()
        return [PlayerLeft(seat=seat, player=str(player_id))]

    return game_advance(game_id, decide)


def game_return(*, game_id: UUID, player_id: UUID) -> Outcome:
    """Take the seat back from the bot. Raises ServiceError game.not_found, game.not_joined,
    game.not_started, game.over.
    """

    def decide(head: Head) -> Sequence[Event]:
        seat = seat_at_table(head, player_id)
        _check_running(head.game)
        chair = head.game.chairs[seat]
        if chair.resigned:
            raise ServiceError("game.over")
        back = [SeatReturned(seat=seat)] if chair.brain is not None else []
        return going_on(head.game, back)

    return game_advance(game_id, decide)


def game_resign(*, game_id: UUID, player_id: UUID) -> Outcome:
    """Give the game up: of two players the other wins, of more a bot plays the seat on.

    Raises ServiceError game.not_found, game.not_joined, game.not_started, game.over.
    """

    def decide(head: Head) -> Sequence[Event]:
        seat = seat_at_table(head, player_id)
        _check_running(head.game)
        if head.game.chairs[seat].resigned or _is_out(head.game, seat):
            raise ServiceError("game.over")
        resigned = SeatResigned(seat=seat)
        if len(head.game.chairs) == 2:
            result = resigned_result(seat)
            return [resigned, GameFinished(result=result, next=Next(FINISHED))]
        return going_on(head.game, [resigned, *_hand_over(head.game, seat, "resigned")])

    return game_advance(game_id, decide)


def seat_at_table(head: Head, player_id: UUID) -> Seat:
    """The player's seat. Raises game.not_joined, or game.not_found for a game he may not see."""
    _check_exists(head, player_id)
    seat = head.game.seat_of(str(player_id))
    if seat is None:
        raise ServiceError("game.not_joined")
    return seat


def going_on(game: Game, events: Sequence[Event]) -> Sequence[Event]:
    """The events, the last of which says that the game goes on as it stood."""
    state = game.state
    if state is None or not events:
        return events
    return (*events[:-1], replace(events[-1], next=engine.standing(state)))


def _admit(head: Head, player_id: UUID, invite: str) -> None:
    if head.game.seat_of(str(player_id)) is not None:
        raise ServiceError("game.already_joined")
    if not secrets.compare_digest(invite.encode(), head.invite.encode()):
        _check_exists(head, player_id)


def has_lapsed(game: Game) -> bool:
    """Whether the time is over for which an open game has kept its seats."""
    kept = game.reserved_until
    return game.status == "open" and kept is not None and kept <= timezone.now()


def _free_seat(game: Game, player: str) -> Seat:
    if game.status == "finished" or has_lapsed(game):
        raise ServiceError("game.over")
    seat = game.free_seat(player) if game.status == "open" else None
    if seat is None:
        raise ServiceError("game.full")
    return seat


def _check_exists(head: Head, player_id: UUID) -> None:
    if not head.game.exists_for(str(player_id)):
        raise ServiceError("game.not_found")


def _check_creator(head: Head, player_id: UUID) -> None:
    _check_exists(head, player_id)
    if head.game.creator != str(player_id):
        raise ServiceError("game.not_creator")


def _check_open(game: Game) -> None:
    if game.status != "open":
        raise ServiceError("game.running" if game.status == "running" else "game.over")


def _check_running(game: Game) -> None:
    if game.status != "running":
        raise ServiceError("game.not_started" if game.status == "open" else "game.over")


def _hand_over(game: Game, seat: Seat, reason: str) -> list[Event]:
    if game.chairs[seat].brain is not None or _is_out(game, seat):
        return []
    return [SeatReplaced(seat=seat, brain=SUBSTITUTE, reason=reason)]


def _is_out(game: Game, seat: Seat) -> bool:
    return game.state is not None and seat in game.state.out


def _seat_row(game_id: UUID, seat: Seat, player_id: UUID) -> None:
    GameSeat.objects.create(game_id=game_id, seat=seat, player_id=player_id)
