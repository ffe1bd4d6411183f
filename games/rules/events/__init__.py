"""Events: facts of one game, in the past tense, in the order in which they happened.

Events say which cards moved where, so that a log can be folded without asking the rules again.
The last event of each move carries `next`: the phase and the seats that may act now.
"""

from typing import Final

from games.rules.events.base import Event, Next, Previous, Result, Seat
from games.rules.events.bout import (
    BOUT_EVENTS,
    AttackerNamed,
    BoutDiscarded,
    BoutOpened,
    BoutTaken,
    BoutTransferred,
    CardBeaten,
    CardsRedealt,
    CardsThrownIn,
    HandReplenished,
    TakeDeclared,
    TrumpExchanged,
    TrumpShown,
    TrumpTurned,
    WrongPlayCalled,
    WrongPlayPunished,
)
from games.rules.events.common import (
    COMMON_EVENTS,
    CardsDealt,
    GameFinished,
    GameStarted,
    SeatPassed,
    SeatWentOut,
    Slots,
)
from games.rules.events.shedding import (
    SHEDDING_EVENTS,
    AceRightPassed,
    CardsDrawn,
    CardsPlayed,
    DiscardRecycled,
    FirstPlayerNamed,
    Penalty,
    SeatSkipped,
    StarterOpened,
    SuitNamed,
)
from games.rules.events.table import (
    TABLE_EVENTS,
    ClientSeedSet,
    GameCreated,
    GameVoided,
    PlayerJoined,
    PlayerLeft,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
)

CARD_EVENTS: Final = COMMON_EVENTS | BOUT_EVENTS | SHEDDING_EVENTS
EVENTS: Final = TABLE_EVENTS | CARD_EVENTS
TYPE_OF: Final[dict[type[Event], str]] = {cls: name for name, cls in EVENTS.items()}

__all__ = [
    "BOUT_EVENTS",
    "CARD_EVENTS",
    "COMMON_EVENTS",
    "EVENTS",
    "SHEDDING_EVENTS",
    "TABLE_EVENTS",
    "TYPE_OF",
    "AceRightPassed",
    "AttackerNamed",
    "BoutDiscarded",
    "BoutOpened",
    "BoutTaken",
    "BoutTransferred",
    "CardBeaten",
    "CardsDealt",
    "CardsDrawn",
    "CardsPlayed",
    "CardsRedealt",
    "CardsThrownIn",
    "ClientSeedSet",
    "DiscardRecycled",
    "Event",
    "FirstPlayerNamed",
    "GameCreated",
    "GameFinished",
    "GameStarted",
    "GameVoided",
    "HandReplenished",
    "Next",
    "Penalty",
    "PlayerJoined",
    "PlayerLeft",
    "Previous",
    "Result",
    "Seat",
    "SeatPassed",
    "SeatReplaced",
    "SeatResigned",
    "SeatReturned",
    "SeatSkipped",
    "SeatWentOut",
    "Slots",
    "StarterOpened",
    "SuitNamed",
    "TakeDeclared",
    "TrumpExchanged",
    "TrumpShown",
    "TrumpTurned",
    "WrongPlayCalled",
    "WrongPlayPunished",
]
