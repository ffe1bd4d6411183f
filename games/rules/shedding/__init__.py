"""The shedding family: mau-mau and its kin."""
