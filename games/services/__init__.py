"""Writes: one function per thing that can be done, keyword-only, each its own transaction."""
