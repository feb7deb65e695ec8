"""A stand-in for a device of a fast network, and jobs that use it."""
