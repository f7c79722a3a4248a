"""Control flow that tensors decide (`cond`, `while_loop`, `scan`, `map`), and functions of functions."""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.numbers import BRANCH
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "higher_order"
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FLOAT: tuple[Kind, ...] = ("float",)
PREDICATE = Operand(matching=lambda choices, *earlier: Type("bool"))
# Carried tensors keep their strides, and a step's result is dense: so is what the loop begins with.
_DENSE = "{out}_x = {0}.clone(memory_format=torch.contiguous_format)"
_COUNTER = "torch.zeros((), dtype=torch.int64, device={0}.device)"

Shape = Callable[[Type], tuple[Size, ...]]


def chosen(name: str, source: str, *more: Operand, results: int = 1, setup: str = "", guards: int = 0) -> Operation:
    """Describe a choice between functions of a tensor by 0-d predicates; results have the tensor's type.

    One result is not differentiated: with Dynamo off, `torch.cond` loses the gradient, or raises, unless branches
    return tuples.
    """

    def infer(context: Context, attrs: Attrs, x: Type, *predicates: Type) -> Type | tuple[Type, ...]:
        kinds(x, "float")
        for predicate in predicates:
            if predicate.dtype != "bool" or predicate.ndim:
                raise IllTyped("a 0-d bool needed")
        return x.of() if results == 1 else (x.of(),) * results

    operands = (Operand(kinds=_FLOAT), *more)
    return Operation(
        name=name,
        family=FAMILY,
        operands=operands,
        infer=infer,
        source=source,
        results=results,
        setup=setup,
        guards=guards,
        gradients=results > 1,
    )


