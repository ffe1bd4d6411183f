"""What the lobby goes by, on games and seats; tickets for quick matches."""

from typing import Final

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

OPEN_GAMES: Final = """
UPDATE games_game g SET waiting_since = e.at, free_seats = g.seats - (
    SELECT count(*) FROM games_gameseat s WHERE s.game_id = g.id)
FROM games_gameevent e WHERE g.status = 'open' AND e.game_id = g.id AND e.seq = g.version
"""
CLOCKS: Final = """
UPDATE games_game g SET turn_seconds = (e.data ->> 'turn_seconds')::integer
FROM games_gameevent e
WHERE e.game_id = g.id AND e.seq = 1 AND e.data ->> 'turn_seconds' IS NOT NULL
"""
SEATS: Final = """
UPDATE games_gameseat s SET is_over = TRUE
FROM games_game g WHERE g.id = s.game_id AND g.status = 'finished'
"""


class Migration(migrations.Migration):
    """The new columns of games that are there follow from their logs."""

    dependencies = [
        ("games", "0006_player_news"),
    ]

    operations = [
        migrations.CreateModel(
            name="QuickMatch",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("matched", "Matched"),
                            ("cancelled", "Cancelled"),
                            ("lapsed", "Lapsed"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                (
                    "rulesets",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=80), size=None
                    ),
                ),
                (
                    "seats",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), size=None
                    ),
                ),
                ("rated", models.BooleanField()),
                ("turn_seconds", models.PositiveIntegerField(null=True)),
                ("bots_at", models.DateTimeField(null=True)),
                ("client_seed", models.CharField(blank=True, default="", max_length=128)),
                ("created_at", models.DateTimeField()),
                ("alive_until", models.DateTimeField()),
                ("seat", models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                "db_table": "quick_match",
            },
        ),
        migrations.AddField(
            model_name="game",
            name="free_seats",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="game",
            name="shown_version",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="turn_seconds",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="waiting_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="gameseat",
            name="is_over",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("waiting_since__isnull", False)),
                fields=["waiting_since"],
                name="game_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("status", "open"), ("visibility", "public")),
                fields=["ruleset", "-id"],
                name="game_lobby",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("status", "finished"), _negated=True),
                fields=["creator", "-id"],
                name="game_creator_unfinished",
            ),
        ),
        migrations.AddIndex(
            model_name="gameseat",
            index=models.Index(
                condition=models.Q(("is_over", False)),
                fields=["player", "-game"],
                name="game_seat_unfinished",
            ),
        ),
        migrations.AddField(
            model_name="quickmatch",
            name="game",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="quickmatch",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="quick_matches",
                to="games.player",
            ),
        ),
        migrations.AddIndex(
            model_name="quickmatch",
            index=models.Index(
                condition=models.Q(("status", "waiting")),
                fields=["rated", "turn_seconds", "id"],
                name="quick_match_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="quickmatch",
            index=models.Index(
                condition=models.Q(("bots_at__isnull", False), ("status", "waiting")),
                fields=["bots_at"],
                name="quick_match_bots",
            ),
        ),
        migrations.AddIndex(
            model_name="quickmatch",
            index=models.Index(fields=["alive_until"], name="quick_match_age"),
        ),
        migrations.AddConstraint(
            model_name="quickmatch",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "waiting")),
                fields=("player",),
                name="quick_match_one_waiting",
            ),
        ),
        migrations.RunSQL(OPEN_GAMES, migrations.RunSQL.noop),
        migrations.RunSQL(CLOCKS, migrations.RunSQL.noop),
        migrations.RunSQL(SEATS, migrations.RunSQL.noop),
    ]
