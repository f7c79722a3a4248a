"""Model: what the harness talks about, as data: case, workload, operator, implementation, verdict, outcome."""
