"""`python -m engine`: the rules from a shell."""

import sys

from engine.cli import main

if __name__ == "__main__":
    sys.exit(main())
