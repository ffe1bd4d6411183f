"""Checked-in descriptions agree with the code."""

from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent


def test_published_schema_is_current(tmp_path: Path) -> None:
    fresh = tmp_path / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(fresh))
    published = ROOT / "docs" / "openapi.yaml"
    assert published.read_text() == fresh.read_text(), "run `make schema`"


@pytest.mark.django_db
def test_migrations_say_what_the_models_say() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
