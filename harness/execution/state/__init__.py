"""State: what a call may leave changed in its process beside its arguments, compared before and after."""
