"""How many streams this process holds, and why others have ended."""

import os
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from games.tally import STREAMS_ENDED, Board

CLIENT_LEFT: Final = "client_left"


class End:
    """Why a stream has ended: its client left, unless somebody knows better."""

    reason = CLIENT_LEFT


class Counts:
    """Streams that are open here, and ends that nobody has been told of yet."""

    def __init__(self) -> None:
        self.held = 0
        self._ended: Counter[str] = Counter()
        self._process = f"{socket.gethostname()}:{os.getpid()}"

    @contextmanager
    def holding(self) -> Iterator[End]:
        """A stream is open for the time of the block, which may say why it ends."""
        end = End()
        self.held += 1
        try:
            yield end
        finally:
            self.held -= 1
            self._ended[end.reason] += 1

    def take(self) -> Counter[str]:
        """The ends that are to be told now; whoever cannot tell them puts them back."""
        ended, self._ended = self._ended, Counter()
        return ended

    def put_back(self, ended: Counter[str]) -> None:
        """These ends could not be told."""
        self._ended += ended

    def tell(self, board: Board, ended: Counter[str]) -> bool:
        """Say how many are open, and which have ended; blocks. False when that cannot be done."""
        return board.streams_sign(self._process, self.held) and (
            not ended or board.add(STREAMS_ENDED, ended)
        )

    def leave(self, board: Board, ended: Counter[str]) -> None:
        """The same for the last time; blocks."""
        if board.streams_leave(self._process) and ended:
            board.add(STREAMS_ENDED, ended)
