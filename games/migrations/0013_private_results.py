"""A player's results with the private ones apart: strangers do not walk over them."""

from django.db import migrations, models

NEWEST = ("-finished_at", "-game", "-seat")
INDEXES = {
    "game_result_history": ("player", "private", *NEWEST),
    "game_result_ladder": ("player", "ladder", "private", *NEWEST),
}


class Migration(migrations.Migration):
    """Both indexes are built anew, which takes a while where there are many results."""

    dependencies = [
        ("games", "0012_webhook_indexes"),
    ]

    operations = [
        operation
        for name, fields in INDEXES.items()
        for operation in (
            migrations.RemoveIndex(model_name="gameresult", name=name),
            migrations.AddIndex(
                model_name="gameresult", index=models.Index(fields=fields, name=name)
            ),
        )
    ]
