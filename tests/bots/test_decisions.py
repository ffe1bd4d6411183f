"""How bots came to their moves: written with them, hidden until the end, and thought again."""

import io
import logging
import random
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client

from bots.brains import brain_get
from bots.brains.patterns import safe_move
from bots.brains.registry import Answer, History, View, forget
from bots.decisions import Made, decision_list, decision_record
from bots.models import Decision
from bots.rerun import NoDecisionError, decision_rerun
from bots.services import turn_play
from bots.thinking import turn_seed
from bots.turns import turn_at, turn_history
from games.models import Game
from games.rules.record.game import move_of
from games.selectors.game_show import head_at
from games.services.move_play import bot_move_play
from games.services.player_register import player_register
from games.store import log
from tests.bots.conftest import play_out
from tests.bots.misfits import OUTRIGHT

pytestmark = [pytest.mark.usefixtures("unsent"), pytest.mark.django_db(transaction=True)]
Open = Callable[..., UUID]
TROUBLES = list(zip(OUTRIGHT, ("raised", "illegal", "illegal", "illegal"), strict=True))


def version_of(game_id: UUID) -> int:
    return Game.objects.get(id=game_id).version


@pytest.fixture
def bots_game(bots_game: Open) -> Open:
    """The same with a small pack: half as many moves."""

    def open_game(*brains: str, **more: Any) -> UUID:
        return bots_game(*brains, **{"options": {"deck_size": 24}, **more})

    return open_game


def play(game_id: UUID, turns: int = 1) -> None:
    for _ in range(turns):
        turn_play(game_id=game_id, version=version_of(game_id))


def moves_begun(game_id: UUID) -> Iterator[int]:
    """The first event of each move in a game of bots alone."""
    due = False
    for stored in log.events(game_id):
        if due and move_of(stored.event) is not None:
            yield stored.seq
        due = stored.event.next is not None


def test_every_move_of_a_bot_has_its_decision(bots_game: Open) -> None:
    game_id = bots_game("greedy", "random", "greedy")
    play_out(game_id)
    decisions = decision_list(game_id)
    assert [one.seq for one in decisions] == list(moves_begun(game_id))
    assert all(one.at_version == one.seq - 1 for one in decisions)
    assert {(one.seat, one.brain, one.brain_version) for one in decisions} == {
        (0, "greedy", brain_get("greedy").version),
        (1, "random", brain_get("random").version),
        (2, "greedy", brain_get("greedy").version),
    }
    assert {(one.budget, one.trouble) for one in decisions} == {(400, "")}


def test_a_decision_keeps_what_its_chance_was_made_of(bots_game: Open) -> None:
    game_id = bots_game("random", "random")
    version = version_of(game_id)
    play(game_id)
    secret = bytes(Game.objects.get(id=game_id).bot_secret)
    assert bytes(Decision.objects.get().seed) == turn_seed(secret, game_id, version)


def test_a_decision_is_there_if_and_only_if_its_move_is(bots_game: Open) -> None:
    game_id = bots_game("greedy", "greedy")
    head = log.load(game_id)
    assert head is not None
    seat, version = head.game.to_act[0], head.game.version
    turn = turn_at(head, seat, "greedy", head.created_at)
    write = decision_record(turn, Made(1, b"s" * 32, 400))

    def fail(outcome: Any) -> None:
        write(outcome)
        assert Decision.objects.exists()
        raise ZeroDivisionError

    move = {"game_id": game_id, "seat": seat, "body": safe_move(turn.view)}
    with pytest.raises(ZeroDivisionError):
        bot_move_play(**move, expected_version=version, record=fail)
    assert (version_of(game_id), Decision.objects.exists()) == (version, False)
    bot_move_play(**move, expected_version=version, record=write)
    assert Decision.objects.get().seq == version + 1


def test_a_turn_that_is_stale_leaves_nothing(bots_game: Open) -> None:
    game_id = bots_game("greedy", "greedy")
    version = version_of(game_id)
    assert turn_play(game_id=game_id, version=version) == "played"
    assert turn_play(game_id=game_id, version=version) == "stale"
    assert Decision.objects.count() == 1


@pytest.mark.parametrize(("name", "trouble"), TROUBLES)
def test_a_safe_move_says_why_it_was_made(bots_game: Open, name: str, trouble: str) -> None:
    game_id = bots_game(name, name)
    play(game_id)
    decision = Decision.objects.get()
    assert (decision.brain, decision.trouble, decision.iterations) == (name, trouble, 0)


