"""Serving traces of a small decoder: what is drawn, as data, and the tensors that it stands for."""

from eagerdiff.strategies.decoder.drawing import cases, cases_like
from eagerdiff.strategies.decoder.tensors import inputs
from eagerdiff.strategies.decoder.trace import Pass, passes

__all__ = ["Pass", "cases", "cases_like", "inputs", "passes"]
