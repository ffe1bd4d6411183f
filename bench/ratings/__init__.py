"""Which rating model finds out who plays well: known strengths, simulated seasons, one table."""
