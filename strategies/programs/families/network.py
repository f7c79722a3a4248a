"""Layers of networks as users write them: gates, recurrent cells, blocks around a residual."""

from typing import Any

from eagerdiff.strategies.programs.operation import Operation
from eagerdiff.strategies.programs.pattern import FLOATS, patterned

FAMILY = "network"


def layer(name: str, pattern: str, source: str, **more: Any) -> Operation:
    """Describe a layer of tensors of one dtype."""
    described: dict[str, Any] = {"dtypes": FLOATS, **more}
    return patterned(name, FAMILY, pattern, source, **described)


_CELL = "n i, n h, {0}*h i, {0}*h h, {0}*h, {0}*h -> n h"

OPERATIONS = (
    layer("glu", "... 2*d -> ... d", "F.glu({0}, dim=-1)"),
    layer("glu_channels", "n 2*c l -> n c l", "F.glu({0}, dim=1)"),
    layer("dropout_eval", "... -> ...", "F.dropout({0}, 0.5, training=False)"),
    layer("prelu", "n c l, c -> n c l", "F.prelu({0}, {1})"),
    layer("prelu_one", "..., 1 -> ...", "F.prelu({0}, {1})"),
    layer("mlp", "... d, h d, h, d h -> ... d", "F.linear(F.gelu(F.linear({0}, {1}, {2})), {3})"),
    layer("swiglu", "... d, h d, h d, d h -> ... d", "F.linear(F.silu(F.linear({0}, {1})) * F.linear({0}, {2}), {3})"),
    layer(
        "swiglu_fused",
        "... d, 2*h d -> ... h",
        "F.silu({out}_gate) * {out}_up",
        setup="{out}_gate, {out}_up = F.linear({0}, {1}).chunk(2, dim=-1)",
    ),
    layer(
        "geglu_interleaved",
        "... 2*d -> ... d",
        '{0}[..., 1::2] * F.gelu({0}[..., 0::2], approximate="tanh")',
    ),
    layer("residual_norm", "... d, ... d, d -> ... d", "F.layer_norm({0} + {1}, {0}.shape[-1:], {2})"),
    layer(
        "residual_rms",
        "... d, ... d, d -> ... d, ... d",
        "F.rms_norm({out}_sum, {out}_sum.shape[-1:], {2}, 1e-6), {out}_sum",
        setup="{out}_sum = {0} + {1}",
    ),
    layer("modulate", "b l d, b d, b d -> b l d", "{0} * (1 + {1}.unsqueeze(1)) + {2}.unsqueeze(1)"),
    layer("squeeze_excite", "n c h w, c c -> n c h w", "{0} * ({0}.mean((2, 3)) @ {1}).sigmoid()[:, :, None, None]"),
    layer(
        "highway",
        "n d, d d, d d -> n d",
        "{out}_gate * ({0} @ {2}).relu() + (1 - {out}_gate) * {0}",
        setup="{out}_gate = torch.sigmoid({0} @ {1})",
    ),
    layer(
        "mixture_gates",
        "n d, e d -> n e",
        "torch.where({out}_scores < {out}_scores.amax(-1, keepdim=True), 0.0, {out}_scores).to({0}.dtype)",
        setup="{out}_scores = ({0} @ {1}.T).float().softmax(dim=-1)",
        least={"e": 1},
    ),
    layer("gru_cell", _CELL.format(3), "torch.gru_cell({0}, {1}, {2}, {3}, {4}, {5})"),
    layer("rnn_tanh_cell", _CELL.replace("{0}*", ""), "torch.rnn_tanh_cell({0}, {1}, {2}, {3}, {4}, {5})"),
    layer(
        "lstm_cell",
        "n i, n h, n h, 4*h i, 4*h h -> n h, n h",
        "torch.lstm_cell({0}, ({1}, {2}), {3}, {4})",
    ),
    layer(
        "gru_cell_written",
        "n i, n h, 3*h i, 3*h h -> n h",
        "(1 - {out}_z) * {out}_new + {out}_z * {1}",
        setup="{out}_ri, {out}_zi, {out}_ni = ({0} @ {2}.T).chunk(3, dim=1)\n"
        "{out}_rh, {out}_zh, {out}_nh = ({1} @ {3}.T).chunk(3, dim=1)\n"
        "{out}_r, {out}_z = torch.sigmoid({out}_ri + {out}_rh), torch.sigmoid({out}_zi + {out}_zh)\n"
        "{out}_new = torch.tanh({out}_ni + {out}_r * {out}_nh)",
    ),
    layer(
        "lstm_cell_written",
        "n i, n h, n h, 4*h i, 4*h h, 4*h -> n h, n h",
        "{out}_o.sigmoid() * {out}_cell.tanh(), {out}_cell",
        setup="{out}_gates = F.linear({0}, {3}, {5}) + F.linear({1}, {4})\n"
        "{out}_i, {out}_f, {out}_g, {out}_o = {out}_gates.unflatten(-1, (4, -1)).unbind(-2)\n"
        "{out}_cell = {out}_f.sigmoid() * {2} + {out}_i.sigmoid() * {out}_g.tanh()",
    ),
    layer(
        "token_shift",
        "b l d, d -> b l d",
        "{0} * {1} + F.pad({0}, (0, 0, 1, -1)) * (1 - {1})",
        least={"l": 1},
    ),
)
