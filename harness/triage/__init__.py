"""Triage: which failures are one, what a maintainer would call each, and the finding that is kept of it."""
