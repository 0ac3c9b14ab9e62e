"""The subcommands of `taiji tournament`, one small file per subcommand."""
