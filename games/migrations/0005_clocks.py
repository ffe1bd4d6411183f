"""When to look at a game whose turns are timed, and what is known of the service being in order."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """A column, empty for every game so far, and two small tables."""

    dependencies = [
        ("games", "0004_finished_games"),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("reached", models.UUIDField(null=True)),
                ("settled", models.BooleanField(default=False)),
            ],
        ),
        migrations.AddConstraint(
            model_name="outage",
            constraint=models.UniqueConstraint(fields=("began_at",), name="outage_once"),
        ),
        migrations.AddField(
            model_name="game",
            name="due_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["due_at"],
                name="game_due",
            ),
        ),
    ]
