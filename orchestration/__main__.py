"""`python -m orchestration` is the command line `lifeloom`."""

from orchestration.cli import main

main()
