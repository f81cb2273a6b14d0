"""`python -m recollect` is the command line."""

from recollect.surfaces.cli import main

main()
