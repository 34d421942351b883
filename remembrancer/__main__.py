"""`python -m remembrancer`."""

from remembrancer.cli import main

main()
