"""Timing: what a call costs once it is compiled, and what the machine could do at best."""
