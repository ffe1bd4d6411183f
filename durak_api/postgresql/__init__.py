"""Django's backend for PostgreSQL, with transactions that begin and end in one call each."""
