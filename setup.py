"""Where the packages stand: five folders at the top of the repository are installed inside one, `eagerdiff`.

The folders cannot be found by their place, so this file names them; what else there is to say stands in pyproject.toml.
Of the ways tried, this one gives clean wheels and sdists. An editable install maps `eagerdiff` to the folder of that
name and finds the five through the tracked links in it, which pyright and grimp (import-linter) follow too: neither
sees what an import hook finds. hatchling refuses to add a prefix in its development mode, and the repository itself
cannot be the package, for then every checkout would have to be called `eagerdiff`. An sdist has no links: there the
editable install maps each folder by itself.
"""

from setuptools import find_namespace_packages, setup

FOLDERS = ("harness", "strategies", "reference", "compiled", "suites")
# Folders that hold data alone (the corpus, the faults) have no `__init__.py`; so have caches, which are not ours.
FOUND = find_namespace_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)], exclude=["*.__pycache__"])

setup(
    packages=["eagerdiff", *(f"eagerdiff.{name}" for name in FOUND)],
    package_dir={f"eagerdiff.{name}": name for name in FOLDERS},
)
