"""Install what tests of fleets need, apart from everything else, and print the Python that has it."""

import sys
from pathlib import Path

from eagerdiff import Environment, InstallationError, install_environment

FLEET = Environment("fleet", Path(__file__).parent / "requirements.txt", "make test-fleet")

if __name__ == "__main__":
    try:
        print(install_environment(FLEET))
    except InstallationError as error:
        sys.exit(str(error))
