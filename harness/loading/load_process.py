"""The load process: describes what there is. Our own is imported here, a stranger's in a fork of its own each."""

import json
import os
from collections.abc import Sequence
from typing import Any

from eagerdiff.harness.catalog.catalog import Plugin, implementation_plugins, load, operator_plugins
from eagerdiff.harness.catalog.conformance import misfit_of_build
from eagerdiff.harness.catalog.description import CatalogCard
from eagerdiff.harness.catalog.plugin import from_parent
from eagerdiff.harness.loading.forked import Died, in_a_fork
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.processes.serving import limit_memory

BUILD_SECONDS = 10.0
"""How long a build may take that is only asked for its signature; one that takes longer is left to the judge."""


def main(configuration: str) -> None:
    """Describe what `configuration` (JSON) names on the descriptor that it names, as a line of JSON."""
    config: dict[str, Any] = json.loads(configuration)
    limit_memory(config["memory"])
    card = describe(from_parent(config["operators"]), from_parent(config["implementations"]), config["seconds"])
    with open(config["channel"], "wb", buffering=0) as channel:
        channel.write(card.model_dump_json().encode() + b"\n")
    os._exit(0)


def describe(operators: Sequence[str], implementations: Sequence[str], seconds: float) -> CatalogCard:
    """Describe operators and implementations; each of a stranger's has `seconds` to be imported in."""
    strangers = [one for one in operator_plugins(operators) if not one.is_ours]
    foreign = {one.given for one in strangers}
    ours = [name for name in operators if name not in foreign]
    card = CatalogCard.of(load(ours, (), strangers=())) if ours or not operators else CatalogCard()
    for one in strangers:
        card = _with(card, one, [one.given or one.name], (), (one.label,), seconds)
    there = [*(name for name in operators if name in card.named), *([] if operators else card.named)]
    labels = tuple(one.label for one in strangers)
    for one in implementation_plugins(implementations):
        if not one.is_ours:
            card = _with(card, one, there, [one.spec] if one.given else [], (*labels, one.label), seconds)
    return card


def _with(
    card: CatalogCard,
    plugin: Plugin,
    operators: Sequence[str],
    implementations: Sequence[str],
    strangers: Sequence[str],
    seconds: float,
) -> CatalogCard:
    """Return a card with what importing a stranger's adds to it, or a line that says why it adds nothing."""

    def job() -> str:
        found = load(operators, implementations, misfit=misfit_apart, strangers=strangers)
        return CatalogCard.of(found).model_dump_json()

    try:
        return card.joined(CatalogCard.model_validate_json(in_a_fork(job, seconds)), plugin.label)
    except Died as death:
        return card.refusing(plugin.given, f"{plugin.label}: cannot be imported: {death.why}")
    except ValueError:
        return card.refusing(plugin.given, f"{plugin.label}: cannot be imported: it said what cannot be read")


def misfit_apart(operator: Operator, implementation: Implementation) -> str | None:
    """Build an implementation in a forked process; return why it does not fit, or None, also where that ends oddly."""
    try:
        return json.loads(in_a_fork(lambda: json.dumps(misfit_of_build(operator, implementation)), BUILD_SECONDS))
    except (Died, ValueError):
        return None  # left to the judge, with the case that does it
