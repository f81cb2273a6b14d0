"""The entry point: hooks and MCP go straight to their own programs, the rest to click.

A host waits for every hook and for the handshake of a server, so nothing may be imported here that
these do not need.
"""

import sys


def main() -> None:
    """What the installed command `ricordo` runs."""
    if sys.argv[1:2] == ["hook"]:
        from ricordo.surfaces.hooks.main import main as hook

        sys.exit(hook(sys.argv[2:]))
    if sys.argv[1:2] == ["mcp"]:
        from ricordo.surfaces.cli.verbs.serve import start

        return start(sys.argv[1:])
    from ricordo.surfaces.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()
