"""Is this machine ready for MPI? `record` looks, `checks` judge what was seen, and only that."""
