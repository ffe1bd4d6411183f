"""Wiring of the project: settings, addresses, processes."""