class Watcher:
    """Keeps what it was given, and plays safe."""

    seen: list[tuple[View, History]] = []

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        Watcher.seen.append((view, history))
        return safe_move(view)


def test_a_turn_looked_at_again_looks_the_same(
    bots_game: Open, temporary_brain: Callable[..., None]
) -> None:
    Watcher.seen.clear()
    temporary_brain("watcher", Watcher, reads_history=True)
    game_id = bots_game("watcher", "watcher", visibility="private")
    play_out(game_id)
    decisions = decision_list(game_id)
    seen = list(Watcher.seen)
    assert len(decisions) == len(seen) > 10
    Watcher.seen.clear()
    for decision in decisions[::5]:
        assert decision_rerun(game_id, decision.seq).same
    assert Watcher.seen == seen[::5]


THINKING = ["random", "greedy", "ponderer", "flat", "ismcts-100", "ismcts"]


def assert_comes_out_again(game_id: UUID, brain: str) -> None:
    """A dozen moves of a brain, each thought again with as many iterations."""
    made = Decision.objects.filter(game_id=game_id, brain=brain).order_by("seq")
    for decision in list(made)[::3][:12]:
        again = decision_rerun(game_id, decision.seq)
        assert again.same
        assert again.thought.iterations == decision.iterations
        assert again.thought.exact == decision.exact


@pytest.mark.parametrize("brain", THINKING)
def test_every_move_comes_out_again(bots_game: Open, settings: LazySettings, brain: str) -> None:
    settings.BOT_BUDGET = 40
    game_id = bots_game(brain, "greedy")
    play_out(game_id)
    settings.BOT_BUDGET = 1
    assert_comes_out_again(game_id, brain)


def test_moves_of_the_other_family_come_out_again(bots_game: Open, settings: LazySettings) -> None:
    settings.BOT_BUDGET = 10
    game_id = bots_game("flat", "greedy", ruleset="mau_mau", options={})
    play_out(game_id)
    assert_comes_out_again(game_id, "flat")


@pytest.mark.parametrize("brain", ["ponderer", "flat", "ismcts"])
def test_a_search_that_was_cut_comes_out_again(
    bots_game: Open, settings: LazySettings, brain: str
) -> None:
    settings.BOT_BUDGET = 1_000_000
    game_id = bots_game(brain, "greedy")
    while not Decision.objects.filter(brain=brain, iterations__gt=0).exists():
        play(game_id)
    cut = Decision.objects.filter(brain=brain, iterations__gt=0)[0]
    assert 0 < cut.iterations < cut.budget == 1_000_000
    assert cut.trouble == ""
    settings.BOT_BUDGET = 20
    play_out(game_id)
    again = decision_rerun(game_id, cut.seq)
    assert (again.same, again.thought.iterations) == (True, cut.iterations)


@pytest.fixture
def drawn(bots_game: Open) -> Decision:
    """A decision of `random`, in a finished game, that another seed would make differently."""
    game_id = bots_game("random", "random")
    play_out(game_id)
    for decision in decision_list(game_id):
        Decision.objects.filter(game_id=game_id, seq=decision.seq).update(seed=bytes(32))
        if not decision_rerun(game_id, decision.seq).same:
            Decision.objects.filter(game_id=game_id, seq=decision.seq).update(seed=decision.seed)
            return decision
    raise AssertionError("no move was a choice")


def test_another_seed_is_found_out(drawn: Decision) -> None:
    assert decision_rerun(drawn.game_id, drawn.seq).same
    Decision.objects.filter(game_id=drawn.game_id, seq=drawn.seq).update(seed=bytes(32))
    assert not decision_rerun(drawn.game_id, drawn.seq).same


def test_the_command_says_whether_the_same_move_comes_out(drawn: Decision) -> None:
    output = io.StringIO()
    call_command("bot_decision", str(drawn.game_id), str(drawn.seq), stdout=output)
    assert "random, version 1, in seat" in output.getvalue()
    assert bytes(drawn.seed).hex() in output.getvalue()
    assert "the same move comes out: {" in output.getvalue()
    Decision.objects.filter(game_id=drawn.game_id, seq=drawn.seq).update(seed=bytes(32))
    with pytest.raises(CommandError, match="another move comes out"):
        call_command("bot_decision", str(drawn.game_id), str(drawn.seq), stdout=output)


