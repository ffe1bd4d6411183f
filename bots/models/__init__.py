"""Tables of the app, re-exported."""

from bots.models.analyses import Analysis
from bots.models.decisions import Decision
from bots.models.incidents import Incident

__all__ = ["Analysis", "Decision", "Incident"]
