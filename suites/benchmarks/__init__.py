"""What asv tracks: steady-state time, compile counts, compile seconds, and what can be counted with no GPU."""
