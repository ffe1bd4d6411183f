"""Events as they happen: long polls, server-sent events and lines, in an ASGI process of its own.

The log is the truth and one cursor reads it, whatever the transport. A move is hinted at through
Redis (`hints`, `listener`); whoever watches a game shares one reading of it (`rooms`, `reading`).
"""
