"""Random numbers under a seed.

Numbers are drawn in a dtype that no operand decides: the stream of float64 is another than that of float32, and the
judge's truth is the program in float64.
"""

from eagerdiff.strategies.programs.operation import Attrs, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "random"
_FLOAT: tuple[Kind, ...] = ("float",)
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_LIKE = "device={0}.device"


def like(
    name: str,
    source: str,
    dtype: str = "same",
    *,
    allowed: tuple[Kind, ...] = _FLOAT,
    ndim: tuple[int, int] = (0, 4),
    below: int | None = None,
) -> Operation:
    """Describe random numbers in the shape of an operand, of its dtype or another."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims do not do")
        return Type(x.dtype if dtype == "same" else dtype, x.shape, None if below is None else Size.of(below))

    operands = (Operand(kinds=allowed, ndim=ndim),)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, random=True)


def sampled(name: str, source: str, count: int, least: int) -> Operation:
    """Describe indices drawn from the rows of weights; there are `least` weights a row at least."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, "float")
        if x.ndim not in (1, 2):
            raise IllTyped("one or two dims needed")
        context.need(x.shape[-1], least)
        if x.ndim == 2:
            context.need(x.shape[0], 1)
        return Type("int64", x.with_dim(-1, count), below=x.shape[-1])

    operands = (Operand(kinds=_FLOAT, ndim=(1, 2)),)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, random=True)


def _permutation(context: Context, attrs: Attrs, x: Type) -> Type:
    if not x.ndim:
        raise IllTyped("no dims")
    return Type("int64", (x.shape[0],), below=x.shape[0])


def _shuffled(context: Context, attrs: Attrs, x: Type) -> Type:
    if not x.ndim:
        raise IllTyped("no dims")
    return x.of()


def _gumbel(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "float")
    if not x.ndim:
        raise IllTyped("no dims")
    return x.of()


OPERATIONS = (
    like("rand", f"torch.rand({{0}}.shape, {_LIKE})", "float32", allowed=_NUMBERS),
    like("randn", f"torch.randn({{0}}.shape, {_LIKE})", "float32", allowed=_NUMBERS),
    like("randint", f"torch.randint(0, 5, {{0}}.shape, {_LIKE})", "int64", allowed=_NUMBERS, below=5),
    like("rand_like", "torch.rand_like({0}, dtype=torch.float32)", "float32", allowed=_NUMBERS),
    like("randn_like", "torch.randn_like({0}, dtype=torch.float32)", "float32"),
    like("randint_like", "torch.randint_like({0}, 0, 7, dtype=torch.int64)", "int64", below=7),
    like("noise", f"{{0}} + torch.randn({{0}}.shape, {_LIKE}).to({{0}}.dtype)"),
    like("mask_by_rand", f"{{0}} * (torch.rand({{0}}.shape, {_LIKE}) < 0.5)"),
    like("bernoulli", "torch.bernoulli(torch.where({0} > 0, 0.75, 0.25))", "float32"),
    like("bernoulli_", "torch.zeros_like({0}).bernoulli_(0.25)"),
    like("normal_", f"torch.empty({{0}}.shape, {_LIKE}).normal_(1.0, 2.0)", "float32"),
    like("uniform_", f"torch.empty({{0}}.shape, {_LIKE}).uniform_(-1.0, 1.0)", "float32"),
    like("exponential_", f"torch.empty({{0}}.shape, {_LIKE}).exponential_()", "float32"),
    like("geometric_", f"torch.empty({{0}}.shape, {_LIKE}).geometric_(0.5)", "float32"),
    like("poisson", "torch.poisson(({0} > 0) * 2.0)", "float32"),
    like("dropout", "F.dropout({0}, 0.5, training=True)"),
    like("dropout_of_sum", "F.dropout({0} + 1, 0.25) * 2"),
    like("dropout1d", "F.dropout1d({0}, 0.5)", ndim=(2, 3)),
    like("alpha_dropout", "F.alpha_dropout({0}, 0.5, training=True)"),
    like("rrelu", "F.rrelu({0}.to(torch.float32), training=True)", "float32"),
    sampled("multinomial", "torch.multinomial(({0} > 0) + 1.0, 2)", 2, 2),
    sampled("multinomial_replaced", "torch.multinomial(({0} > 0) + 1.0, 5, replacement=True)", 5, 1),
    Operation(
        name="randperm",
        family=FAMILY,
        operands=(Operand(ndim=(1, 4)),),
        infer=_permutation,
        source=f"torch.randperm({{0}}.shape[0], {_LIKE})",
        random=True,
    ),
    Operation(
        name="shuffle",
        family=FAMILY,
        operands=(Operand(ndim=(1, 4)),),
        infer=_shuffled,
        source=f"{{0}}[torch.randperm({{0}}.shape[0], {_LIKE})]",
        random=True,
    ),
    Operation(
        name="gumbel_softmax",
        family=FAMILY,
        operands=(Operand(kinds=_FLOAT, ndim=(1, 3)),),
        infer=_gumbel,
        source="F.gumbel_softmax({0}, dim=-1)",
        random=True,
    ),
)