def mapped(
    name: str,
    source: str,
    *results: Shape,
    allowed: tuple[Kind, ...] = _FLOAT,
    ndim: tuple[int, int] = (1, 4),
    least: int = 1,
    setup: str = _DENSE,
    gradients: bool = True,
    graph_break: bool = False,
    guards: int = 0,
    backed_only: str = "",
) -> Operation:
    """Describe a function of a function of a tensor with at least so many rows."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type | tuple[Type, ...]:
        kinds(x, *allowed)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims do not do")
        if backed_only and any(size.depends_on_data for size in x.shape):
            raise IllTyped(backed_only)
        if x.ndim:
            context.need(x.shape[0], least)
        found = tuple(x.of(shape=shape(x)) for shape in results)
        return found if len(results) != 1 else next(iter(found))

    return Operation(
        name=name,
        family=FAMILY,
        operands=(Operand(kinds=allowed, ndim=ndim),),
        infer=infer,
        source=source,
        results=len(results),
        setup=setup,
        gradients=gradients,
        graph_break=graph_break,
        guards=guards,
        backed_only=backed_only,
    )


def _same(x: Type) -> tuple[Size, ...]:
    return x.shape


def _row(x: Type) -> tuple[Size, ...]:
    return x.shape[1:]


def _counted(context: Context, attrs: Attrs, x: Type) -> tuple[Type, Type]:
    kinds(x, "float")
    return Type("int64"), x.of()


def _bounded(context: Context, attrs: Attrs, x: Type, steps: Type) -> Type:
    kinds(x, "float")
    if steps.ndim or steps.below is None or steps.dtype != "int64":
        raise IllTyped("a 0-d number of steps needed")
    return x.of()


def _steps(choices: Choices, x: Type) -> Type:
    return Type("int64", (), below=Size.of(4))


LOOP = "torch._higher_order_ops.while_loop"

OPERATIONS = (
    chosen("cond", "torch.cond({1}, lambda part: part * 2, lambda part: part + 1, ({0},))", PREDICATE),
    chosen("cond_of_values", "torch.cond(({0} > 0).any(), torch.sin, torch.cos, ({0},))"),
    chosen("cond_closure", "torch.cond({1}, lambda: {0} * 2, lambda: {0} - 1)", PREDICATE),
    chosen(
        "cond_of_two_results",
        "torch.cond({1}, lambda part: (part * 2, part - 1), lambda part: (part + 1, part * 3), ({0},))",
        PREDICATE,
        results=2,
    ),
    chosen(
        "cond_nested",
        "torch.cond({1}, {out}_inner, lambda part: part + 1, ({0},))",
        PREDICATE,
        setup="def {out}_inner(part):\n"
        "    return torch.cond((part > 0).any(), lambda p: p * 2, lambda p: p - 3, (part,))",
    ),
    chosen(
        "cond_in_a_loop",
        "{out}_y",
        PREDICATE,
        setup="{out}_y = {0}\nfor {out}_i in range(2):\n"
        "    {out}_y = torch.cond({1}, lambda part: part * 2, lambda part: part + 1, ({out}_y,))",
    ),
    Operation(
        name="while_loop",
        family=FAMILY,
        operands=(Operand(kinds=_FLOAT),),
        infer=_counted,
        setup=_DENSE,
        source=f"{LOOP}(lambda i, part: i < 3, lambda i, part: (i + 1, part * 0.5), ({_COUNTER}, {{out}}_x))",
        results=2,
        gradients=False,
    ),
    Operation(
        name="while_loop_steps",
        family=FAMILY,
        operands=(Operand(kinds=_FLOAT), Operand(matching=_steps)),
        infer=_bounded,
        setup=f"{_DENSE}\n_, {{out}}_y = {LOOP}(\n"
        f"    lambda i, part: i < {{1}}, lambda i, part: (i + 1, part * 0.5 + 1), ({_COUNTER}, {{out}}_x)\n)",
        source="{out}_y",
        gradients=False,
    ),
    Operation(
        name="while_loop_until",
        family=FAMILY,
        operands=(Operand(kinds=_FLOAT),),
        infer=_counted,
        setup=_DENSE,
        source=f"{LOOP}(\n    lambda i, part: (i < 4) & (part > 2).any(),\n"
        f"    lambda i, part: (i + 1, part.clamp(max=4 - i)),\n    ({_COUNTER}, {{out}}_x),\n)",
        results=2,
        gradients=False,
    ),
    mapped(
        "scan",
        "torch._higher_order_ops.scan(lambda h, row: (h * 0.5 + row, h - row), torch.zeros_like({out}_x[0]), {out}_x)",
        _row,
        _same,
    ),
    mapped(
        "scan_reversed",
        "torch._higher_order_ops.scan(\n    lambda h, row: (h + row, h * 2), torch.ones_like({out}_x[0]), {out}_x, "
        "reverse=True\n)",
        _row,
        _same,
        allowed=_NUMBERS,
    ),
    mapped(
        "map",
        "torch._higher_order_ops.map(lambda row, w: row.sin() + w, {out}_x, {out}_x.amax())",
        _same,
        gradients=False,
    ),
    # The generic mode recurses over halves until a size is below 2: a branch on a size at every level.
    mapped(
        "associative_scan",
        "torch._higher_order_ops.associative_scan(torch.add, {out}_x, 0, combine_mode='generic')",
        _same,
        guards=12,
        backed_only=BRANCH,
    ),
    mapped(
        "associative_max",
        "torch._higher_order_ops.associative_scan(\n    torch.maximum, {out}_x, 0, reverse=True, "
        "combine_mode='generic'\n)",
        _same,
        allowed=_NUMBERS,
        guards=12,
        backed_only=BRANCH,
    ),
    mapped("vmap", "torch.vmap(lambda row: row - row.mean())({0})", _same, ndim=(2, 4), setup=""),
    mapped("vmap_sum", "torch.vmap(torch.sum)({0} * 2)", lambda x: x.shape[:1], setup=""),
    mapped("func_grad", "torch.func.grad(lambda part: part.sin().sum())({0})", _same, ndim=(0, 4), least=0, setup=""),
    mapped("jvp", "torch.func.jvp(torch.sin, ({0},), ({0} * 2,))", _same, _same, least=0, setup=""),
    mapped("vjp", "torch.func.vjp(torch.tanh, {0})[1]({0} + 1)[0]", _same, least=0, setup=""),
    mapped(
        "autograd_inside",
        "{out}_y",
        _same,
        least=0,
        setup="with torch.enable_grad():\n    {out}_leaf = {0}.detach().requires_grad_()\n"
        "    {out}_y = torch.autograd.grad(({out}_leaf.sin() * 2).sum(), {out}_leaf)[0]",
        # torch._dynamo.config.trace_autograd_ops is off by default.
        graph_break=True,
    ),
)
