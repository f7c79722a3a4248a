"""Functions and modules that are not ours, each held against eager by `check` in three lines at most."""
