"""Environments: Pythons in the cache folder that import packages of their own beside what is installed here."""

from eagerdiff.harness.environments.installing import InstallationError, install, python_of, unmet

__all__ = ["InstallationError", "install", "python_of", "unmet"]
