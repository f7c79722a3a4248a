"""Matrix products: of matrices, batches and vectors, added to something, told by einsum."""

from typing import Any

from eagerdiff.strategies.programs.operation import (
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    kinds,
)
from eagerdiff.strategies.programs.pattern import FLOATS, patterned
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "matmul"
INTEGERS = ("int64", "int32", "uint8")
NUMBERS = (*FLOATS, *INTEGERS, "complex64")
FULL = ("float32", "float64")
"""What has no half-precision kernel on a CPU."""
_SCALES = {"alpha": (1, 2, -1, 0), "beta": (1, 0, 2, -1)}


def product(name: str, pattern: str, source: str, **more: Any) -> Operation:
    """Describe a product of tensors of one dtype."""
    described: dict[str, Any] = {"dtypes": NUMBERS, **more}
    return patterned(name, FAMILY, pattern, source, **described)


def added(name: str, pattern: str, row: str, **more: Any) -> tuple[Operation, Operation]:
    """Describe `beta * input + alpha * product`, with an input of the result's shape and with one that broadcasts."""
    result = pattern.partition("->")[2]
    source = f"torch.{name}({{0}}, {{1}}, {{2}}, beta={{beta}}, alpha={{alpha}})"
    return (
        product(name, f"{result}, {pattern}", source, options=_SCALES, **more),
        product(f"{name}_row", f"{row}, {pattern}", source, options=_SCALES, **more),
    )


def einsum(name: str, equation: str, **more: Any) -> Operation:
    """Describe an einsum of a fixed equation."""
    left, _, right = equation.partition("->")
    spaced = ", ".join(" ".join(term) for term in left.split(",")) + "->" + " ".join(right)
    operands = ", ".join(f"{{{position}}}" for position in range(left.count(",") + 1))
    return product(f"einsum_{name}", spaced, f'torch.einsum("{equation}", {operands})', **more)


def _other(choices: Choices, x: Type) -> Type:
    """Ask for what `x @ y` takes: a vector, a matrix, a batch whose dims are x's, 1, or left out."""
    form = choices.pick(("same", "matrix", "vector", "ones"))
    last = Size.of(choices.pick((4, 1, 3)))
    if form == "vector" or x.ndim == 0:
        return Type(x.dtype, x.shape[-1:])
    batch = {"same": x.shape[:-2], "ones": tuple(Size.of(1) for _ in x.shape[:-2])}.get(form, ())
    return Type(x.dtype, (*batch, x.shape[-1], last))


def _matmul(context: Context, attrs: Attrs, x: Type, y: Type) -> Type:
    kinds(x, "float", "int", "complex")
    if x.dtype != y.dtype or x.plain or y.plain or not x.ndim or not y.ndim:
        raise IllTyped(f"no product of {x.dtype} and {y.dtype} in {x.ndim} and {y.ndim} dims")
    if x.shape[-1] != y.shape[max(y.ndim - 2, 0)]:
        raise IllTyped(f"{x.shape[-1]} columns, {y.shape[max(y.ndim - 2, 0)]} rows")
    batch = broadcast(Type(x.dtype, x.shape[:-2]), Type(y.dtype, y.shape[:-2]))
    return x.of(shape=(*batch, *x.shape[-2:-1], *(y.shape[-1:] if y.ndim > 1 else ())))


_NUMERIC: tuple[Kind, ...] = ("float", "int", "complex")

OPERATIONS = (
    Operation(
        name="matmul",
        family=FAMILY,
        operands=(Operand(kinds=_NUMERIC, ndim=(1, 4)), Operand(matching=_other)),
        infer=_matmul,
        source="{0} @ {1}",
    ),
    product("mm", "i j, j k -> i k", "torch.mm({0}, {1})"),
    product("bmm", "b i j, b j k -> b i k", "torch.bmm({0}, {1})"),
    product("mv", "i j, j -> i", "torch.mv({0}, {1})"),
    product("dot", "i, i ->", "torch.dot({0}, {1})"),
    product("outer", "i, j -> i j", "torch.outer({0}, {1})"),
    product("mm_transposed", "i j, k j -> i k", "{0} @ {1}.t()"),
    product("mm_upcast", "i j, j k -> i k:float32", "{0}.float() @ {1}.float()", dtypes=("bfloat16", "float16")),
    product("mm_of_integers", "i j, j k -> i k:int64", "{0}.to(torch.int64) @ {1}.to(torch.int64)", dtypes=("uint8",)),
    product("gram_lower", "i j -> i i", "({0} @ {0}.T).tril()"),
    product("linear", "... i, o i -> ... o", "F.linear({0}, {1})"),
    product("linear_bias", "... i, o i, o -> ... o", "F.linear({0}, {1}, {2})", dtypes=FLOATS),
    product(
        "bilinear", "n i, n j, o i j, o -> n o", "F.bilinear({0}, {1}, {2}, {3})", dtypes=FLOATS, least={"i": 1, "j": 1}
    ),
    *added("addmm", "i j, j k -> i k", "k"),
    *added("baddbmm", "b i j, b j k -> b i k", "i k"),
    *added("addbmm", "b i j, b j k -> i k", "1 k", dtypes=FLOATS),
    # With no columns eager forgets to expand a row of one element.
    *added("addmv", "i j, j -> i", "1", least={"i": 1, "j": 1}),
    *added("addr", "i, j -> i j", "1", dtypes=FLOATS),
    einsum("matmul", "ij,jk->ik"),
    einsum("batched", "bij,bkj->bik"),
    einsum("scores", "bhqd,bhkd->bhqk"),
    einsum("trace", "ii->", dtypes=FLOATS),
    einsum("diagonal", "ii->i"),
    einsum("transpose", "ij->ji"),
    einsum("outer", "i,j->ij"),
    einsum("total", "ij,ij->"),
    einsum("three", "ij,jk,kl->il", dtypes=FLOATS),
    product("tensordot", "i j k, j k l -> i l", "torch.tensordot({0}, {1}, dims=2)"),
    product("tensordot_dims", "i j k, l i -> j k l", "torch.tensordot({0}, {1}, dims=([0], [1]))"),
    product("inner", "i j, k j -> i k", "torch.inner({0}, {1})"),
    product("kron", "i j, k l -> i*k j*l", "torch.kron({0}, {1})"),
    product("multi_dot", "i j, j k, k l -> i l", "torch.linalg.multi_dot(({0}, {1}, {2}))", dtypes=FLOATS),
    product("matrix_power", "i i -> i i", "torch.linalg.matrix_power({0}, {n})", options={"n": (2, 3, 1, 0)}),
    product(
        "cdist",
        "... i d, ... j d -> ... i j",
        "torch.cdist({0}, {1}, p={p})",
        options={"p": (1.0, 2.0)},
        dtypes=FULL,
        guards=2,  # more than 25 rows on either side are multiplied
    ),
    product("pairwise_distance", "i d, i d -> i", "F.pairwise_distance({0}, {1})", dtypes=FLOATS),
)
