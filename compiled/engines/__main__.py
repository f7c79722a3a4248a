"""Make the environments of engines: `python -m eagerdiff.compiled.engines [NAME …]`, by default what needs no GPU."""

import argparse
import sys

from eagerdiff import InstallationError, install_environment
from eagerdiff.compiled.engines.known import ENGINES


def main() -> None:
    """Make what is named; exit code 2 where one cannot be made, once all others are."""
    engines = {engine.environment.name: engine for engine in ENGINES}
    reading = argparse.ArgumentParser(prog="python -m eagerdiff.compiled.engines", description=__doc__)
    reading.add_argument("names", nargs="*", metavar="NAME", help=", ".join(engines))
    named: list[str] = reading.parse_args().names or [name for name, engine in engines.items() if engine.by_default]
    if unknown := [name for name in named if name not in engines]:
        sys.exit(f"engines: there is no {unknown[0]}, but {', '.join(engines)}")
    failed = False
    for name in named:
        print(f"{name}: ", end="", flush=True)
        try:
            print(install_environment(engines[name].environment))
        except InstallationError as error:
            failed = True
            print(error)
    sys.exit(2 if failed else 0)


if __name__ == "__main__":
    main()
