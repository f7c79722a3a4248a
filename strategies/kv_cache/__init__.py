"""Serving traces over a KV cache: what is drawn, as data, and the steps that it stands for."""

from eagerdiff.strategies.kv_cache.drawing import cases, cases_like, roll
from eagerdiff.strategies.kv_cache.trace import inputs

__all__ = ["cases", "cases_like", "inputs", "roll"]
