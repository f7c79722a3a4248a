"""Where the packages stand: five folders at the top of the repository are installed inside one, `eagerdiff`."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("harness", "strategies", "reference", "compiled", "suites")
PACKAGES = find_namespace_packages(include=[pattern for name in FOLDERS for pattern in (name, f"{name}.*")])

setup(
    packages=[
        "eagerdiff",
        *(
            f"eagerdiff.{name}"
            for name in find_namespace_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)])
        ),
    ],
    package_dir={f"eagerdiff.{name}": name for name in FOLDERS},
)
