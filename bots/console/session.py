"""The loop of a game in the terminal."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bots.arena import BUDGET
from bots.brains.registry import Answer, Brain
from bots.console.screen import Screen
from bots.console.story import told
from bots.console.typed import choices, read_line
from bots.table import Table
from games.rules.errors import Refusal
from games.rules.texts import refusal_text, sentences_for
from games.rules.views import redact

Reader = Callable[[str], str | None]
Writer = Callable[[str], None]


class LeftError(Exception):
    """The person went away before the end."""


class Session:
    """One game between brains and, at `you`, a person (or a brain as well, if `brains` has one).

    `reads_history` says whether the brains asked for the events so far. `read` gives the next line
    for a prompt, None at the end of input; `write` shows a line.
    """

    def __init__(
        self,
        table: Table,
        brains: Mapping[int, Brain],
        you: int,
        screen: Screen,
        *,
        seed: str,
        reads_history: bool = False,
        read: Reader,
        write: Writer,
    ) -> None:
        self.table = table
        self.brains = brains
        self.you = you
        self.screen = screen
        self.seed = seed
        self.reads_history = reads_history
        self.read = read
        self.write = write

    def play(self) -> None:
        """Play to the end and show the result. Raises LeftError if the person leaves."""
        self._tell(self.table.events)
        while self.table.result is None:
            seat = self.table.to_act[0]
            if seat in self.brains:
                self._tell(self.table.play(seat, self._thought(seat)))
            else:
                self._tell(self._asked(seat))
        self._show(self.screen.result(msgspec.to_builtins(self.table.result), self.you))

    def _thought(self, seat: int) -> Answer:
        rng = random.Random(f"{self.seed}.{self.table.game.version}")
        history = self.table.history(seat) if self.reads_history else ()
        return self.brains[seat].choose(self.table.view(seat), history, rng, BUDGET)

    def _asked(self, seat: int) -> Sequence[Any]:
        """The events of the move that the person makes, however many lines that takes."""
        view = self.table.view(seat)
        self._show(self.screen.table(view))
        self._offer(view)
        while True:
            move = self._typed(view)
            if move is None:
                continue
            try:
                return self.table.play(seat, move)
            except Refusal as refusal:
                self._show(self._explained(refusal.code, move["type"], seat))

    def _typed(self, view: Mapping[str, Any]) -> Answer | None:
        """The one move that a line means; anything else is answered here."""
        line = self.read(self._say("prompt") + " > ")
        if line is None:
            raise LeftError
        reading = read_line(line, view)
        if reading.command is not None:
            self._command(reading.command, view)
        elif not reading.moves:
            self.write(self._say("unclear", text=line.strip()))
        elif len(reading.moves) > 1:
            self._ask_back(reading.moves, view)
        else:
            return reading.moves[0]
        return None

    def _command(self, command: str, view: Mapping[str, Any]) -> None:
        if command == "quit":
            raise LeftError
        if command == "help":
            self.write(self._say("help").strip("\n"))
        elif command == "rules":
            self._show(self._rules())
        else:
            self._show(self.screen.table(view))
            self._offer(view)

    def _offer(self, view: Mapping[str, Any]) -> None:
        for number, move in enumerate(choices(view), 1):
            self.write(self._choice(number, move))

    def _ask_back(self, moves: Sequence[Answer], view: Mapping[str, Any]) -> None:
        self.write(self._say("several"))
        for number, move in enumerate(choices(view), 1):
            if move in moves:
                self.write(self._choice(number, move))

    def _choice(self, number: int, move: Answer) -> str:
        cards = self.screen.cards(move.get("cards", ())) or self.screen.slots(move.get("slots", ()))
        target = self.screen.card(move["target"]) if "target" in move else ""
        text = self.screen.words.say(f"moves.{move['type']}", cards=cards, target=target)
        if "suit" in move:
            text += self._say("naming", suit=self.screen.suit(move["suit"]))
        return f"  {number:>2}  {text}"

    def _rules(self) -> Iterator[str]:
        for sentence in sentences_for(self.table.ruleset.family, self._options()):
            yield f"  {sentence.id:<7} {sentence.text(self.screen.words.language)}"

    def _explained(self, code: str, move: str, seat: int) -> Iterator[str]:
        text = refusal_text(
            code,
            self.screen.words.language,
            self.table.ruleset.family,
            self._options(),
            move=move,
            caught=seat in getattr(self.table.game.state, "barred", ()),
        )
        yield self.screen.bold(self._say("refused", detail=text.detail))
        yield self._say("rule", id=text.rule_id, text=text.rule_text)

    def _options(self) -> dict[str, object]:
        options: dict[str, object] = msgspec.structs.asdict(self.table.ruleset.rules)
        return options

    def _tell(self, events: Sequence[Any]) -> None:
        for event in events:
            line = told(self.screen, redact(event, self.you), self.you)
            if line is not None:
                self.write(line)

    def _say(self, key: str, **fields: Any) -> str:
        return self.screen.words.say(f"screen.{key}", **fields)

    def _show(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)
