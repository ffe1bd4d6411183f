"""Pages for the staff: games, events, results and accounts, to be read; games to be voided."""
