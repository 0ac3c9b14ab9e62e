"""`python -m taiji` is the command `taiji`."""

from taiji.cli import main

main()
