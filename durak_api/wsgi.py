"""The API as a WSGI application (web processes)."""

import os
from importlib.resources import files

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

application = WhiteNoise(get_wsgi_application(), max_age=3600)
# The scripts of the docs page, straight from the package that brings them.
application.add_files(str(files("drf_spectacular_sidecar") / "static"), prefix="static/")
if settings.ADMIN:
    application.add_files(str(files("django.contrib.admin") / "static"), prefix="static/")
