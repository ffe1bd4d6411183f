"""Tables of the app, re-exported."""

from bots.models.decisions import Decision
from bots.models.incidents import Incident

__all__ = ["Decision", "Incident"]
