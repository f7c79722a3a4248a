"""A whole new operator in a file of its own: `eagerdiff run examples/rms_norm.py:OPERATOR --device cpu`."""

import torch
from hypothesis import strategies as st

from eagerdiff import Case, Implementation, Inputs, Operator, dynamic, static


class RmsNorm(Case):
    dtype: str = static("float32")
    rows: int = dynamic(1, ge=0)
    width: int = dynamic(64, ge=1)


def inputs(case: RmsNorm, device: str) -> Inputs:
    generator = torch.Generator(device).manual_seed(case.seed)
    x = torch.randn(case.rows, case.width, generator=generator, device=device)
    weight = torch.randn(case.width, generator=generator, device=device)
    return Inputs(tuple(tensor.to(getattr(torch, case.dtype)) for tensor in (x, weight)), {"eps": 1e-6})


def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight


def cases() -> st.SearchStrategy[RmsNorm]:
    dtypes = st.sampled_from(["float32", "bfloat16"])
    return st.builds(RmsNorm, dtype=dtypes, rows=st.integers(0, 65), width=st.integers(1, 129), seed=st.integers(0, 99))


FUSED = Implementation(operator="rms_norm", name="torch.rms_norm", devices=("cpu", "cuda"), build=lambda case: fused)


def fused(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, weight.shape, weight, eps)


COMPILED = Implementation(
    operator="rms_norm", name="torch.compile", devices=("cpu",), build=lambda case: torch.compile(rms_norm)
)
OPERATOR = Operator(
    name="rms_norm", case=RmsNorm, inputs=inputs, reference=rms_norm, cases=cases, implementations=[FUSED, COMPILED]
)
