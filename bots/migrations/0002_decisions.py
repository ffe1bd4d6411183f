"""How bots came to their moves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """A table of its own; moves made before it have no rows."""

    dependencies = [
        ("bots", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "seq",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("seq", models.PositiveIntegerField()),
                ("at_version", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("brain", models.CharField(max_length=30)),
                ("brain_version", models.PositiveIntegerField()),
                ("seed", models.BinaryField(max_length=32)),
                ("budget", models.PositiveIntegerField()),
                ("iterations", models.PositiveIntegerField(default=0)),
                ("exact", models.BooleanField(default=False)),
                ("trouble", models.CharField(blank=True, default="", max_length=10)),
            ],
        ),
    ]
