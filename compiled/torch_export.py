"""Exporting any eager function once, for all sizes: paths of export times ways of declaring the sizes."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from eagerdiff import CaseT, Excuse, Implementation, Inputs
from eagerdiff.compiled.compile_config import AS_IT_IS, apart, held, module_source
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes, declare
from eagerdiff.compiled.excuses import constant_number, false_guard, specialisation
from eagerdiff.compiled.export_config import ExportConfig
from eagerdiff.compiled.export_path import DRAFT_EXPORT, LEFT, PATHS, ExportPath, Function
from eagerdiff.compiled.guard import Bounds
from eagerdiff.compiled.limits import own_strides, refused_example, unsound_draft

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""


OUTSIDE = "outside"
"""The variant of what is bounded whose calls are outside of the bounds."""


def exports(
    operator: str,
    function: Callable[[CaseT], Function],
    *,
    family: str = "",
    declared: Declared[CaseT],
    example: Callable[[CaseT], Inputs],
    paths: Sequence[ExportPath] = PATHS,
    supports: Callable[[CaseT, ExportPath, Shapes], str | None] = lambda case, path, shapes: None,
    excuses: Callable[[ExportPath, Shapes], Sequence[Excuse]] = lambda path, shapes: (),
    ignored: Collection[str] = (),
    name: str | None = None,
    modules: Sequence[ModuleType] = (),
    made: Callable[[CaseT], str] = lambda case: "",
    around: Callable[[CaseT, Function, Function], Function] = lambda case, function, exported: exported,
    around_source: str = AS_IT_IS,
) -> list[Implementation[CaseT]]:
    """Return one implementation a path and way of declaring sizes, named `path.shapes`; each makes one artifact.

    `function(case)` returns the eager function. `declared` says what is known of a case's sizes. `example(case)` are
    arguments with sizes of at least 2, different where the names are: sizes of 0 and 1 become constants, as documented.
    `supports(case, path, shapes)` returns None or a reason; `excuses(path, shapes)`, rules of the page's own, which go
    before those of all exports. `ignored` are options that only chose the function; `name` is what the operator's own
    source calls it, or the last of `modules`, which import torch and each other only, or `made(case)`, source that
    makes it of them; without either a script has the function's own file. `around(case, function, exported)` is called
    in place of what was exported; `around_source` says the same as source. A `family` stands first in the names, where
    an operator has several such functions.
    """

    def implementation(path: ExportPath, shapes: Shapes, variant: str) -> Implementation[CaseT]:
        def config(case: CaseT) -> ExportConfig:
            args = tuple(example(case).args)
            return ExportConfig(path, declare(shapes, declared.dims(case), args, declared.least(case)), args)

        def bounds(case: CaseT) -> Bounds:
            return config(case).dynamic_shapes.bounds

        divided = path.apart and shapes is Shapes.BOUNDED

        def nearest(case: CaseT) -> CaseT:
            if not divided or variant == OUTSIDE or supports(case, path, shapes) is not None:
                return case
            return declared.within(case, bounds(case))

        def supported(case: CaseT) -> str | None:
            reason = supports(case, path, shapes)
            if reason is not None or not divided:
                return reason
            within = _within(declared.met(case), bounds(case))
            if variant == OUTSIDE:
                return "within the declared bounds: judged as bounded" if within else None
            return None if within else "outside of the declared bounds: judged as outside"

        def build(case: CaseT) -> Function:
            eager = function(case)
            return around(case, eager, without(ignored, config(case).export(eager)))

        def source(case: CaseT) -> str:
            eager = function(case)
            drawn = inspect.getsource(eager) if path.rewrite else ""
            called, holding = (name or "reference", modules) if modules else held(eager, name)
            whole = module_source(called, holding, made(case)) + config(case).source(called, drawn)
            if around_source != AS_IT_IS:
                whole += f"\nimplementation = {around_source.format('implementation')}\n"
            return apart(whole + _bound(ignored)) if holding else whole

        return Implementation(
            operator=operator,
            name=f"{family}.{path.name}.{variant}" if family else f"{path.name}.{variant}",
            family=family,
            backend=path.name,
            variant=variant,
            stage=path.stage,
            build=build,
            supports=supported,
            nearest=nearest,
            excuses=(
                *excuses(path, shapes),
                *_rules(replace(declared, bounds=bounds, promised=not shapes.hinted), path, shapes),
            ),
            devices=("cpu",),
            leaves=(LEFT,) if path.packaged else (),
            max_compiles=lambda workload: 1,
            source=source,
            description=f"{path.what}, sizes {variant}",
        )

    return [
        implementation(path, shapes, variant)
        for path in paths
        for shapes in path.shapes
        for variant in ((shapes.value, OUTSIDE) if path.apart and shapes is Shapes.BOUNDED else (shapes.value,))
    ]


def _within(sizes: Mapping[str, int], bounds: Bounds) -> bool:
    """Whether the sizes of a call are within the bounds, by name."""
    pairs = ((sizes[name], limits) for name, limits in bounds.items() if name in sizes)
    return all(least <= size and (most is None or size <= most) for size, (least, most) in pairs)


def _rules(declared: Declared[Any], path: ExportPath, shapes: Shapes) -> list[Excuse]:
    """Return the rules of any export."""
    found = [refused_example(), constant_number(declared), specialisation(declared)]
    found.append(false_guard(declared, constants=shapes is Shapes.AUTO))
    if path is DRAFT_EXPORT:
        found.append(unsound_draft())
    return [*found, own_strides()] if path.packaged else found


def _bound(options: Collection[str]) -> str:
    """Return source that leaves out options which the exported function was bound to."""
    return _BOUND.format(options=sorted(options)) if options else ""


_BOUND = """

exported_call = implementation


def implementation(*args, **options):
    return exported_call(*args, **{{name: value for name, value in options.items() if name not in {options}}})
"""


def without(ignored: Collection[str], exported: Function) -> Function:
    """Return a function that leaves out options which only chose what was compiled."""

    def call(*args: Any, **options: Any) -> Any:
        return exported(*args, **{name: value for name, value in options.items() if name not in ignored})

    return call
