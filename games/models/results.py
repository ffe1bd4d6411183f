"""Results, ratings and their history: folds of the logs, which can be dropped and rebuilt.

A ladder is a ruleset's id or `overall`. Seasons are short texts that sort by age (`2026Q4`).
"""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.models.board_classes import class_expression
from games.models.games import Game
from games.models.players import Player

OVERALL: Final = "overall"


class GameResult(models.Model):
    """How one seat of a finished game ended for the account that held it.

    `place` counts from 1; `shared` with other seats. Whoever left for good is durak whatever the
    bot in the seat achieved, and comes last. `drew`: the game was a draw and the seat part of it.
    `unrated` says why the game does not count, and is empty if it does. `weight` is the share of
    its change that a game that counts gives the player, `reduced` why that is not all.
    """

    class Unrated(models.TextChoices):
        """Why a game counts on no ladder; the empty value: it counts."""

        COUNTS = ""
        CASUAL = "casual"
        OPTIONS = "options"
        ABORTED = "aborted"
        ONE_PLAYER = "one_player"
        VOIDED = "voided"

    class Reduced(models.TextChoices):
        """Why a game counts less than others; the empty value: it does not."""

        WHOLE = ""
        REPEATED = "repeated"
        SURRENDERS = "surrenders"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, db_index=False, related_name="+")
    ladder = models.CharField(max_length=80)
    place = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    shared = models.BooleanField()
    is_durak = models.BooleanField()
    drew = models.BooleanField()
    points = models.IntegerField(null=True)
    unrated = models.CharField(max_length=10, choices=Unrated, blank=True)
    weight = models.FloatField(default=1.0, db_default=1.0)
    reduced = models.CharField(
        max_length=10, choices=Reduced, default="", db_default="", blank=True
    )
    private = models.BooleanField()
    finished_at = models.DateTimeField()

    class Meta:
        """One row for a game and seat; a player's rows are read newest first.

        Private ones apart from the others, so that nobody walks over what he may not see.
        """

        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="game_result_once"),
        ]
        indexes = [
            models.Index(
                fields=["player", "private", "-finished_at", "-game", "-seat"],
                name="game_result_history",
            ),
            models.Index(
                fields=["player", "ladder", "private", "-finished_at", "-game", "-seat"],
                name="game_result_ladder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} seat {self.seat}: place {self.place}"


class GameFinish(models.Model):
    """A finished game that counts: its number on both ladders, once its ratings are applied.

    Ratings depend on the order of games, so the numbers are kept when everything else is rebuilt.
    `events` is how long the log was, `surrendered` whether the game was given up. A game that is
    `voided` keeps its numbers and counts no more; `rated_at` is empty until its ladders know.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="+", primary_key=True)
    ladder = models.CharField(max_length=80)
    finished_at = models.DateTimeField()
    ladder_seq = models.PositiveBigIntegerField(null=True)
    overall_seq = models.PositiveBigIntegerField(null=True)
    events = models.PositiveIntegerField(default=0, db_default=0)
    surrendered = models.BooleanField(default=False, db_default=False)
    voided = models.BooleanField(default=False, db_default=False)
    rated_at = models.DateTimeField(null=True)

    class Meta:
        """Numbers are given once; what still waits for its ratings is found at once."""

        constraints = [
            models.UniqueConstraint(fields=["ladder", "ladder_seq"], name="game_finish_ladder_seq"),
            models.UniqueConstraint(fields=["overall_seq"], name="game_finish_overall_seq"),
        ]
        indexes = [
            models.Index(
                fields=["finished_at", "game"],
                name="game_finish_waiting",
                condition=Q(rated_at=None),
            ),
        ]

    def __str__(self) -> str:
        return str(self.game_id)


class Ladder(models.Model):
    """A ladder that somebody stands on. Its row is the lock under which games are numbered.

    `starts` are the numbers with which its seasons began, `drifts` how far the mean of all players
    had moved at the end of each season but the running one.
    """

    id = models.CharField(max_length=80, primary_key=True)
    games = models.PositiveBigIntegerField(default=0)
    seasons = ArrayField(models.CharField(max_length=16), default=list)
    starts = ArrayField(models.PositiveBigIntegerField(), default=list, db_default=[])
    drifts = ArrayField(models.FloatField(), default=list, db_default=[])

    def __str__(self) -> str:
        return self.id


class Meeting(models.Model):
    """How often two accounts met in rated games that ended on a day (UTC), whichever the ruleset.

    `surrenders` counts those that were given up early. The accounts stand in the order of their
    ids; the rows are read and written under the lock of the ladder `overall`.
    """

    pk = models.CompositePrimaryKey("low", "high", "day")
    low = models.UUIDField()
    high = models.UUIDField()
    day = models.DateField()
    games = models.PositiveIntegerField()
    surrenders = models.PositiveIntegerField()

    class Meta:
        """Whole days are written anew when ratings are rebuilt."""

        indexes = [models.Index(fields=["day"], name="meeting_day")]

    def __str__(self) -> str:
        return f"{self.low} and {self.high} on {self.day}: {self.games}"


class Rating(models.Model):
    """Where a player stands on a ladder in a season.

    `rating` is the conservative estimate that boards show and sort by; `mu` and `sigma` are what
    the next game starts from. `games` and the other totals count the season's games. Runs of games
    without being durak (`safe_`) and in the first place (`first_`) go on over the turn of a
    season: `_run` is the present one, `_best` the longest that the season saw.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    ladder = models.CharField(max_length=80)
    season = models.CharField(max_length=16)
    kind = models.CharField(max_length=5, choices=Player.Kind)
    mu = models.FloatField()
    sigma = models.FloatField()
    rating = models.IntegerField()
    uncertainty = models.PositiveIntegerField()
    provisional = models.BooleanField()
    games = models.PositiveIntegerField()
    durak_count = models.PositiveIntegerField()
    first_places = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    points = models.IntegerField()
    safe_run = models.PositiveIntegerField(default=0, db_default=0)
    safe_best = models.PositiveIntegerField(default=0, db_default=0)
    first_run = models.PositiveIntegerField(default=0, db_default=0)
    first_best = models.PositiveIntegerField(default=0, db_default=0)
    updated_seq = models.PositiveBigIntegerField()
    updated_at = models.DateTimeField()
    board_class = models.GeneratedField(
        expression=class_expression(), output_field=models.SmallIntegerField(), db_persist=True
    )

    class Meta:
        """One row for a player, ladder and season; boards are walks along an index."""

        constraints = [
            models.UniqueConstraint(fields=["player", "ladder", "season"], name="rating_once"),
        ]
        indexes = [
            models.Index(fields=["ladder", "season", "-rating", "-player"], name="rating_board"),
            models.Index(
                fields=["ladder", "season", "board_class", "-rating", "-player"],
                name="rating_board_class",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.ladder} in {self.season}: {self.rating}"


class BoardCount(models.Model):
    """How many players of a class a board has from rating `floor` on, `width` points wide.

    Kept by triggers on the ratings, whoever writes them, in the writer's transaction; writers hold
    the lock of the ladder. Ranks are sums of these: few wide steps, then single points.
    """

    pk = models.CompositePrimaryKey("ladder", "season", "width", "floor", "board_class")
    ladder = models.CharField(max_length=80)
    season = models.CharField(max_length=16)
    width = models.SmallIntegerField()
    floor = models.IntegerField()
    board_class = models.SmallIntegerField()
    players = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.players} from {self.floor} on {self.ladder} in {self.season}"


class RatingChange(models.Model):
    """What one game did to one player on one ladder; `seq` is the game's number on it."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    ladder = models.CharField(max_length=80)
    season = models.CharField(max_length=16)
    seq = models.PositiveBigIntegerField()
    place = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    rating_before = models.IntegerField()
    rating_after = models.IntegerField()
    finished_at = models.DateTimeField()

    class Meta:
        """One row for a game, player and ladder; histories are read newest first."""

        constraints = [
            models.UniqueConstraint(fields=["game", "player", "ladder"], name="rating_change_once"),
        ]
        indexes = [
            models.Index(fields=["player", "ladder", "-seq"], name="rating_change_history"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.game_id}: {self.rating_before} → {self.rating_after}"
