"""What all pages have in common: they show named fields, and nobody changes anything by them."""

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import cached_property

if TYPE_CHECKING:
    # Django's own classes take no parameters at run time.
    Pages = Paginator[Any]
    AnyPage = ModelAdmin[Any]
else:
    Pages, AnyPage = Paginator, ModelAdmin


class ShortPaginator(Pages):
    """Pages of the newest rows: a large table is never counted to its end."""

    most = 10_000

    @cached_property
    def count(self) -> int:
        """How many rows can be paged through."""
        rows = self.object_list
        assert isinstance(rows, QuerySet)
        return rows.order_by()[: self.most].count()


class NewestFirst(ChangeList):
    """Lists have one order, which an index gives: no address sorts a large table."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[Any]:
        """That of the page."""
        return list(self.model_admin.get_ordering(request))


class ReadOnly(AnyPage):
    """A page that shows the columns `shown` and what its methods `told` make of them and `read`.

    It can be narrowed by exact values of `narrowed`, and searched by `id_field`; by those of them
    that are `unindexed` only together with one of `within` or an id. Fields that are
    not named are neither shown nor loaded, and no address asks for them: a filter on a hidden
    field would tell it a letter at a time.
    """

    shown: ClassVar[tuple[str, ...]] = ()
    told: ClassVar[tuple[str, ...]] = ()
    read: ClassVar[tuple[str, ...]] = ()
    narrowed: ClassVar[tuple[str, ...]] = ()
    unindexed: ClassVar[tuple[str, ...]] = ()
    within: ClassVar[tuple[str, ...]] = ()
    id_field: ClassVar[str] = "pk"
    paginator = ShortPaginator
    show_full_result_count = False
    list_per_page = 50
    sortable_by = ()
    actions = None
    search_help_text = "an id"
    # Without a field here there is no box to search in.
    search_fields = ("pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows with the columns that are needed."""
        return super().get_queryset(request).only(*self.shown, *self.read)

    def get_changelist(self, request: HttpRequest, **_more: Any) -> type[ChangeList]:
        """The list of the rows."""
        return NewestFirst

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, unless a whole table had to be looked through for it."""
        asked = {name.removesuffix("__exact") for name, value in request.GET.items() if value}
        if asked.intersection(self.unindexed) and not asked.intersection(
            (*self.within, SEARCH_VAR)
        ):
            fields, ways = " or ".join(self.unindexed), " or ".join(self.within)
            text = f"To narrow by {fields}, narrow by {ways} too, or give {self.search_help_text}."
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(request.path)
        return super().changelist_view(request, extra_context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows of an id."""
        term = search_term.strip()
        if not term:
            return queryset, False
        try:
            return queryset.filter(**{self.id_field: UUID(term)}), False
        except ValueError:
            return queryset.none(), False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Exact values of the fields that are there to narrow by."""
        return lookup in {f"{field}{way}" for field in self.narrowed for way in ("", "__exact")}

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """What is shown."""
        return (*self.shown, *self.told)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The same: nothing can be typed."""
        return (*self.shown, *self.told)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Every member of the staff may look."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Every member of the staff may look."""
        return request.user.is_active and getattr(request.user, "is_staff", False)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes."""
        return False
