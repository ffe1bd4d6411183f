"""Tables of the app, re-exported."""

from bots.models.incidents import Incident

__all__ = ["Incident"]
