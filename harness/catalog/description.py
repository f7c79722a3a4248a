"""A catalog as data: what a process that runs nothing of a plug-in needs to know of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic_core import PydanticUndefined

from eagerdiff.harness.catalog.catalog import Catalog, Plugin
from eagerdiff.harness.catalog.revision import revisions
from eagerdiff.harness.model.case import Case, RecordedCase
from eagerdiff.harness.model.covering import covering_from
from eagerdiff.harness.model.environment import Environment
from eagerdiff.harness.model.excuse import Excuse
from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.implementation import Implementation, Requirements
from eagerdiff.harness.model.operator import Drawing, Extras, Operator, Table
from eagerdiff.harness.model.source_tree import SourceTree


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceTreeCard(_Data):
    """Describe a source tree; what stands in for its modules stays behind."""

    package: str
    variable: str
    modules: tuple[str, ...]


class ExcuseCard(_Data):
    """Describe a rule; what proves it stays behind."""

    name: str
    says: str
    link: str
    reason: str = ""
    specialises: bool = False


class ImplementationCard(_Data):
    """Describe an implementation."""

    name: str
    devices: tuple[str, ...]
    identity: Identity
    omits: tuple[str, ...] = ()
    excuses: tuple[ExcuseCard, ...] = ()
    packages: tuple[str, ...] = ()
    source_tree: SourceTreeCard | None = None
    environment: Environment | None = None
    compute_capability: tuple[int, int] | None = None
    description: str = ""


class CoveringCard(_Data):
    """Describe the features of an operator's calls."""

    features: dict[str, tuple[str, ...]]
    excluded: tuple[tuple[str, str], ...]


class OperatorCard(_Data):
    """Describe an operator."""

    name: str
    exploratory: bool
    corpus: Path | None
    faults: Path | None
    measured: bool
    """Whether it has metrics."""
    compared: bool = False
    """Whether it has tables for the report."""
    vocabulary: bool = False
    """Whether it draws from a table that is not its own."""
    tabled: bool = False
    """Whether its cases call entries of a table, which are taken in turn."""
    covering: CoveringCard | None = None
    """The features of its calls, where they are named."""
    defaults: dict[str, Any] = {}
    """Field of its cases → what it is by default, as JSON-ready data."""
    implementations: tuple[ImplementationCard, ...]


class CatalogCard(_Data):
    """Describe a catalog."""

    operators: tuple[OperatorCard, ...] = ()
    problems: tuple[str, ...] = ()
    refused: dict[str, str] = {}
    specs: dict[str, list[str]] = {}
    homes: dict[str, str] = {}
    revisions: dict[str, str] = {}
    strangers: tuple[str, ...] = ()

    @classmethod
    def of(cls, catalog: Catalog) -> "CatalogCard":
        """Describe a catalog that was loaded here."""
        return cls(
            operators=tuple(
                _operator_card(operator, catalog.implementations[name]) for name, operator in catalog.operators.items()
            ),
            problems=tuple(catalog.problems),
            refused=catalog.refused,
            specs=catalog.specs,
            homes=catalog.homes,
            revisions=revisions(catalog),
        )

    @property
    def named(self) -> list[str]:
        """By what each operator can be asked for: the spec that the caller gave, else its name."""
        specs = {name: spec for spec, names in self.specs.items() for name in names}
        return [specs.get(card.name, card.name) for card in self.operators]

    def refusing(self, plugins: Sequence[Plugin], why: str) -> "CatalogCard":
        """Return the card with a problem more of each plug-in, said to whoever named it."""
        lines = {one: f"{one.label}: {why}" for one in plugins}
        refused = {one.given: line for one, line in lines.items() if one.given is not None}
        problems = (*self.problems, *lines.values())
        return self.model_copy(update={"problems": problems, "refused": self.refused | refused})

    def joined(self, other: "CatalogCard", plugins: Sequence[Plugin]) -> "CatalogCard":
        """Return the card with what another has besides, with plug-ins of one module.

        Of two things of one name the first stays: that is said.
        """
        mine = {card.name: card for card in self.operators}
        twice: list[str] = []
        for card in other.operators:
            known = mine.get(card.name, card)
            plugged = [each for each in card.implementations if f"{card.name}/{each.name}" in other.homes]
            names = {each.name for each in known.implementations} if known is not card else set[str]()
            twice += [f"{card.name}/{each.name}" for each in plugged if each.name in names]
            added = tuple(each for each in plugged if each.name not in names) if known is not card else ()
            mine[card.name] = known.model_copy(update={"implementations": known.implementations + added})
        new = mine.keys() - {card.name for card in self.operators}
        held = {*other.homes.values()}
        labels = {str(one.spec): one.label for one in plugins}
        by = {name: labels.get(other.homes[name], plugins[0].label) for name in twice}
        lines = (f"{label}: duplicate name: {name} is loaded already" for name, label in by.items())
        usable = (one.label for one in plugins if one.name in new or one.given in other.specs or one.spec in held)
        return CatalogCard(
            operators=tuple(mine.values()),
            problems=tuple(dict.fromkeys((*self.problems, *other.problems, *lines))),
            refused=other.refused | self.refused,
            specs=other.specs | self.specs,
            homes=other.homes | self.homes,
            revisions=other.revisions | self.revisions,
            strangers=(*self.strangers, *usable),
        )

    def stand_in(self) -> Catalog:
        """Return a catalog with everything that the cards say, in which nothing can be called."""
        return Catalog(
            operators={card.name: _operator(card) for card in self.operators},
            implementations={
                card.name: {each.name: _implementation(card.name, each) for each in card.implementations}
                for card in self.operators
            },
            problems=list(self.problems),
            refused=dict(self.refused),
            specs=dict(self.specs),
            homes=dict(self.homes),
            revisions=dict(self.revisions),
            strangers=self.strangers,
            defaults={card.name: dict(card.defaults) for card in self.operators},
        )


