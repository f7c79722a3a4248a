"""Attention: torch's own, and as users write it, with masks, grouped heads and rotary embeddings."""

from typing import Any

from eagerdiff.strategies.programs.operation import Operation
from eagerdiff.strategies.programs.pattern import FLOATS, patterned

FAMILY = "attention"
_QUERY_KEY_VALUE = "b h q d, b h k d, b h k v"
_SCORES = "{0} @ {1}.transpose(-2, -1)"
_LEAST = {"d": 1}
"""Scores are scaled by one over the root of the head's size."""
_PICKS_KERNEL = 1
"""Guards of torch's own attention: it picks its kernel by whether keys and values have one head size."""


def attention(name: str, source: str, mask: str = "", result: str = "b h q v", **more: Any) -> Operation:
    """Describe attention over (batch, heads, length, head size), with a mask where one is asked for."""
    pattern = f"{_QUERY_KEY_VALUE}{', ' if mask else ''}{mask} -> {result}"
    described: dict[str, Any] = {"least": _LEAST, "dtypes": FLOATS, **more}
    return patterned(f"attention_{name}", FAMILY, pattern, source, **described)


def sdpa(name: str, arguments: str = "", mask: str = "", **more: Any) -> Operation:
    """Describe torch's own attention, with further arguments."""
    source = f"F.scaled_dot_product_attention({{0}}, {{1}}, {{2}}{arguments})"
    return attention(name, source, mask, guards=_PICKS_KERNEL, **more)


def layer(name: str, pattern: str, source: str, **more: Any) -> Operation:
    """Describe what stands around attention."""
    described: dict[str, Any] = {"dtypes": FLOATS, **more}
    return patterned(name, FAMILY, pattern, source, **described)


