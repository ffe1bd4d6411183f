"""Counting what went wrong."""

import logging

import pytest
from django.db import ProgrammingError, connection, transaction

from bots.incidents import incident_count
from bots.models import Incident

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_row_for_each_kind_and_brain() -> None:
    for brain in ("greedy", "greedy", "random", ""):
        incident_count(Incident.Kind.RAISED, brain)
    rows = {str(row) for row in Incident.objects.all()}
    assert rows == {"raised greedy: 2", "raised random: 1", "raised : 1"}


def test_a_count_that_fails_is_logged_and_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    with transaction.atomic():
        with pytest.raises(ProgrammingError), connection.cursor() as cursor:
            cursor.execute("SELECT nothing_of_the_kind")
        with caplog.at_level(logging.ERROR):
            incident_count(Incident.Kind.BROKER)
        transaction.set_rollback(True)
    assert "was not counted" in caplog.text
    assert not Incident.objects.exists()
