"""Reads: one function per thing that can be asked."""
