"""A due turn names the brain that owes it: turns go to the workers of its kind."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """A column, empty for the turns that are due now."""

    dependencies = [
        ("games", "0008_bot_profiles"),
    ]

    operations = [
        migrations.AddField(
            model_name="dueturn",
            name="brain",
            field=models.CharField(db_default="", default="", max_length=30),
        ),
    ]
