"""What is due of each webhook, what somebody is at, and what is old enough to forget."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes alone."""

    dependencies = [
        ("games", "0011_scores"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["at"], name="notice_at"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["webhook", "next_at"],
                name="webhook_delivery_next",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("lease_until__isnull", False), ("status", "pending")),
                fields=["webhook", "lease_until"],
                name="webhook_delivery_leased",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("status", "pending"), _negated=True),
                fields=["at"],
                name="webhook_delivery_settled",
            ),
        ),
    ]
