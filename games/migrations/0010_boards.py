"""Exact ranks on large boards: classes of ratings, and how many players of each stand where.

Triggers keep the counts, whatever statement writes ratings: a batch costs one more statement.
"""

from django.db import migrations, models
from django.db.models.expressions import CombinedExpression

# What a statement changed, summed up for each step of both widths.
COUNT = """
    INSERT INTO games_boardcount AS known (ladder, season, width, floor, board_class, players)
    SELECT ladder, season, width, rating & -width, board_class, sum(players)
    FROM ({changes}) AS change CROSS JOIN (VALUES (1), (64)) AS step (width)
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(players) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (ladder, season, width, floor, board_class)
    DO UPDATE SET players = known.players + EXCLUDED.players
"""
CAME = "SELECT ladder, season, rating, board_class, 1 AS players FROM {rows}"
WENT = "SELECT ladder, season, rating, board_class, -1 AS players FROM departed"
TRIGGER = """
CREATE FUNCTION games_board_{verb}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {body}; RETURN NULL; END
$$;
CREATE TRIGGER games_rating_{verb} AFTER {verb} ON games_rating {tables}
    FOR EACH STATEMENT EXECUTE FUNCTION games_board_{verb}();
"""
NO_TRIGGER = """
DROP TRIGGER games_rating_{verb} ON games_rating;
DROP FUNCTION games_board_{verb}();
"""
ARRIVED, DEPARTED = "NEW TABLE AS arrived", "OLD TABLE AS departed"
# Ratings are deleted to be made anew: their counts begin anew with them.
EMPTY = """
    DELETE FROM games_boardcount
    WHERE players = 0 AND (ladder, season) IN (SELECT DISTINCT ladder, season FROM departed)
"""
BODIES = {
    "insert": (COUNT.format(changes=CAME.format(rows="arrived")), f"REFERENCING {ARRIVED}"),
    "update": (
        COUNT.format(changes=f"{CAME.format(rows='arrived')} UNION ALL {WENT}"),
        f"REFERENCING {ARRIVED} {DEPARTED}",
    ),
    "delete": (f"{COUNT.format(changes=WENT)}; {EMPTY}", f"REFERENCING {DEPARTED}"),
    "truncate": ("DELETE FROM games_boardcount", ""),
}


class Migration(migrations.Migration):
    """The counts of what stands already are taken at once; runs of games want a rebuild."""

    dependencies = [("games", "0009_due_turn_brain")]

    operations = [
        migrations.CreateModel(
            name="BoardCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ladder",
                        "season",
                        "width",
                        "floor",
                        "board_class",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("ladder", models.CharField(max_length=80)),
                ("season", models.CharField(max_length=16)),
                ("width", models.SmallIntegerField()),
                ("floor", models.IntegerField()),
                ("board_class", models.SmallIntegerField()),
                ("players", models.IntegerField()),
            ],
        ),
        # A step is written again and again: room beside it keeps the index out of that.
        migrations.RunSQL(
            "ALTER TABLE games_boardcount SET (fillfactor = 50)",
            "ALTER TABLE games_boardcount RESET (fillfactor)",
        ),
        migrations.RemoveIndex(model_name="rating", name="rating_board"),
        migrations.RemoveIndex(model_name="rating", name="rating_board_kind"),
        migrations.RemoveIndex(model_name="rating", name="rating_board_established"),
        *(
            migrations.AddField(
                model_name="rating",
                name=name,
                field=models.PositiveIntegerField(db_default=0, default=0),
            )
            for name in ("safe_run", "safe_best", "first_run", "first_best")
        ),
        migrations.AddField(
            model_name="rating",
            name="board_class",
            field=models.GeneratedField(
                db_persist=True,
                expression=CombinedExpression(
                    CombinedExpression(
                        models.Case(
                            models.When(games__gte=100, then=models.Value(16)),
                            models.When(games__gte=50, then=models.Value(12)),
                            models.When(games__gte=15, then=models.Value(8)),
                            models.When(games__gte=5, then=models.Value(4)),
                            default=models.Value(0),
                            output_field=models.SmallIntegerField(),
                        ),
                        "+",
                        models.Case(
                            models.When(kind="bot", then=models.Value(2)), default=models.Value(0)
                        ),
                    ),
                    "+",
                    models.Case(
                        models.When(provisional=True, then=models.Value(1)),
                        default=models.Value(0),
                    ),
                ),
                output_field=models.SmallIntegerField(),
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                fields=["ladder", "season", "-rating", "-player"], name="rating_board"
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                fields=["ladder", "season", "board_class", "-rating", "-player"],
                name="rating_board_class",
            ),
        ),
        migrations.RunSQL(
            COUNT.format(changes=CAME.format(rows="games_rating")), migrations.RunSQL.noop
        ),
        *(
            migrations.RunSQL(
                TRIGGER.format(verb=verb, body=body, tables=tables), NO_TRIGGER.format(verb=verb)
            )
            for verb, (body, tables) in BODIES.items()
        ),
    ]