def test_the_command_shows_what_the_moves_were_worth(
    bots_game: Open, settings: LazySettings
) -> None:
    settings.BOT_BUDGET = 20
    game_id = bots_game("ponderer", "greedy")
    play_out(game_id)
    output = io.StringIO()
    seq = Decision.objects.filter(brain="ponderer").order_by("seq")[0].seq
    call_command("bot_decision", str(game_id), str(seq), stdout=output)
    assert "20 iterations" in output.getvalue()
    assert " 50.0%" in output.getvalue()


def test_what_cannot_be_thought_again_says_why(
    bots_game: Open, temporary_brain: Callable[..., None]
) -> None:
    with pytest.raises(NoDecisionError, match="no game"):
        decision_rerun(uuid4(), 5)
    temporary_brain("short_lived", Watcher)
    game_id = bots_game("short_lived", "raiser")
    play(game_id)
    with pytest.raises(NoDecisionError, match="not over"):
        decision_rerun(game_id, Decision.objects.get().seq)
    play_out(game_id)
    forget("short_lived")
    with pytest.raises(NoDecisionError, match="no move of a bot begins"):
        decision_rerun(game_id, 1)
    with pytest.raises(NoDecisionError, match="no brain short_lived, version 1"):
        decision_rerun(game_id, Decision.objects.filter(brain="short_lived")[0].seq)
    with pytest.raises(NoDecisionError, match="a safe one: raised"):
        decision_rerun(game_id, Decision.objects.filter(brain="raiser")[0].seq)


def test_decisions_are_shown_after_the_end(bots_game: Open) -> None:
    game_id = bots_game("greedy", "cheater")
    path = f"/api/v1/games/{game_id}/decisions"
    play(game_id, 4)
    early = Client().get(path)
    assert (early.status_code, early.json()["code"]) == (409, "game.not_finished")
    play_out(game_id)
    page = Client().get(path).json()
    assert page["next"] is None
    assert [item["seq"] for item in page["items"]] == list(moves_begun(game_id))
    assert {(item["brain"], item["trouble"]) for item in page["items"]} == {
        ("greedy", None),
        ("cheater", "illegal"),
    }
    first = decision_list(game_id)[0]
    assert page["items"][0]["seed"] == bytes(first.seed).hex()


def test_decisions_of_a_private_game_are_for_its_table(bots_game: Open, creator: UUID) -> None:
    game_id = bots_game("greedy", "greedy", visibility="private")
    path = f"/api/v1/games/{game_id}/decisions"
    play(game_id)
    assert Client().get(path).json()["code"] == "game.not_found"
    play_out(game_id)
    assert Client().get(path).json()["code"] == "game.not_found"
    stranger = player_register(name="eve")
    headers = {"authorization": f"Bearer {stranger.token.text}"}
    assert Client().get(path, headers=headers).status_code == 404
    assert Client().get("/api/v1/games/nonsense/decisions").status_code == 404


def test_before_the_end_nothing_tells_of_a_decision(
    bots_game: Open, caplog: pytest.LogCaptureFixture
) -> None:
    game_id = bots_game("ponderer", "raiser")
    with caplog.at_level(logging.DEBUG):
        play(game_id, 6)
    shown = caplog.text + "".join(
        Client().get(path).content.decode()
        for path in (
            *("/metrics", "/readyz", "/api/v1/bots", f"/api/v1/games/{game_id}"),
            *(f"/api/v1/games/{game_id}/{page}" for page in ("events", "fairness", "decisions")),
        )
    )
    seeds = [bytes(one.seed).hex() for one in decision_list(game_id)]
    assert len(seeds) == 6
    assert [seed for seed in seeds if seed in shown] == []
    assert "iterations" not in shown


def test_history_is_read_where_the_brain_reads_it(bots_game: Open) -> None:
    game_id = bots_game("ponderer", "greedy")
    play(game_id, 4)
    head = log.load(game_id)
    assert head is not None
    decision = decision_list(game_id)[3]
    before = head_at(head, decision.at_version)
    turn = turn_at(before, decision.seat, decision.brain, head.created_at)
    assert len(turn_history(turn, brain_get("ponderer"))) == decision.at_version
    assert turn_history(turn, brain_get("greedy")) == ()
