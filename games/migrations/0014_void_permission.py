"""Who of the staff may void games is told by a permission."""

from django.db import migrations


class Migration(migrations.Migration):
    """Nothing in the tables of games."""

    dependencies = [
        ("games", "0013_private_results"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="game", options={"permissions": (("void_game", "Can void a game"),)}
        ),
    ]
