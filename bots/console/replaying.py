"""A finished game, shown move by move."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from bots.console.judged import Judged
from bots.console.records import NoRecordError
from bots.console.screen import Screen
from bots.console.story import told
from games.rules import game as games
from games.rules.cards import to_cards
from games.rules.events import Event, Seat
from games.rules.game import Game
from games.rules.views import Sitter, redact, reveal, view_for

Reader = Callable[[str], str | None]
Writer = Callable[[str], None]
_WORDS: Final[dict[str, str]] = {
    **dict.fromkeys(("", "n", "next", "д", "дальше"), "next"),
    **dict.fromkeys(("b", "back", "н", "назад"), "back"),
    **dict.fromkeys(("e", "end", "к", "конец"), "end"),
    **dict.fromkeys(("q", "quit", "exit", "выход"), "quit"),
}


class Step(msgspec.Struct, frozen=True):
    """A move: the events of it, and the game after the last of them."""

    events: tuple[Event, ...]
    game: Game


def steps_of(events: Sequence[Event]) -> list[Step]:
    """The deal and then each move; what happened before the deal belongs to it.

    Raises NoRecordError for events that are of no game.
    """
    game = None
    move: list[Event] = []
    found: list[Step] = []
    for number, event in enumerate(events, 1):
        try:
            game = games.evolve(game, event)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise NoRecordError(f"event {number} is of no game: {error}") from None
        move.append(event)
        if event.next is not None or game.status == "finished":
            found.append(Step(tuple(move), game))
            move = []
    if not found:
        raise NoRecordError("there is no move in it: a bad record")
    return found


class Replay:
    """Shows the steps of a game, all hands open, or as `seat` saw them, with what is `judged`."""

    def __init__(
        self,
        steps: Sequence[Step],
        sitters: Sequence[Sitter | None],
        screen: Screen,
        *,
        seat: Seat | None = None,
        judged: Judged | None = None,
        write: Writer,
    ) -> None:
        self.steps = steps
        self._judged = judged
        self._sitters = sitters
        self._screen = screen
        self._seat = seat
        self._write = write

    def show(self, place: int) -> None:
        """One step: what happened, and the table then."""
        step = self.steps[place]
        self._write("")
        self._write(
            self._say("step", number=place, last=len(self.steps) - 1, version=self.at(place))
        )
        for line in self._lines(step):
            self._write(line)

    def at(self, place: int) -> int:
        """The version of the game after a step."""
        return self.steps[place].game.version

    def place_of(self, version: int) -> int:
        """The first step that ends at a version or after it; the last one for later versions."""
        ends = (place for place in range(len(self.steps)) if self.at(place) >= version)
        return next(ends, len(self.steps) - 1)

    def walk(self, start: int, read: Reader) -> None:
        """Go where the person says, from a step on, until he leaves or the input ends."""
        place = start
        while True:
            self.show(place)
            moved = None
            while moved is None:
                line = read(self._say("prompt") + " > ")
                if line is None:
                    return
                moved = self._moved(place, line.strip().lower())
            if moved < 0:
                return
            place = moved

    def _moved(self, place: int, line: str) -> int | None:
        """The step that a line asks for: -1 to leave, None for what is not understood."""
        last = len(self.steps) - 1
        if line.isascii() and line.isdecimal() and len(line) < 9:
            return self.place_of(int(line))
        word = _WORDS.get(line)
        if word is None:
            self._write(self._say("help"))
            return None
        return {"next": min(place + 1, last), "back": max(place - 1, 0), "end": last, "quit": -1}[
            word
        ]

    def _lines(self, step: Step) -> Iterator[str]:
        viewer = -1 if self._seat is None else self._seat
        for event in step.events:
            shown = reveal(event) if self._seat is None else redact(event, self._seat)
            line = told(self._screen, shown, viewer)
            if line is not None:
                yield line
        if self._judged is not None:
            yield from self._judged.lines(step.game.version - len(step.events), step.game.version)
        if step.game.state is not None and step.game.state.hands:
            yield from self._screen.table(self._view(step.game))
        if step.game.result is not None:
            yield from self._screen.result(msgspec.to_builtins(step.game.result), viewer)
            if self._judged is not None:
                yield from self._judged.sums()

    def _view(self, game: Game) -> Mapping[str, Any]:
        view: dict[str, Any] = msgspec.to_builtins(view_for(game, self._seat, self._sitters))
        if self._seat is None and game.state is not None:
            view["you"] = {"hand": ()}
            for shown, hand in zip(view["seats"], game.state.hands, strict=True):
                shown["hand"] = to_cards(hand)
        return view

    def _say(self, key: str, **fields: Any) -> str:
        return self._screen.words.say(f"replay.{key}", **fields)
