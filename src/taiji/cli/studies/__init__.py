"""The subcommands of `taiji study`."""
