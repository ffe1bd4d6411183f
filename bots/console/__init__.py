"""A game in the terminal: what is shown, what is typed, and the loop between the two."""
