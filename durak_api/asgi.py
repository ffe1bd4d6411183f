"""Streams and long polls as an ASGI application (the streams process)."""

import os

from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

# First Django sets itself up, then models can be imported.
django_application = get_asgi_application()
application = import_string("games.api.streams.application.Streams")(django_application)
