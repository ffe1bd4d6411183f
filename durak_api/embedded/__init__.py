"""Everything that a running server needs, on one machine and with one command.

Starts a private PostgreSQL and Valkey from the installed wheels, migrates, then runs the front,
the API, the streams, Celery workers and beat, and keeps them running until it is told to stop.
"""
