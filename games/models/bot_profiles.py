"""What the bots of third parties let themselves be invited to."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.players import Player


class BotProfile(models.Model):
    """The tables at which a bot's account may be seated by their creators.

    `rulesets` are ids of presets, `seats` table sizes; `options`: tables with options of their own
    too. With `concurrency` unfinished games, those it joined by itself included, it is busy.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    rulesets = ArrayField(models.CharField(max_length=80))
    seats = ArrayField(models.PositiveSmallIntegerField())
    options = models.BooleanField(default=False)
    concurrency = models.PositiveSmallIntegerField()

    class Meta:
        """Few rows: one for each bot that ever accepted anything."""

        db_table = "bot_profile"

    def __str__(self) -> str:
        return f"profile of {self.player_id}"
