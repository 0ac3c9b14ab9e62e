"""Completion scripts for shells, and the program's side of them.

Click's own scripts split the line at colons and equals signs in bash, and so cannot complete `taiji:size=7`.
Here the shell passes the line up to the cursor, and gets a line per offer: kind, word and help between tabs.
"""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

VARIABLE = "_TAIJI_COMPLETE"

BASH = r"""_taiji_completion() {
    local kind word help
    COMPREPLY=()
    while IFS=$'\t' read -r kind word help; do
        if [[ $kind == file ]]; then
            compopt -o default
        else
            [[ $word == *[=:] ]] && compopt -o nospace
            COMPREPLY+=("$word")
        fi
    done < <(_TAIJI_LINE="${COMP_LINE:0:COMP_POINT}" _TAIJI_BREAKS="$COMP_WORDBREAKS" \
        _TAIJI_COMPLETE=bash_complete "${COMP_WORDS[0]}" 2>/dev/null)
}
complete -o nosort -F _taiji_completion taiji
"""

ZSH = r"""#compdef taiji
_taiji_completion() {
    local kind word help
    local -a words_plain words_open shown_plain shown_open
    while IFS=$'\t' read -r kind word help; do
        if [[ $kind == file ]]; then
            _files
        elif [[ $word == *[=:] ]]; then
            words_open+=("$word"); shown_open+=("$word${help:+  -- $help}")
        else
            words_plain+=("$word"); shown_plain+=("$word${help:+  -- $help}")
        fi
    done < <(_TAIJI_LINE="${(j: :)words[1,CURRENT]}" _TAIJI_COMPLETE=zsh_complete "${words[1]}" 2>/dev/null)
    (( $#words_plain )) && compadd -l -V plain -d shown_plain -- $words_plain
    (( $#words_open )) && compadd -l -S '' -V open -d shown_open -- $words_open
}
compdef _taiji_completion taiji
"""

FISH = r"""function _taiji_completion
    set -lx _TAIJI_LINE (commandline -cp | string collect)
    set -lx _TAIJI_COMPLETE fish_complete
    for line in (taiji 2>/dev/null)
        set -l part (string split \t -- $line)
        if test $part[1] = file
            __fish_complete_path (commandline -ct)
        else
            printf '%s\t%s\n' $part[2] $part[3]
        end
    end
end
complete --no-files --command taiji --arguments '(_taiji_completion)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


class _Shell(ShellComplete):
    """The offers for a line that the shell passes in an environment variable."""

    def source(self) -> str:
        """Return the script of the shell."""
        return SCRIPTS[self.name]

    def get_completion_args(self) -> tuple[list[str], str]:
        """Split the line into complete words and the word at the cursor."""
        line = os.environ.get("_TAIJI_LINE", "")
        words = split_arg_string(line)[1:]
        if not words or line[-1:].isspace():
            return words, ""
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Write an offer as a line."""
        word = str(item.value)
        return "\t".join((item.type, word, item.help or ""))


class _Bash(_Shell):
    """Bash replaces only what follows the last separator of the current word."""

    name = "bash"

    def format_completion(self, item: CompletionItem) -> str:
        """Write an offer without the part that bash keeps."""
        _, current = self.get_completion_args()
        cut = max((current.rfind(mark) + 1 for mark in os.environ.get("_TAIJI_BREAKS", "")), default=0)
        return super().format_completion(CompletionItem(str(item.value)[cut:], item.type, item.help))


class _Zsh(_Shell):
    name = "zsh"


class _Fish(_Shell):
    name = "fish"


def register_shells() -> None:
    """Let click answer these shells."""
    for shell in (_Bash, _Zsh, _Fish):
        add_completion_class(shell)
