"""Benchmarks: which implementations are measured, what is tracked of each, and how two are held against each other."""
