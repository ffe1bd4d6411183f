"""Seats that are kept for the players of a rematch; of a match one game at a time goes on."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """Two columns, empty for every game so far."""

    dependencies = [
        ("games", "0002_append_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="reserved",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="reserved_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("reserved_until__isnull", False), ("status", "open")),
                fields=["reserved_until"],
                name="game_reserved",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "finished"), _negated=True),
                fields=("match_id",),
                name="game_match_one_at_a_time",
            ),
        ),
    ]
