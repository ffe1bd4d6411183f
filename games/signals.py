"""What games announce after a commit. Listeners may be lost with the process: the log is not."""

from django.dispatch import Signal

# game_id: UUID, version: int, seat: int, brain: str
turn_due = Signal()
# game_id: UUID, version: int, told: tuple[games.store.notices.Told, ...]
game_advanced = Signal()
# webhook_id: UUID, to which there is something to send
webhook_due = Signal()
