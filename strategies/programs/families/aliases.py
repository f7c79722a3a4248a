"""Aliases that are returned, buffers that are made and then written, `out=` into fresh memory."""

from collections.abc import Callable

from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, dim_of, kinds
from eagerdiff.strategies.programs.promotion import summed
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "aliases"
_NUMBERS: tuple[Kind, ...] = ("float", "int")


def local(
    name: str,
    setup: str,
    source: str,
    *,
    allowed: tuple[Kind, ...] = _NUMBERS,
    least: int = 0,
    most: int = 4,
    gradients: bool = True,
    guards: int = 0,
    shape: Callable[[Type], tuple[Size, ...]] = lambda x: x.shape,
) -> Operation:
    """Describe statements that write memory of their own; the result has the operand's dtype.

    `guards` is 1 where it slices: a slice of size 0 or 1 is another graph than a longer one.
    """

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        if not least <= x.ndim <= most:
            raise IllTyped(f"{least} to {most} dims needed")
        return x.of(shape=shape(x))

    operands = (Operand(kinds=allowed, ndim=(least, most)),)
    return Operation(
        name=name,
        family=FAMILY,
        operands=operands,
        infer=infer,
        source=source,
        setup=setup,
        gradients=gradients,
        guards=guards,
    )


def _swapped(x: Type) -> tuple[Size, ...]:
    return (x.shape[-1], *x.shape[1:-1], x.shape[0])


def _alias_and_base(context: Context, attrs: Attrs, x: Type) -> tuple[Type, Type]:
    if x.ndim < 2:
        raise IllTyped("two dims needed")
    return x.view(*_swapped(x)), x


def _alias_twice(context: Context, attrs: Attrs, x: Type) -> tuple[Type, Type]:
    if x.ndim < 1:
        raise IllTyped("a dim needed")
    return x.view(x.shape[0] - x.shape[0].least(1), *x.shape[1:]), x.view(*x.shape, Size.of(1))


def _cumsum_out(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "float", "int")
    dim_of(x, attrs["dim"])
    return x.of(summed(x.dtype))


def _dim(choices: Choices, x: Type) -> Attrs:
    return {"dim": choices.dim(x)}


OPERATIONS = (
    Operation(
        name="alias_and_base",
        family=FAMILY,
        operands=(Operand(ndim=(2, 4)),),
        infer=_alias_and_base,
        source="{0}.transpose(0, -1), {0}",
        results=2,
    ),
    Operation(
        name="two_aliases",
        family=FAMILY,
        operands=(Operand(ndim=(1, 3)),),
        infer=_alias_twice,
        source="{0}[1:], {0}.unsqueeze(-1)",
        results=2,
        guards=1,
    ),
    local("clone_then_write", "{out}_c = {0}.clone()\n{out}_c[1:] += 1", "{out}_c", least=1, guards=1),
    local(
        "clone_then_transpose_",
        "{out}_c = {0}.clone()\n{out}_c.transpose_(0, -1)\n{out}_c.mul_(2)",
        "{out}_c",
        least=2,
        shape=_swapped,
    ),
    local(
        "clone_then_unsqueeze_",
        "{out}_c = {0}.clone()",
        "{out}_c.unsqueeze_(0).add_(1)",
        most=3,
        shape=lambda x: (Size.of(1), *x.shape),
    ),
    local(
        "shift_into_zeros",
        "{out}_z = torch.zeros_like({0})\n{out}_z[..., 1:] = {0}[..., :-1]",
        "{out}_z",
        least=1,
        guards=1,
    ),
    local(
        "stack_of_views_written",
        "{out}_s = torch.stack(({0}, {0}))\nfor {out}_part in {out}_s.unbind(0):\n    {out}_part.add_(1)",
        "{out}_s",
        most=3,
        shape=lambda x: (Size.of(2), *x.shape),
        # Autograd refuses writes to the views that unbind gives.
        gradients=False,
    ),
    local(
        "append_then_stack",
        "{out}_rows = []\nfor {out}_i in range(3):\n    {out}_rows.append({0} * {out}_i)",
        "torch.stack({out}_rows, -1)",
        most=3,
        shape=lambda x: (*x.shape, Size.of(3)),
    ),
    local(
        "accumulate",
        "{out}_sum = torch.zeros_like({0})\nfor {out}_i in range(3):\n    {out}_sum += {0} * {out}_i",
        "{out}_sum",
    ),
    local(
        "mul_out",
        "{out}_buffer = torch.empty_like({0}, memory_format=torch.contiguous_format)",
        "torch.mul({0}, 2, out={out}_buffer)",
        # Autograd refuses `out=` where an operand requires a gradient.
        gradients=False,
    ),
    local(
        "out_into_slice",
        "{out}_buffer = torch.zeros(2, *{0}.shape, dtype={0}.dtype, device={0}.device)\n"
        "torch.mul({0}, 2, out={out}_buffer[1])",
        "{out}_buffer",
        most=3,
        shape=lambda x: (Size.of(2), *x.shape),
        gradients=False,
    ),
    Operation(
        name="cumsum_out",
        family=FAMILY,
        operands=(Operand(kinds=_NUMBERS, ndim=(1, 4)),),
        infer=_cumsum_out,
        setup="{out}_buffer = torch.empty_like({0}.cumsum({dim}), memory_format=torch.contiguous_format)",
        source="torch.cumsum({0}, {dim}, out={out}_buffer)",
        attrs=_dim,
        gradients=False,
    ),
)
