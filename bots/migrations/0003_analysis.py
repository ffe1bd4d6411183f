"""Analyses of finished games."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """A table of its own."""

    dependencies = [
        ("bots", "0002_decisions"),
    ]

    operations = [
        migrations.CreateModel(
            name="Analysis",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("version", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "nobody has begun it"),
                            ("running", "some decisions are judged"),
                            ("done", "the result is there"),
                            ("failed", "it was begun too often and did not go on"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("of", models.PositiveIntegerField(null=True)),
                ("parts", models.BinaryField(default=b"")),
                ("result", models.BinaryField(null=True)),
                ("asked_by", models.UUIDField()),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("moved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("status__in", ["waiting", "running"])),
                        fields=["asked_at"],
                        name="analysis_unfinished",
                    ),
                ],
            },
        ),
    ]
