"""Conformance: does a plug-in have the form that the harness calls?"""

import inspect
import re
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from eagerdiff.harness import devices
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Drawing, Extras, Judging, Operator, Showing

_FACETS = {"drawing": Drawing, "judging": Judging, "showing": Showing, "extras": Extras}
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


def misfit_of_operator(operator: Operator) -> str | None:
    """Return why an operator cannot be used, in a few words, or None."""
    if not _is_name(operator.name):
        return f"its name {operator.name!r} is not a word of letters, digits and _ . + -"
    if not (isinstance(operator.case, type) and issubclass(operator.case, Case)):  # pyright: ignore[reportUnnecessaryIsInstance]
        return "its `case` is not a subclass of harness.Case"
    for field, facet in _FACETS.items():
        if not isinstance(given := getattr(operator, field), facet):
            return f"its `{field}` is a {type(given).__name__}, not {facet.__name__}(...)"
    for field in ("inputs", "reference", "cases"):
        if not callable(getattr(operator, field)):
            return f"its `{field}` cannot be called"
    if not _accepts(operator.inputs, 2):
        return "its `inputs` does not take (case, device)"
    if operator.judging.break_ties is not None and not callable(operator.judging.break_ties):
        return "its `break_ties` cannot be called"
    for name in ("metrics", "vocabulary"):
        if (given := getattr(operator.extras, name)) is not None and not callable(given):
            return f"its `{name}` cannot be called"
    return None


def misfit_of_implementation(implementation: Implementation) -> str | None:
    """Return why an implementation cannot be used, in a few words, or None; builds nothing."""
    if not _is_name(implementation.name):
        return f"its name {implementation.name!r} is not a word of letters, digits and _ . + -"
    if not callable(implementation.build):
        return "its `build` cannot be called"
    if not _accepts(implementation.build, 1):
        return "wrong signature: its `build` does not take (case)"
    try:
        _ = implementation.identity
    except ValidationError as error:
        first = error.errors()[0]
        return f"its `{first['loc'][0]}` is {first['input']!r:.40}: {first['msg'].lower()}"
    if isinstance(implementation.devices, str):
        return f"its `devices` is the text {implementation.devices!r}, not a sequence of names"
    return next((str(error) for error in map(_device_error, implementation.devices) if error), None)


def misfit_of_signature(reference: Callable[..., Any], built: Any) -> str | None:
    """Return why a built callable cannot take the reference's required arguments, or None; what hides them fits."""
    if not callable(built):
        return f"wrong signature: its `build` returned a {type(built).__name__}, which cannot be called"
    try:
        wanted = inspect.signature(reference).parameters.values()
        signature = inspect.signature(built)
    except (TypeError, ValueError):
        return None
    required = [parameter for parameter in wanted if parameter.default is parameter.empty]
    positional = [p.name for p in required if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    options = {p.name: None for p in required if p.kind is p.KEYWORD_ONLY}
    try:
        signature.bind(*positional, **options)
    except TypeError as error:
        names = ", ".join([*positional, *options])
        return f"wrong signature: the reference takes ({names}), the built callable {signature}: {error}"
    return None


def misfit_of_build(operator: Operator, implementation: Implementation) -> str | None:
    """Build an implementation for a fixed workload's first case and return why its callable does not fit, or None.

    A `build` that raises is left to the judge (RAISED); an operator without fixed workloads is not asked.
    """
    for workload in operator.workloads.values():
        case = workload.cases[0]
        try:
            if implementation.unsupported(case) is not None:
                continue
            built = implementation.build(case)
        except Exception:  # noqa: BLE001 - the executor turns it into a RAISED verdict, with the case that does it
            return None
        return misfit_of_signature(operator.reference, built)
    return None


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _accepts(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def _device_error(name: str) -> str | None:
    try:
        devices.parse(name)
    except ValueError as error:
        return f"its device {name!r} is unknown: {error}"
    return None
