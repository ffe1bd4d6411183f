"""The API as a WSGI application (web processes)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

application = get_wsgi_application()
