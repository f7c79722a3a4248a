"""Mixtures of experts: what is drawn, as data, and the tensors that it stands for."""

from eagerdiff.strategies.moe.drawing import apportion, asked_cases, cases, shares, workload_cases
from eagerdiff.strategies.moe.features import BLOCK_M, COVERING
from eagerdiff.strategies.moe.tensors import LARGE, cancels, inputs, router_logits, routing

__all__ = [
    "BLOCK_M",
    "COVERING",
    "LARGE",
    "apportion",
    "asked_cases",
    "cancels",
    "cases",
    "inputs",
    "router_logits",
    "routing",
    "shares",
    "workload_cases",
]
