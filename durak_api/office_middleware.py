"""Sessions, cookies and protection against forged forms, for the pages of the staff alone.

Every other address is served as if nothing of it was installed.
"""

from typing import Any, Final

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.deprecation import MiddlewareMixin

FOLDER: Final = "/admin/"


class _Here(MiddlewareMixin):
    """A middleware for the pages of the office alone."""

    def __call__(self, request: HttpRequest) -> Any:
        """Pass on whatever is asked of anybody else."""
        if request.path.startswith(FOLDER):
            return super().__call__(request)
        return self.get_response(request)


class Sessions(_Here, SessionMiddleware):
    """Who has signed in."""


class Forms(_Here, CsrfViewMiddleware):
    """Forms come from the pages themselves."""

    def process_view(self, request: HttpRequest, *view: Any) -> Any:
        """Views are asked for one by one, whatever was passed on."""
        return super().process_view(request, *view) if request.path.startswith(FOLDER) else None


class Staff(_Here, AuthenticationMiddleware):
    """Who it is."""


class Messages(_Here, MessageMiddleware):
    """What a page says at its top."""


class Frames(_Here, XFrameOptionsMiddleware):
    """Nobody shows the pages within his own."""
