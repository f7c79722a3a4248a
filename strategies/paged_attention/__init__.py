"""Calls of paged attention: what is drawn, as data, and the tensors that it stands for."""

from eagerdiff.strategies.paged_attention.drawing import asked_cases, cases, cases_like
from eagerdiff.strategies.paged_attention.features import COVERING
from eagerdiff.strategies.paged_attention.tensors import inputs, wild_ids

__all__ = ["COVERING", "asked_cases", "cases", "cases_like", "inputs", "wild_ids"]
