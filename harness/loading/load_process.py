"""The load process: describes what there is. Our own is imported here, each module of a stranger's in a fork."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
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


def main() -> None:
    """Describe what standard input (JSON) names on the descriptor that it names, as a line of JSON."""
    config: dict[str, Any] = json.load(sys.stdin)
    limit_memory(config["memory"])
    describer = _Describer(config["channel"], config["seconds"])
    card = describer.describe(from_parent(config["operators"]), from_parent(config["implementations"]))
    with open(config["channel"], "wb", buffering=0) as channel:
        channel.write(card.model_dump_json().encode() + b"\n")
    os._exit(0)


class _Describer:
    """Describe a catalog, for whoever reads the channel; each module of a stranger's has `seconds` to be imported."""

    def __init__(self, channel: int, seconds: float) -> None:
        self._channel = channel
        self._seconds = seconds

    def describe(self, operators: Sequence[str], implementations: Sequence[str]) -> CatalogCard:
        """Return what there is of operators and implementations."""
        strangers = [one for one in operator_plugins(operators) if not one.is_ours]
        foreign = {one.given for one in strangers}
        ours = [name for name in operators if name not in foreign]
        card = CatalogCard.of(load(ours, (), strangers=())) if ours or not operators else CatalogCard()
        for some in _by_home(strangers):
            card = self._with(card, some, [one.given or one.name for one in some], (), ())
        there = [*(name for name in operators if name in card.named), *([] if operators else card.named)]
        labels = [one.label for one in strangers]
        for some in _by_home([one for one in implementation_plugins(implementations) if not one.is_ours]):
            card = self._with(card, some, there, [one.spec for one in some if one.given], labels)
        return card

    def _with(
        self,
        card: CatalogCard,
        plugins: Sequence[Plugin],
        operators: Sequence[str],
        implementations: Sequence[str],
        strangers: Sequence[str],
    ) -> CatalogCard:
        """Return a card with what importing a stranger's module adds to it, or lines that say why it adds nothing."""

        def job(alive: Callable[[], None]) -> str:
            os.close(self._channel)  # what is said on it is not the stranger's to say
            labels = [*strangers, *(one.label for one in plugins)]

            def misfit(operator: Operator, implementation: Implementation) -> str | None:
                alive()
                return misfit_apart(operator, implementation, min(BUILD_SECONDS, 0.5 * self._seconds))

            found = load(operators, implementations, misfit=misfit, strangers=labels)
            return CatalogCard.of(found).model_dump_json()

        self._live()
        try:
            return card.joined(CatalogCard.model_validate_json(in_a_fork(job, self._seconds, self._live)), plugins)
        except Died as death:
            return card.refusing(plugins, f"cannot be imported: {death.why}")
        except ValueError:
            return card.refusing(plugins, "cannot be imported: it said what cannot be read")

    def _live(self) -> None:
        """Give a sign of life: nothing, to a reader of JSON."""
        os.write(self._channel, b" ")


def _by_home(plugins: Sequence[Plugin]) -> list[list[Plugin]]:
    """Return plug-ins by the module that is imported for them: it is imported once."""
    homes: defaultdict[str, list[Plugin]] = defaultdict(list)
    for one in plugins:
        homes[one.spec.rpartition(":")[0]].append(one)
    return list(homes.values())


def misfit_apart(operator: Operator, implementation: Implementation, seconds: float) -> str | None:
    """Build an implementation in a forked process; return why it does not fit, or None, also where that ends oddly."""
    try:
        return json.loads(in_a_fork(lambda _: json.dumps(misfit_of_build(operator, implementation)), seconds))
    except (Died, ValueError):
        return None  # left to the judge, with the case that does it
