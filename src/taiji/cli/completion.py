"""`taiji completion`: print a script that lets a shell complete commands, options, games and players."""

from __future__ import annotations

import click

from taiji.cli._shells import SCRIPTS


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SCRIPTS)))
def command(shell: str) -> None:
    r"""Print a completion script for SHELL.

    \b
    Examples:
      eval "$(taiji completion bash)"                  in ~/.bashrc
      eval "$(taiji completion zsh)"                   in ~/.zshrc, after compinit
      taiji completion fish > ~/.config/fish/completions/taiji.fish
    """
    click.echo(SCRIPTS[shell], nl=False)
