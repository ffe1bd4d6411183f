"""Which events of any game may be shown to somebody who only watches."""

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, GameEvent


def events_shown(rows: QuerySet[GameEvent]) -> QuerySet[GameEvent]:
    """Of these events, those that watchers have seen by now, who may be some moves behind."""
    ahead = Game.objects.filter(pk=OuterRef("game_id"), shown_version__lt=OuterRef("seq"))
    return rows.filter(~Exists(ahead))
