"""Drawing a call: an entry, one of its templates, a dtype, and the forms of its arguments."""

from dataclasses import replace

from hypothesis import strategies as st

from eagerdiff.strategies.torch_api import forms
from eagerdiff.strategies.torch_api.drawn import Drawn
from eagerdiff.strategies.torch_api.given import as_read, as_tensor, takes_output, written
from eagerdiff.strategies.torch_api.optional import with_number, with_options
from eagerdiff.strategies.torch_api.surroundings import BATCH, SURROUNDINGS
from eagerdiff.strategies.torch_api.table import Entry, Template, drawable, entries

DTYPES = (
    *("float32", "float64", "float16", "bfloat16", "complex64", "complex128"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"),
)
"""Whatever a table says."""
_FLOATS = ("float32", "float64", "float16", "bfloat16")
EXAMPLE_BATCH = 17
"""Of what is exported: a size that no sample has."""
_CONSUMERS = (("torch.clone", ()), ("torch.add", (1,)), ("torch.sum", ()), ("torch.Tensor.contiguous", ()))


@st.composite
def drawn(draw: st.DrawFn, names: tuple[str, ...] = ()) -> Drawn:
    """Draw a call of one entry: of those named, or of all that have one."""
    name = draw(st.sampled_from(names or drawable()))
    entry = entries()[name]
    template = draw(st.sampled_from(entry.templates))
    found = Drawn(
        entry=name,
        call=template.call,
        dtype=draw(_dtypes(entry, template)),
        example=template.example,
        floors=template.floors,
        random=any(one.random for one in entry.templates),  # of one sample it hangs on the values
        single=template.single,
    )
    found = draw(_spelled(entry, found))
    if entry.out and found.single and not found.random and draw(st.integers(0, 4)) == 4:
        found = draw(_into_output(entry, found))
    # Operators that no test calls end the process on values that they do not look at.
    if entry.table != "schemas" and draw(st.integers(0, 2)) == 2:
        found = draw(with_options(found))
        if draw(st.booleans()):
            found = draw(_with_numbers(found))
    if entry.table == "op_db" and draw(st.integers(0, 7)) == 7:
        found = draw(with_number(found))
    for form in (_with_numbers, _with_sizes, _with_rows, _with_consumer):
        if draw(st.integers(0, 3)) == 3:
            found = draw(form(found))
    differentiable = entry.differentiable and found.dtype in _FLOATS and not found.random and not found.writes
    if not found.random and not found.writes and draw(st.integers(0, 4)) == 4:
        found = draw(_within(found, differentiable=differentiable))
    inference = SURROUNDINGS[found.call.within].inference if found.call.within else False
    return replace(found, gradients=differentiable and not inference and draw(st.integers(0, 2)) == 2)


@st.composite
def _dtypes(draw: st.DrawFn, entry: Entry, template: Template) -> str:
    """Draw a dtype: the sample's own in two of three; else one that the table has, or any.

    Tables are about what is tested: eager may well take others, and what it refuses compiled code must refuse.
    """
    choice = draw(st.integers(0, 11))
    if choice < 8:
        return template.dtype
    # Operators that no test calls end the process on dtypes that they do not look at.
    return draw(
        st.sampled_from(DTYPES if choice >= 10 and entry.table == "op_db" else entry.dtypes or (template.dtype,))
    )


@st.composite
def _spelled(draw: st.DrawFn, entry: Entry, found: Drawn) -> Drawn:
    """Draw a way of writing it: as the function, a method or in place."""
    call = found.call
    plain = len(call.steps) == 1 and call.module is None
    if not plain or not any(forms.is_a(first, "tensor") for first in call.steps[0].args[:1]):
        return found
    ways = ["function", "function"] + [way for way in ("method", "inplace") if getattr(entry, way)]
    way = draw(st.sampled_from(ways))
    if way == "function":
        return found
    step = call.steps[0].model_copy(update={"function": getattr(entry, way)})
    return replace(found, call=call.model_copy(update={"steps": (step,)}), writes=way == "inplace")


@st.composite
def _into_output(draw: st.DrawFn, entry: Entry, found: Drawn) -> Drawn:
    """Tell a function where to write."""
    if not takes_output(found.call):
        return found
    first = found.call.steps[0].args[:1]
    over = bool(entry.inplace) and any(forms.is_a(one, "tensor") for one in first)
    # Dynamo breaks the graph at what is empty, wherever the sizes are symbols: one cause for all functions.
    kinds = ("alike",) * 5 + ("argument",) * (3 if over else 0) + ("empty",)
    kind: str = draw(st.sampled_from(kinds))
    return replace(found, call=written(found.call, kind), writes=True)


@st.composite
def _with_numbers(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Give numbers among the arguments in another form: mostly one, now and then two, which may be one number then."""
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        found = draw(_with_one_number(found))
    return found


@st.composite
def _with_one_number(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Make a number among the arguments an argument of the program, an item of a tensor, or a tensor of no dims."""
    places = forms.numbers(found.call)
    if not places or found.call.module is not None:
        return found
    path, value = draw(st.sampled_from(places))
    if draw(st.integers(0, 3)) == 3:
        return replace(found, call=as_tensor(found.call, path, value))
    if draw(st.integers(0, 2)) == 2:
        if isinstance(value, int):
            return replace(found, call=forms.as_item(found.call, path, value))
        return replace(found, call=as_read(found.call, path, value))
    kind = "int" if isinstance(value, int) else "float"
    if kind in found.call.numbers and draw(st.booleans()):
        return replace(found, call=forms.as_known_argument(found.call, path, found.call.numbers.index(kind)))
    return replace(found, call=forms.as_argument(found.call, path, kind), numbers=(*found.numbers, float(value)))


@st.composite
def _with_sizes(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Give a size among the arguments as a number of its own, or as an item of a tensor."""
    places = forms.sizes(found.call)
    if not places or found.call.module is not None:
        return found
    path, formula = draw(st.sampled_from(places))
    make = forms.as_item if draw(st.integers(0, 2)) == 2 else forms.as_argument
    return replace(found, call=make(found.call, path, formula))


@st.composite
def _with_rows(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Let a mask choose the rows of a tensor."""
    call = found.call
    places = [
        at
        for at, spec in enumerate(call.tensors)
        if spec.values in forms.FREE_KINDS and spec.shape and spec.sizes[0].constant is None
    ]
    if not places or call.module is not None or found.writes:
        return found
    return replace(found, call=forms.chosen(call, draw(st.sampled_from(places))))


@st.composite
def _with_consumer(draw: st.DrawFn, found: Drawn) -> Drawn:
    """Hand the result to one more function."""
    if not found.single or found.call.module is not None:
        return found
    function, args = draw(st.sampled_from(_CONSUMERS))
    return replace(found, call=forms.consumed(found.call, function, *args))


@st.composite
def _within(draw: st.DrawFn, found: Drawn, *, differentiable: bool) -> Drawn:
    """Let the call stand within a transform, a branch, a recomputation or a mode."""
    module = found.call.module is not None
    floats = any(not spec.dtype for spec in found.call.tensors)
    names = [
        name
        for name, one in SURROUNDINGS.items()
        if found.call.tensors
        and ((differentiable and floats) or not one.differentiates)
        and not (one.mapped and (module or not any(spec.values in forms.FREE_KINDS for spec in found.call.tensors)))
    ]
    if not names:
        return found
    call = forms.within(found.call, draw(st.sampled_from(names)))
    if not call.mapped:
        return replace(found, call=call)
    return replace(found, call=call, example={**found.example, BATCH: EXAMPLE_BATCH}, floors={**found.floors, BATCH: 1})
