"""The proof that nothing is lost: games over a bad line, on a service that is killed all the time.

`python -m tests.chaos --kills 200` starts what `make run` starts, lets players play through a
proxy that cuts, delays and doubles what they send, kills processes meanwhile, and then compares
what every player was told with what is stored.
"""
