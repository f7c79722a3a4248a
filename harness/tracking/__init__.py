"""Tracking: one issue of a repository that says what the nights found and nothing has fixed."""

from eagerdiff.harness.tracking.repository import Issue, Refused, Repository
from eagerdiff.harness.tracking.tracking import LABEL, Done, track

__all__ = ["LABEL", "Done", "Issue", "Refused", "Repository", "track"]
