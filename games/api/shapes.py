"""Shapes of accounts and tokens on the wire."""

from datetime import datetime
from typing import Annotated, Literal, get_args
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.bodies import Body

Scope = Literal["games:read", "games:play", "games:create", "tokens:manage", "webhooks:manage"]
Kind = Literal["human", "bot"]
Speech = Literal["en", "ru"]
Name = Annotated[
    str, Meta(description="2-30 letters, digits, _ or -, unique without regard to case")
]
Password = Annotated[str, Meta(min_length=6, max_length=128)]
TEN_YEARS = 315_360_000

# On the way out the values are known to be right: these say so in the schema only.
KindOut = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Kind))})]
SpeechOut = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Speech))})]
ScopeOut = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Scope))})]


class Registration(Body, frozen=True):
    """A new account; without a password it is a guest's."""

    name: Name
    password: Password | None = None
    kind: Kind = "human"
    language: Speech | None = None


class PlayerChange(Body, frozen=True):
    """What to change of one's account; what is absent stays."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    password: Password | msgspec.UnsetType = msgspec.UNSET
    language: Speech | msgspec.UnsetType = msgspec.UNSET


class SignIn(Body, frozen=True):
    """Name and password for a token, which may have fewer scopes and an end (in seconds)."""

    name: Annotated[str, Meta(max_length=100)]
    password: Annotated[str, Meta(max_length=128)]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=20)] | None = None
    label: Annotated[str, Meta(max_length=100)] = ""
    expires_in: Annotated[int, Meta(ge=1, le=TEN_YEARS)] | None = None


class NewPlayer(msgspec.Struct, frozen=True):
    """The account just made, with its token, which is shown this once."""

    id: UUID
    name: str
    kind: KindOut
    language: SpeechOut
    token: str
    scopes: list[ScopeOut]


class NewToken(msgspec.Struct, frozen=True):
    """A token, shown this once."""

    id: UUID
    token: str
    scopes: list[ScopeOut]
    expires_at: datetime | None


class TokenItem(msgspec.Struct, frozen=True):
    """A token in the list: everything but its text. `current` marks the one of this request."""

    id: UUID
    label: str
    scopes: list[ScopeOut]
    created_at: datetime
    expires_at: datetime | None
    current: bool


class PublicPlayer(msgspec.Struct, frozen=True):
    """What everybody may know of an account."""

    id: UUID
    name: str
    kind: KindOut
    created_at: datetime


class OwnPlayer(msgspec.Struct, frozen=True):
    """One's own account; a guest has no password."""

    id: UUID
    name: str
    kind: KindOut
    created_at: datetime
    language: SpeechOut
    has_password: bool
    scopes: list[ScopeOut]
