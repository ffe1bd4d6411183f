"""How fast it is, beside something else in the same run: `make bench`.

A machine's own speed, and whoever else uses it, cancel out of a ratio but not out of a rate:
contenders therefore take turns in short rounds, and medians are compared.
"""
