"""Sinks: where texts that others wrote go to, with one sanitiser for each."""
