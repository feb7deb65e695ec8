"""The subcommands of `dunlin`, one module each."""
