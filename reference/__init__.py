"""Eager truth: plain torch, nothing else."""
