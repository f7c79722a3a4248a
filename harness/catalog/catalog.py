"""The catalog: the operators and implementations there are, shipped and plugged in."""

import difflib
import functools
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any

from eagerdiff.harness.catalog.conformance import misfit_of_implementation, misfit_of_operator
from eagerdiff.harness.catalog.plugin import PluginError, Spec, as_implementations, as_operator, is_spec, resolve, typed
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator

OPERATORS = "eagerdiff.operators"
IMPLEMENTATIONS = "eagerdiff.implementations"
OURS = "eagerdiff"
"""The distribution whose plug-ins are not a stranger's."""
_FEW = 20
"""Names that are listed where none is near."""


@dataclass
class Catalog:
    """Hold what was loaded and, in one line each, what could not be."""

    operators: dict[str, Operator] = field(default_factory=dict[str, Operator])
    implementations: dict[str, dict[str, Implementation]] = field(default_factory=dict[str, dict[str, Implementation]])
    """Operator → name → implementation."""
    problems: list[str] = field(default_factory=list[str])
    """One line each: a broken plug-in."""
    refused: dict[str, str] = field(default_factory=dict[str, str])
    """Of the specs and names that the caller gave: which was refused → the line in `problems`."""
    specs: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Spec the caller gave → what it names: an operator's name, or `operator/implementation`."""
    homes: dict[str, str] = field(default_factory=dict[str, str])
    """`operator/implementation` that was plugged in → the spec of what holds it."""
    revisions: dict[str, str] = field(default_factory=dict[str, str])
    """`operator/implementation` of others → of which source it is (`revision`); of a described catalog alone."""
    strangers: tuple[str, ...] = ()
    """What other distributions declare, and could be imported (`Plugin.label`); of a described catalog alone."""
    defaults: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Operator → field of its cases → what it is by default; of a described catalog alone."""

    def operator(self, name: str) -> Operator:
        """Return an operator by name; raise KeyError with near names in one line."""
        if name not in self.operators:
            raise KeyError(unknown("operator", name, self.operators))
        return self.operators[name]

    def implementation(self, operator: str, name: str) -> Implementation:
        """Return an implementation by name; raise KeyError with near names in one line."""
        known = self.implementations.get(operator, {})
        if name not in known:
            raise KeyError(unknown(f"implementation of {operator}", name, known))
        return known[name]

    def spec_of(self, name: str) -> Spec | None:
        """Return the spec by which the caller named an operator or `operator/implementation`; None where none did."""
        return next((Spec(spec) for spec, named in self.specs.items() if name in named), None)


def load_typed(
    operators: Sequence[str] = (),
    implementations: Sequence[str] = (),
    *,
    misfit: Callable[[Operator, Implementation], str | None] | None = None,
) -> Catalog:
    """Load what a person typed, or a program of theirs says: as `load`, with every `module:ATTRIBUTE` a spec.

    Never call it with what was read from a file: it imports what it is given.
    """
    return load(typed(operators), typed(implementations), misfit=misfit)


def load(
    operators: Sequence[str] = (),
    implementations: Sequence[str] = (),
    *,
    misfit: Callable[[Operator, Implementation], str | None] | None = None,
    strangers: Collection[str] | None = None,
) -> Catalog:
    """Load operators and implementations from entry points and from specs; never raises for a broken one.

    `operators` are names of entry points or specs; none given: every entry point. `implementations` are specs of an
    Implementation or a sequence of them; plain names are left to the caller. Only a `Spec` is ever imported: a text
    that looks like one is a name, and there is none like it. `misfit`, where given, is asked why a plugged-in
    implementation cannot be used, or None. Of what other distributions declare and the caller does not name, what
    `strangers` lists (`Plugin.label`) is imported; all, where it is None.
    """

    def wanted(one: Plugin) -> bool:
        return one.is_ours or one.given is not None or strangers is None or one.label in strangers

    catalog, there = Catalog(), names()
    for name in operators:
        if not is_spec(name) and name not in there:
            _refuse(catalog, name, unknown("operator", name, there))
    for one in filter(wanted, operator_plugins(operators)):
        _attempt(catalog, one, lambda one=one: [_add_operator(catalog, one.spec, one.name)])
    shipped = {name: set(found) for name, found in catalog.implementations.items()}
    for one in filter(wanted, implementation_plugins(implementations)):
        given = () if one.given else operators
        _attempt(catalog, one, lambda one=one, given=given: _add_implementations(catalog, one.spec, given))
    if misfit is not None:
        _check(catalog, shipped, misfit)
    return catalog


@dataclass(frozen=True)
class Plugin:
    """Name something that can be imported: by an entry point, or by what a person typed."""

    spec: Spec
    label: str
    """What it is, for a person."""
    name: str = ""
    """What its entry point says that it is called."""
    given: str | None = None
    """By which of the caller's texts it was named, where it was."""
    is_ours: bool = False


def operator_plugins(given: Sequence[str]) -> list[Plugin]:
    """Return the operators that names and specs stand for; all that entry points declare, where there are none."""
    declared = _declared(OPERATORS, "operator")
    chosen = [replace(one, given=one.name) for one in declared if one.name in given] if given else declared
    return [*chosen, *(Plugin(spec, f"operator {spec}", given=spec) for spec in given if isinstance(spec, Spec))]


def implementation_plugins(given: Sequence[str]) -> list[Plugin]:
    """Return the implementations that entry points declare, and those that specs stand for."""
    typed = (Plugin(spec, f"implementation {spec}", given=spec) for spec in given if isinstance(spec, Spec))
    return [*_declared(IMPLEMENTATIONS, "implementation"), *typed]


