"""The bout family: attack and defence."""
