"""Calls of a function of one's own: what it takes, as its user says it, and what is drawn of that."""
