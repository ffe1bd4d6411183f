"""The staff's pages at /admin/, where ADMIN is on."""

from typing import Any, Final

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse

from games.admin.pages import pages_register
from games.api.addresses import client_address
from games.api.problems import Problem, problem_response
from games.api.throttling import charge, refund

_BUCKET: Final = "sign_in_address"


class Office(AdminSite):
    """The site of the staff, who sign in with accounts of their own (`manage.py createsuperuser`).

    Failed sign-ins are limited by address, together with those of players.
    """

    site_title = site_header = "Durak"
    site_url = None
    enable_nav_sidebar = False

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page to sign in by."""
        if request.method != "POST":
            return super().login(request, extra_context)
        address = client_address(request)
        try:
            charge(_BUCKET, address)
        except Problem as problem:
            return problem_response(problem, request)
        answer = super().login(request, extra_context)
        if request.user.is_authenticated:
            refund(_BUCKET, address)
        return answer


office: Final = Office(name="admin")
pages_register(office)
