"""Mixtures of experts: what is drawn, as data, and the tensors that it stands for."""

from eagerdiff.strategies.moe.drawing import BLOCK_M, apportion, cases, shares, workload_cases
from eagerdiff.strategies.moe.tensors import LARGE, cancels, inputs, router_logits, routing

__all__ = [
    "BLOCK_M",
    "LARGE",
    "apportion",
    "cancels",
    "cases",
    "inputs",
    "router_logits",
    "routing",
    "shares",
    "workload_cases",
]
