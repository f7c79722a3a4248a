"""History: what nights found, one line a night, and how each finding stands by it."""

from eagerdiff.harness.history.history import History, HistoryError
from eagerdiff.harness.history.night import VERSION, Night, Ran, Sighting
from eagerdiff.harness.history.standing import past_of

__all__ = ["VERSION", "History", "HistoryError", "Night", "Ran", "Sighting", "past_of"]
