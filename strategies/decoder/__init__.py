"""Serving traces of a small decoder: what is drawn, as data, and the tensors that it stands for."""

from strategies.decoder.case import DecoderCase
from strategies.decoder.drawing import cases, cases_like
from strategies.decoder.tensors import inputs
from strategies.decoder.trace import Pass, passes

__all__ = ["DecoderCase", "Pass", "cases", "cases_like", "inputs", "passes"]
