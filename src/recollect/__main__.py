"""`python -m recollect` is the command line."""

from recollect.surfaces.entry import main

main()
