"""The pure engine: values and functions, without a clock, chance, input or output."""