class Elsewhere(RuntimeError):
    """Tell that something was called which runs in processes of its own only: a mistake of this project's."""


def _elsewhere(what: str) -> Callable[..., Any]:
    def call(*_: Any, **__: Any) -> NoReturn:
        raise Elsewhere(f"{what} is called where nothing of a plug-in runs")

    return call


def _operator_card(operator: Operator, implementations: dict[str, Implementation]) -> OperatorCard:
    return OperatorCard(
        name=operator.name,
        exploratory=operator.drawing.exploratory,
        corpus=operator.extras.corpus,
        faults=operator.extras.faults,
        measured=operator.extras.metrics is not None,
        compared=operator.extras.comparison is not None,
        vocabulary=operator.extras.vocabulary is not None,
        tabled=operator.drawing.table is not None,
        covering=CoveringCard(
            features={name: tuple(values) for name, values in covering.features.items()}, excluded=covering.excluded
        )
        if (covering := operator.drawing.covering) is not None
        else None,
        defaults=defaults_of(operator.case),
        implementations=tuple(map(_implementation_card, implementations.values())),
    )


def defaults_of(case: type[Case]) -> dict[str, Any]:
    """Return what each field of a case is by default, as JSON-ready data; those that have none are left out."""
    fields = {name: field.get_default(call_default_factory=True) for name, field in case.model_fields.items()}
    found = {name: value for name, value in fields.items() if value is not PydanticUndefined}
    return TypeAdapter(dict[str, Any]).dump_python(found, mode="json")


def _implementation_card(implementation: Implementation) -> ImplementationCard:
    tree = implementation.requires.source_tree
    return ImplementationCard(
        name=implementation.name,
        devices=tuple(implementation.devices),
        identity=implementation.identity,
        omits=tuple(implementation.omits),
        excuses=tuple(
            ExcuseCard.model_validate({name: getattr(excuse, name) for name in ExcuseCard.model_fields})
            for excuse in implementation.excuses
        ),
        packages=tuple(implementation.requires.packages),
        source_tree=SourceTreeCard(package=tree.package, variable=tree.variable, modules=tuple(tree.modules))
        if tree is not None
        else None,
        environment=implementation.requires.environment,
        compute_capability=implementation.requires.compute_capability,
        description=implementation.description,
    )


def _operator(card: OperatorCard) -> Operator:
    return Operator(
        name=card.name,
        case=RecordedCase,
        inputs=_elsewhere(f"`inputs` of {card.name}"),
        reference=_elsewhere(f"`reference` of {card.name}"),
        cases=_elsewhere(f"`cases` of {card.name}"),
        drawing=Drawing(
            exploratory=card.exploratory,
            table=Table(entries=_elsewhere("`entries` of a table"), cases=_elsewhere("`cases` of a table"))
            if card.tabled
            else None,
            covering=covering_from(card.covering.features, card.covering.excluded) if card.covering else None,
        ),
        extras=Extras(
            corpus=card.corpus,
            faults=card.faults,
            metrics=_elsewhere(f"`metrics` of {card.name}") if card.measured else None,
            comparison=_elsewhere(f"`comparison` of {card.name}") if card.compared else None,
            vocabulary=_elsewhere(f"`vocabulary` of {card.name}") if card.vocabulary else None,
        ),
    )


def _implementation(operator: str, card: ImplementationCard) -> Implementation:
    identity, tree = card.identity, card.source_tree
    return Implementation(
        operator=operator,
        name=card.name,
        build=_elsewhere(f"`build` of {operator}/{card.name}"),
        supports=_elsewhere(f"`supports` of {operator}/{card.name}"),
        devices=card.devices,
        requires=Requirements(
            packages=card.packages,
            source_tree=SourceTree(tree.package, tree.variable, tree.modules) if tree is not None else None,
            environment=card.environment,
            compute_capability=card.compute_capability,
        ),
        omits=card.omits,
        excuses=[
            Excuse(**excuse.model_dump(), proof=_elsewhere(f"an excuse of {operator}/{card.name}"))
            for excuse in card.excuses
        ],
        mode=identity.mode,
        family=identity.family,
        backend=identity.backend,
        variant=identity.variant,
        stage=identity.stage,
        description=card.description,
    )
