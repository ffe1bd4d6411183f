"""`make soak`: random games by the million over every ruleset, table size and set of options."""
