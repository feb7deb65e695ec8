"""Dunlin beside other libraries and beside the bare machine: what `make bench` and its kin call."""
