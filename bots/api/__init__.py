"""Brains over HTTP."""
