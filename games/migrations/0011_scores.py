"""Shares of games, meetings, voided games; with which numbers seasons began, how they ended."""

import django.contrib.postgres.fields
from django.db import migrations, models

# Of ladders that there are already; a rebuild comes to the same where no game was late.
SEASONS = """
UPDATE games_ladder l SET
    starts = ARRAY(
        SELECT (SELECT COALESCE(min(c.seq), l.games + 1) FROM games_ratingchange c
            WHERE c.ladder = l.id AND c.season = s.name)
        FROM unnest(l.seasons) WITH ORDINALITY AS s (name, number) ORDER BY s.number),
    drifts = ARRAY(
        SELECT (SELECT COALESCE(avg(r.mu), 25.0) - 25.0 FROM games_rating r
            WHERE r.ladder = l.id AND r.season = s.name)
        FROM unnest(l.seasons) WITH ORDINALITY AS s (name, number)
        WHERE s.number < cardinality(l.seasons) ORDER BY s.number)
"""


class Migration(migrations.Migration):
    """New columns have values for all rows there are, so nothing is rewritten."""

    dependencies = [
        ("games", "0010_boards"),
    ]

    operations = [
        migrations.AddField(
            model_name="gamefinish",
            name="events",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="gamefinish",
            name="surrendered",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="gamefinish",
            name="voided",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="gameresult",
            name="reduced",
            field=models.CharField(
                blank=True,
                choices=[("", "Whole"), ("repeated", "Repeated"), ("surrenders", "Surrenders")],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="gameresult",
            name="weight",
            field=models.FloatField(db_default=1.0, default=1.0),
        ),
        migrations.AddField(
            model_name="ladder",
            name="drifts",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.FloatField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="ladder",
            name="starts",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.PositiveBigIntegerField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.AlterField(
            model_name="gameresult",
            name="unrated",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Counts"),
                    ("casual", "Casual"),
                    ("options", "Options"),
                    ("aborted", "Aborted"),
                    ("one_player", "One Player"),
                    ("voided", "Voided"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Meeting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "low",
                        "high",
                        "day",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("low", models.UUIDField()),
                ("high", models.UUIDField()),
                ("day", models.DateField()),
                ("games", models.PositiveIntegerField()),
                ("surrenders", models.PositiveIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["day"], name="meeting_day")],
            },
        ),
        migrations.RunSQL(SEASONS, migrations.RunSQL.noop),
    ]