def _declared(group: str, kind: str) -> list[Plugin]:
    """Return what entry points declare; a distribution's name is read once, for that parses a file."""
    origins: dict[int, str] = {}
    found: list[Plugin] = []
    for point in _points(group):
        if (key := id(point.dist)) not in origins:
            origins[key] = _origin(point)
        label = f"{kind} {point.name!r} of {origins[key]}"
        found.append(Plugin(Spec(point.value), label, point.name, is_ours=origins[key] == OURS))
    return found


def declared_here() -> list[Plugin]:
    """Return all that entry points declare; imports nothing of it."""
    return [*operator_plugins(()), *implementation_plugins(())]


def has_strangers(operators: Sequence[str], implementations: Sequence[str]) -> bool:
    """Return whether anything that `load` would import comes from outside this distribution."""
    return not all(one.is_ours for one in (*operator_plugins(operators), *implementation_plugins(implementations)))


def our_operators() -> set[str]:
    """Return the names of the operators that this distribution declares; imports none of them."""
    return {one.name for one in operator_plugins(()) if one.is_ours}


def names() -> list[str]:
    """Return the names of the operators that entry points declare; imports none of them."""
    return sorted({point.name for point in _points(OPERATORS)})


def declared(name: str) -> Spec:
    """Return the spec that an entry point declares for an operator; raise PluginError where none does."""
    specs = {point.name: Spec(point.value) for point in _points(OPERATORS)}
    if name not in specs:
        raise PluginError(unknown("operator", name, specs))
    return specs[name]


def _add_operator(catalog: Catalog, spec: Spec, name: str = "") -> str:
    operator = as_operator(resolve(spec), spec)
    if misfit := misfit_of_operator(operator):
        raise PluginError(f"{spec}: {misfit}")
    if name and operator.name != name:
        raise PluginError(f"{spec}: wrong operator name: the entry point says {name!r}, the operator {operator.name!r}")
    if operator.name in catalog.operators:
        if catalog.operators[operator.name] is operator:
            return operator.name
        raise PluginError(f"{spec}: duplicate name: an operator {operator.name!r} is loaded already")
    catalog.operators[operator.name] = operator
    catalog.implementations[operator.name] = {}
    for implementation in operator.implementations:
        try:
            _add(catalog, implementation, spec)
        except PluginError as error:
            _refuse(catalog, None, f"operator {operator.name}: {error}")
    return operator.name


def _add_implementations(catalog: Catalog, spec: Spec, wanted: Sequence[str]) -> list[str]:
    found = as_implementations(resolve(spec), spec)
    declared = set(names()) if wanted else set[str]()
    added: list[str] = []
    errors: list[str] = []
    for implementation in found:
        if implementation.operator in declared and implementation.operator not in catalog.operators:
            continue  # an installed plug-in of an operator that the caller did not ask for
        try:
            added.append(_add(catalog, implementation, spec))
        except PluginError as error:
            errors.append(str(error))
    if errors:
        raise PluginError("; ".join(errors))
    catalog.homes.update(dict.fromkeys(added, spec))
    return added


def _add(catalog: Catalog, implementation: Implementation, spec: str) -> str:
    if implementation.operator not in catalog.operators:
        known = unknown("operator", str(implementation.operator), catalog.operators)
        raise PluginError(f"{spec}: wrong operator name: implementation {implementation.name!r} is of an {known}")
    if misfit := misfit_of_implementation(implementation):
        raise PluginError(f"{spec}: implementation {implementation.name!r}: {misfit}")
    known = catalog.implementations[implementation.operator]
    if known.get(implementation.name, implementation) is not implementation:
        raise PluginError(f"{spec}: duplicate name: {implementation.operator}/{implementation.name} is loaded already")
    known[implementation.name] = implementation
    return f"{implementation.operator}/{implementation.name}"


def _check(
    catalog: Catalog, shipped: dict[str, set[str]], misfit: Callable[[Operator, Implementation], str | None]
) -> None:
    plugged = [
        (operator, implementation)
        for operator, found in catalog.implementations.items()
        for name, implementation in found.items()
        if name not in shipped.get(operator, set())
    ]
    for operator, implementation in plugged:
        if why := misfit(catalog.operators[operator], implementation):
            del catalog.implementations[operator][implementation.name]
            label = f"{operator}/{implementation.name}"
            spec = catalog.spec_of(label)
            _refuse(catalog, spec, f"implementation {spec or label}: {label}: {why}")


def _attempt(catalog: Catalog, plugin: Plugin, action: Callable[[], list[str]]) -> None:
    try:
        named = action()
    except PluginError as error:
        _refuse(catalog, plugin.given, f"{plugin.label}: {str(error).removeprefix(f'{plugin.spec}: ')}")
    else:
        if isinstance(plugin.given, Spec):
            catalog.specs.setdefault(plugin.given, []).extend(named)


def _refuse(catalog: Catalog, spec: str | None, line: str) -> None:
    line = " ".join(line.split())
    catalog.problems.append(line)
    if spec is not None:
        catalog.refused[spec] = line


def _points(group: str) -> list[EntryPoint]:
    return sorted(_points_on(group, *sys.path), key=lambda point: (point.name, point.value))


@functools.cache
def _points_on(group: str, *_path: str) -> EntryPoints:
    """Return what the distributions on a search path declare: reading them all takes longer than many a call."""
    return entry_points(group=group)


def _origin(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown distribution"


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return one line that says that there is no such thing, with near names where there are any."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    some = f"{', '.join(known[:_FEW])} and {len(known) - _FEW} more" if len(known) > _FEW else ", ".join(known)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there is {some or 'none'}"
    return f"unknown {kind} {name!r} ({hint})"
