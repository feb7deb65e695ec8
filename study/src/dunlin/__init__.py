"""Measure any MPI library, and see what it means."""

__version__ = "0.1.0"
