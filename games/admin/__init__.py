"""Pages for the staff: games, events, results and accounts, to be read and nothing else."""
