"""Streams and long polls as an ASGI application (the streams process)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

application = get_asgi_application()
