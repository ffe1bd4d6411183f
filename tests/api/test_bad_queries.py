"""Every parameter of every address that is read, with what breaks other servers. Never a 500."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml

from games.services.player_register import Registered
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db
SCHEMA = yaml.safe_load(Path("docs/openapi.yaml").read_text(encoding="utf-8"))
VALUES = [
    *("0", "-1", str(2**31), str(2**63), str(10**30), f"-{10**30}", "1e400", "NaN", "٣"),
    *("", "\0", "\ud7ff", "x" * 5000, "null", "[]", "true", "😀", "%", "'"),
]
ID = str(uuid.UUID(int=1))


def addresses() -> Iterator[tuple[str, str]]:
    """Each path of a GET with each of its parameters."""
    for path, methods in SCHEMA["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query":
                yield path, parameter["name"]


def filled(path: str) -> str:
    """The path with a name that nobody has and ids that nothing has."""
    for part in ("game_id", "match_id", "ticket_id", "webhook_id", "token_id"):
        path = path.replace(f"{{{part}}}", ID)
    return path.replace("{name}", "nobody").replace("{other}", "ann").replace("{ladder}", "overall")


@pytest.mark.parametrize(("path", "name"), list(addresses()))
def test_whatever_a_parameter_says(ann: Registered, path: str, name: str) -> None:
    caller = Api(ann.token.text)
    own = path.replace("{name}", ann.player.name)
    for value in VALUES:
        for shown in {filled(path), filled(own)}:
            place = f"{shown.removeprefix('/api/v1')}?{name}={quote(value, safe='')}"
            assert caller.get(place).status_code < 500, place


def test_all_of_them_are_tried() -> None:
    assert len(list(addresses())) > 40
