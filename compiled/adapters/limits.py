"""What a third party's kernel does not take, told in one line."""

from collections.abc import Mapping
from typing import Any

from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase


def unusual(case: MoeCase | MoeRoutingCase) -> dict[str, Any]:
    """List what no serving engine's layers hold."""
    broken = isinstance(case, MoeCase) and case.nan_tokens
    return {"arguments lie as no engine's do": bool(case.layouts), "a token that is routed is NaN": broken}


def first(limits: Mapping[str, Any]) -> str | None:
    """Return the first reason whose condition holds, or None."""
    return next((reason for reason, holds in limits.items() if holds), None)
