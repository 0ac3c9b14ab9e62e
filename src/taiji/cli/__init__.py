"""The command line."""


def main() -> None:
    """Runs the program."""
