"""What the API says of itself: limits, problems, schema, documentation."""

from functools import cache
from typing import Final

import msgspec
from django.conf import settings
from django.templatetags.static import static
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.language import Language
from games.api.messages import problem_codes, problem_text
from games.api.operations import JSON, operation
from games.api.pagination import LARGEST_PAGE, Page
from games.api.problems import BASE, Problem
from games.api.referee import MOST_MOVES
from games.api.renderers import respond
from games.api.throttling import Limit, limits

OPENAPI: Final = "application/vnd.oai.openapi+json"
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Durak API</title>
<link rel="icon" href="{folder}/favicon-32x32.png">
<link rel="stylesheet" href="{folder}/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="{folder}/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({{url: "/api/v1/schema", dom_id: "#docs", deepLinking: true}});
</script>
</body>
</html>
"""


class LimitsList(msgspec.Struct, frozen=True):
    """The request limits, and the sizes that other refusals depend on."""

    items: list[Limit]
    next: None
    max_body_bytes: int
    max_page_items: int
    max_referee_moves: int
    max_streams: int
    min_turn_seconds: int
    max_turn_seconds: int
    max_bank_seconds: int
    max_open_games: int
    max_unfinished_games: int
    max_spectator_delay: int
    open_game_seconds: int
    open_correspondence_seconds: int
    correspondence_turn_seconds: int
    quick_match_seconds: int


class ProblemType(msgspec.Struct, frozen=True):
    """A kind of problem: what `type` of a problem's body points to."""

    type: str
    code: str
    status: int
    title: str
    detail: str


class LimitsView(ApiView):
    """`/limits`"""

    @operation("limits", access="ignored", bucket=None, answer=LimitsList)
    def get(self, request: Request) -> Response:
        """Every limit, whether or not it has been met yet."""
        shown = LimitsList(
            items=limits(),
            next=None,
            max_body_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            max_page_items=LARGEST_PAGE,
            max_referee_moves=MOST_MOVES,
            max_streams=settings.STREAMS_PER_CALLER,
            min_turn_seconds=settings.TURN_SECONDS_MIN,
            max_turn_seconds=settings.TURN_SECONDS_MAX,
            max_bank_seconds=settings.BANK_SECONDS_MAX,
            max_open_games=settings.OPEN_GAMES_PER_PLAYER,
            max_unfinished_games=settings.GAMES_PER_PLAYER,
            max_spectator_delay=settings.SPECTATOR_DELAY_MAX,
            open_game_seconds=settings.OPEN_GAME_SECONDS,
            open_correspondence_seconds=settings.OPEN_CORRESPONDENCE_SECONDS,
            correspondence_turn_seconds=settings.CORRESPONDENCE_TURN_SECONDS,
            quick_match_seconds=settings.QUICK_MATCH_SECONDS,
        )
        return self.answer(shown)


class ProblemsView(ApiView):
    """`/problems`"""

    @operation("problem_list", access="ignored", answer=Page[ProblemType])
    def get(self, request: Request) -> Response:
        """Every code that a refusal can have."""
        return self.answer(Page([_kind(code, self.language) for code in problem_codes()], None))


class ProblemView(ApiView):
    """`/problems/{code}`"""

    @operation("problem_get", access="ignored", answer=ProblemType, codes=("not_found",))
    def get(self, request: Request, code: str) -> Response:
        """What a code means."""
        if code not in problem_codes():
            raise Problem("not_found")
        return self.answer(_kind(code, self.language))


class SchemaView(ApiView):
    """`/schema`"""

    @operation("schema", access="ignored", answer=dict, produces=(JSON, OPENAPI))
    def get(self, request: Request) -> Response:
        """This API as OpenAPI 3.1."""
        return respond(_schema(), 200, self.media)


class DocsView(ApiView):
    """`/docs`"""

    @operation("docs", access="ignored", answer=str, produces=("text/html",))
    def get(self, request: Request) -> Response:
        """This API as a page to read and to try."""
        folder = static("drf_spectacular_sidecar/swagger-ui-dist").rstrip("/")
        page = _PAGE.format(folder=folder)
        return respond(page.encode(), 200, "text/html; charset=utf-8")


def _kind(code: str, language: Language) -> ProblemType:
    text = problem_text(code, language)
    return ProblemType(f"{BASE}{code}", code, text.status, text.title, text.detail)


@cache
def _schema() -> bytes:
    return msgspec.json.encode(SchemaGenerator().get_schema(public=True))
