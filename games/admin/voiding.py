"""The one thing that a page can do: void a game, as `manage.py void_game` does."""

from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from games.admin.reading import ReadOnly
from games.models import Game
from games.services.game_void import MOST_TEXT, game_void
from games.services.verdicts import REFUSED, ratings_followed, refusal

if TYPE_CHECKING:
    # Its models are there only where the pages are.
    from django.contrib.auth.models import PermissionsMixin


class VoidForm(forms.Form):
    """The verdict, and that it is meant."""

    reason = forms.CharField(max_length=MOST_TEXT, help_text="Everybody can read it in the log.")
    by = forms.CharField(
        max_length=MOST_TEXT,
        required=False,
        label="Decided by",
        help_text="In the log too, if it is told.",
    )
    sure = forms.BooleanField(label="Void this game; nobody can take that back")


class Voiding(ReadOnly):
    """Pages of games with a way to void one, for who has the permission `games.void_game`."""

    def get_urls(self) -> list[URLPattern]:
        """The page of the verdict beside the others."""
        view = self.admin_site.admin_view(self.void_view)
        return [path("<uuid:game_id>/void/", view, name="games_game_void"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of a game, with the way there."""
        context = {**(extra_context or {}), "may_void": may_void(request)}
        return super().change_view(request, object_id, form_url, context)

    def void_view(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Ask for the verdict, and pass it."""
        if not may_void(request):
            raise PermissionDenied
        game = self.get_object(request, str(game_id))
        if game is None:
            raise Http404
        form = VoidForm(request.POST if request.method == "POST" else None)
        if form.is_valid() and self._is_voided(request, game, form):
            return HttpResponseRedirect(reverse("admin:games_game_change", args=[game_id]))
        context = {
            **self.admin_site.each_context(request),
            "title": "Void a game",
            "subtitle": str(game),
            "opts": self.opts,
            "form": form,
            "original": game,
        }
        return TemplateResponse(request, "admin/games/game/void.html", context)

    def _is_voided(self, request: HttpRequest, game: Game, form: VoidForm) -> bool:
        """Pass the verdict, and tell at the top of the next page what came of it."""
        reason, by = form.cleaned_data["reason"], form.cleaned_data["by"]
        try:
            done = game_void(game_id=game.pk, reason=reason, by=by)
        except REFUSED as error:
            form.add_error(None, refusal(error))
            return False
        if not done.added:
            self.message_user(request, "The game was voided already.", messages.WARNING)
            return True
        self.log_change(request, game, f"voided: {reason}")
        self.message_user(request, f"The game is voided, {ratings_followed(game.pk)}.")
        return True


def may_void(request: HttpRequest) -> bool:
    """Superusers may, and who was given the permission."""
    return cast("PermissionsMixin", request.user).has_perm("games.void_game")
