"""What the bots of third parties let themselves be invited to."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """One table, empty at first."""

    dependencies = [
        ("games", "0007_lobby"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotProfile",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="games.player",
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
                ("options", models.BooleanField(default=False)),
                ("concurrency", models.PositiveSmallIntegerField()),
            ],
            options={"db_table": "bot_profile"},
        ),
    ]
