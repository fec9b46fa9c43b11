"""Where the program begins: a shell that asks what could come next is answered before anything else is loaded."""

import os
from importlib import import_module

TAB = "_SHINPAN_TAB"
"""What a shell's script sets to its own name when it asks."""


def main() -> None:
    """Answer a shell, or do what is asked."""
    shell = os.environ.get(TAB)
    if shell:
        import_module("cli.completing.program").main(shell)
    else:
        import_module("cli.main").main()