OPERATIONS = (
    sdpa("sdpa"),
    sdpa("sdpa_causal", ", is_causal=True"),
    sdpa("sdpa_scale", ", scale={scale}", options={"scale": (0.5, 1.0)}),
    sdpa("sdpa_bool", ", attn_mask={3}", "q k:bool"),
    sdpa("sdpa_bool_batch", ", attn_mask={3}", "b 1 1 k:bool"),
    sdpa("sdpa_bias", ", attn_mask={3}", "b h q k"),
    sdpa("sdpa_bias_heads", ", attn_mask={3}", "h q k"),
    layer(
        "attention_sdpa_grouped",
        "b g k d, b g k v, b 2*g q d -> b 2*g q v",
        "F.scaled_dot_product_attention({2}, {0}, {1}, enable_gqa=True)",
        least={"d": 1, "g": 1},
        guards=_PICKS_KERNEL,
    ),
    layer(
        "attention_sdpa_length_first",
        "b q h d, b k h d, b k h v -> b q h v",
        "F.scaled_dot_product_attention({0}.transpose(1, 2), {1}.transpose(1, 2), {2}.transpose(1, 2)).transpose(1, 2)",
        least=_LEAST,
        guards=_PICKS_KERNEL,
    ),
    attention("div", f"(({_SCORES}) / {{0}}.shape[-1] ** 0.5).softmax(dim=-1) @ {{2}}"),
    attention("mul", f"torch.matmul(({_SCORES}).mul({{0}}.shape[-1] ** -0.5).softmax(dim=-1), {{2}})"),
    attention("scaled_first", "(({0} * 0.125) @ ({1} * 0.125).transpose(-2, -1)).softmax(dim=-1) @ {2}"),
    attention("bias", f"(({_SCORES}) * {{0}}.shape[-1] ** -0.5 + {{3}}).softmax(dim=-1) @ {{2}}", "q k"),
    attention("bias_batch", f"(({_SCORES}) / 2 + {{3}}).softmax(dim=-1) @ {{2}}", "b 1 1 k"),
    attention(
        "masked_fill",
        '{out}_scores.masked_fill({3} == 0, float("-inf")).softmax(dim=-1) @ {2}',
        "q k:bool",
        setup=f"{{out}}_scores = ({_SCORES}) / {{0}}.shape[-1] ** 0.5",
    ),
    attention(
        "masked_lowest",
        "torch.where({3}, {out}_scores, torch.finfo({0}.dtype).min).softmax(dim=-1) @ {2}",
        "b 1 1 k:bool",
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5",
    ),
    attention(
        "causal",
        "({out}_scores + {out}_mask.triu(1)).softmax(dim=-1) @ {2}",
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5\n"
        '{out}_mask = torch.full({out}_scores.shape[-2:], float("-inf"), dtype={0}.dtype, device={0}.device)',
    ),
    attention(
        "causal_positions",
        '{out}_scores.masked_fill({out}_after, float("-inf")).softmax(dim=-1) @ {2}',
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5\n"
        "{out}_query = torch.arange({0}.shape[-2], device={0}.device)[:, None]\n"
        "{out}_after = torch.arange({1}.shape[-2], device={0}.device) > {out}_query",
    ),
    attention(
        "window",
        '{out}_scores.masked_fill({out}_distance.abs() > 2, float("-inf")).softmax(dim=-1).nan_to_num() @ {2}',
        setup=f"{{out}}_scores = ({_SCORES}) / {{0}}.shape[-1] ** 0.5\n"
        "{out}_distance = torch.arange({0}.shape[-2], device={0}.device)[:, None]"
        " - torch.arange({1}.shape[-2], device={0}.device)",
    ),
    attention(
        "alibi",
        "({out}_scores + {out}_bias).softmax(dim=-1) @ {2}",
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5\n"
        "{out}_slopes = 2.0 ** -torch.arange(1, {0}.shape[1] + 1, device={0}.device, dtype={0}.dtype)\n"
        "{out}_bias = {out}_slopes[:, None, None] * torch.arange({1}.shape[-2], device={0}.device, dtype={0}.dtype)",
    ),
    attention(
        "soft_cap",
        "(20.0 * torch.tanh({out}_scores / 20.0)).softmax(dim=-1) @ {2}",
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5",
    ),
    attention(
        "upcast",
        "{out}_weights.to({0}.dtype) @ {2}",
        setup=f"{{out}}_weights = F.softmax(({_SCORES}) * {{0}}.shape[-1] ** -0.5, dim=-1, dtype=torch.float32)",
        dtypes=("bfloat16", "float16", "float32"),
    ),
    attention(
        "sink",
        "{out}_weights[..., :-1] @ {2}",
        "h",
        setup=f"{{out}}_scores = ({_SCORES}) * {{0}}.shape[-1] ** -0.5\n"
        "{out}_sink = {3}[None, :, None, None].expand(*{out}_scores.shape[:-1], 1)\n"
        "{out}_weights = torch.cat(({out}_scores, {out}_sink), dim=-1).softmax(dim=-1)",
    ),
    attention(
        "einsum",
        'torch.einsum("bhqk,bhkd->bqhd", {out}_weights, {2})',
        result="b q h v",
        setup='{out}_weights = (torch.einsum("bhqd,bhkd->bhqk", {0}, {1}) * {0}.shape[-1] ** -0.5).softmax(dim=-1)',
    ),
    layer(
        "attention_grouped",
        "b g k d, b g k v, b 2*g q d -> b 2*g q v",
        "(({2} @ {out}_key.transpose(-2, -1)) * {2}.shape[-1] ** -0.5).softmax(dim=-1) @ {out}_value",
        least={"d": 1, "g": 1},
        setup="{out}_key = {0}.repeat_interleave({2}.shape[1] // {0}.shape[1], dim=1)\n"
        "{out}_value = {1}.repeat_interleave({2}.shape[1] // {1}.shape[1], dim=1)",
    ),
    layer(
        "attention_packed",
        "b l 3*d -> b l d",
        "({out}_q @ {out}_k.mT * {out}_q.shape[-1] ** -0.5).softmax(dim=-1) @ {out}_v",
        least=_LEAST,
        setup="{out}_q, {out}_k, {out}_v = {0}.chunk(3, dim=-1)",
    ),
    layer(
        "attention_heads",
        "b l 4*d, 12*d 4*d -> b l 4*d",
        "F.scaled_dot_product_attention({out}_q, {out}_k, {out}_v).transpose(1, 2).flatten(2)",
        least=_LEAST,
        setup="{out}_heads = ({0} @ {1}.T).unflatten(-1, (3, 4, -1)).permute(2, 0, 3, 1, 4)\n"
        "{out}_q, {out}_k, {out}_v = {out}_heads.unbind(0)",
    ),
    layer(
        "linear_attention",
        "b l d, b l d, b l v -> b l v",
        "F.elu({0}).add(1) @ ((F.elu({1}) + 1).mT @ {2})",
    ),
    layer(
        "rotary_halves",
        "b h l d, l d, l d -> b h l d",
        "{0} * {1} + torch.cat((-{out}_second, {out}_first), dim=-1) * {2}",
        setup="{out}_first = {0}[..., : {0}.shape[-1] // 2]\n{out}_second = {0}[..., {0}.shape[-1] // 2 :]",
    ),
    layer(
        "rotary_pairs",
        "b h l 2*d, l d, l d -> b h l 2*d",
        "torch.stack(({out}_even * {1} - {out}_odd * {2}, {out}_even * {2} + {out}_odd * {1}), dim=-1).flatten(-2)",
        setup="{out}_even, {out}_odd = {0}[..., ::2], {0}[..., 1::2]",
    ),
    layer(
        "rotary_complex",
        "b l h 2*d, l d:complex64 -> b l h 2*d",
        "torch.view_as_real({out}_pairs * {1}[:, None]).flatten(3)",
        dtypes=("float32",),
        setup="{out}_pairs = torch.view_as_complex({0}.unflatten(-1, (-1, 2)).contiguous())",
    ),
    layer(
        "rotary_table",
        "... l 2*d -> ... l 2*d",
        "{0} * torch.cat(({out}_angles, {out}_angles), dim=-1).cos()",
        dtypes=("float32", "float64"),
        least={"d": 1},
        setup="{out}_steps = torch.arange(0, {0}.shape[-1], 2, device={0}.device, dtype={0}.dtype)\n"
        "{out}_frequencies = 10000.0 ** (-{out}_steps / {0}.shape[-1])\n"
        "{out}_angles = torch.outer(torch.arange({0}.shape[-2], device={0}.device), {out}_frequencies)",
    ),
)
