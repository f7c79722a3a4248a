"""Mutation: planted faults, searched for with our own search and with the suites that others publish."""
