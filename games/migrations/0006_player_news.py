"""What players are told of their games, and webhooks to send it to."""

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):
    """Four tables, empty so far."""

    dependencies = [
        ("games", "0005_clocks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Inbox",
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
                ("last", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "db_table": "inbox",
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "version",
                        "seat",
                        "kind",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("version", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "game_started"),
                            (2, "your_turn"),
                            (3, "game_finished"),
                            (4, "rematch_offered"),
                        ]
                    ),
                ),
                ("player_id", models.UUIDField()),
                ("deadline", models.DateTimeField(null=True)),
                ("at", models.DateTimeField()),
                ("position", models.PositiveBigIntegerField(null=True)),
                ("hooked", models.BooleanField(default=False)),
            ],
            options={
                "db_table": "notice",
                "indexes": [
                    models.Index(
                        condition=models.Q(("position__isnull", True)),
                        fields=["player_id"],
                        name="notice_unnumbered",
                    ),
                    models.Index(
                        condition=models.Q(("hooked", True)),
                        fields=["player_id", "at"],
                        name="notice_hooked",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("position__isnull", False)),
                        fields=("player_id", "position"),
                        name="notice_position_unique",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
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
                ("url", models.CharField(max_length=500)),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), size=None
                    ),
                ),
                ("label", models.CharField(blank=True, default="", max_length=100)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("enabled", "Enabled"),
                            ("paused", "Paused"),
                            ("failing", "Failing"),
                        ],
                        default="enabled",
                        max_length=8,
                    ),
                ),
                ("secret", models.BinaryField(max_length=32)),
                ("former_secret", models.BinaryField(max_length=32, null=True)),
                ("former_until", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "db_table": "webhook",
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
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
                ("event", models.CharField(max_length=20)),
                ("game_id", models.UUIDField(null=True)),
                ("version", models.PositiveIntegerField(null=True)),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("deadline", models.DateTimeField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("delivered", "Delivered"),
                            ("failed", "Failed"),
                            ("dropped", "Dropped"),
                        ],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("response_status", models.PositiveSmallIntegerField(null=True)),
                ("response_start", models.CharField(blank=True, default="", max_length=200)),
                ("error", models.CharField(blank=True, default="", max_length=100)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="games.webhook",
                    ),
                ),
            ],
            options={
                "db_table": "webhook_delivery",
            },
        ),
        migrations.AddIndex(
            model_name="webhook",
            index=models.Index(
                condition=models.Q(("status", "enabled")), fields=["player"], name="webhook_enabled"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(fields=["webhook", "-id"], name="webhook_delivery_log"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["next_at"],
                name="webhook_delivery_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                fields=("webhook", "game_id", "version", "seat", "event"),
                name="webhook_delivery_once",
            ),
        ),
    ]
