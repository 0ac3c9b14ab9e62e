"""The subcommands of `taiji tournament`, one small file each."""
