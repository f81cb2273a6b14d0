"""`python -m ricordo` is the command line."""

from ricordo.surfaces.entry import main

main()
