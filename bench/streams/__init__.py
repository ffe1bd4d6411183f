"""Streams of events: what holding one costs, how soon news arrive, what breaks of the line lose.

`python -m bench streams`; one streams process, the API, a durable PostgreSQL and a Valkey of their
own. Games are clones of one sample, moved on by its recorded requests.
"""
