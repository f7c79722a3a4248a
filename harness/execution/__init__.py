"""Execution: one workload run in this process, judged by us or as a baseline suite judges."""
