"""`python -m dunlin`: what job scripts call, so that they need nothing on PATH."""

from dunlin.cli import main

main()
