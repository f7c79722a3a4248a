"""State-space models: Mamba's selective update and scan (arXiv 2312.00752), and its chunks (arXiv 2405.21060)."""

# pyright: reportConstantRedefinition=false
import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff.reference.catalog.precision import wide


def selective_state_update(
    state: Tensor, x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, D: Tensor, z: Tensor, dt_bias: Tensor
) -> Tensor:
    """Take one step: write state [batch, heads, width, dstate] in place, and return [batch, heads, width].

    x, dt, z [batch, heads, width]; A [heads, width, dstate]; B, C [batch, groups, dstate]; D, dt_bias [heads, width].
    """
    dt = F.softplus(wide(dt) + wide(dt_bias))
    per_group = state.shape[1] // B.shape[1] if B.shape[1] else 0
    b, c = (wide(one).repeat_interleave(per_group, 1) for one in (B, C))
    step = (dt * wide(x))[..., None] * b[:, :, None]
    new = wide(state) * (wide(A) * dt[..., None]).exp() + step
    state.copy_(new)
    out = (new * c[:, :, None]).sum(-1) + wide(x) * wide(D)
    return (out * F.silu(wide(z))).to(x.dtype)


def chunk_cumsum(dt: Tensor, A: Tensor, dt_bias: Tensor, chunk_size: int) -> tuple[Tensor, Tensor]:
    """Return dt · A summed up within chunks, and dt = softplus(dt + dt_bias), both [batch, heads, chunks, chunk_size].

    dt [batch, seqlen, heads]; A, dt_bias [heads]. What is past seqlen is 0 in dt. In float32 or wider.
    """
    dt = F.softplus(wide(dt) + wide(dt_bias)).transpose(1, 2)
    chunks = -(-dt.shape[-1] // chunk_size)
    dt = F.pad(dt, (0, chunks * chunk_size - dt.shape[-1])).unflatten(-1, (chunks, chunk_size))
    return (dt * wide(A)[:, None, None]).cumsum(-1), dt


def chunk_state(B: Tensor, x: Tensor, dt: Tensor, dA_cumsum: Tensor) -> Tensor:
    """Return the state that each chunk adds, [batch, chunks, heads, headdim, dstate], in float32 or wider.

    B [batch, seqlen, groups, dstate]; x [batch, seqlen, heads, headdim]; dt and dA_cumsum [batch, heads, chunks,
    chunk_size].
    """
    chunks, chunk_size = dt.shape[2:]
    decay = (dA_cumsum[..., -1:] - dA_cumsum).exp() * dt
    b, x = (_chunked(wide(one), chunks, chunk_size) for one in (_of_heads(B, x.shape[2]), x))
    return torch.einsum("bclhn,bhcl,bclhp->bchpn", b, wide(decay), x)


def state_passing(states: Tensor, dA: Tensor, initial: Tensor) -> tuple[Tensor, Tensor]:
    """Return the state before each chunk, as states [batch, chunks, heads, width], and the last one in float32.

    dA [batch, heads, chunks], by whose exponential a state decays over a chunk; initial [batch, heads, width].
    """
    state, before = wide(initial), list[Tensor]()
    for chunk in range(states.shape[1]):
        before.append(state)
        state = state * wide(dA)[:, :, chunk, None].exp() + wide(states)[:, chunk]
    return (torch.stack(before, 1).to(states.dtype) if before else torch.empty_like(states)), state


def bmm_chunk(a: Tensor, b: Tensor, chunk_size: int) -> Tensor:
    """Return a · bᵀ within chunks, [batch, chunks, groups, chunk_size, chunk_size].

    a, b [batch, seqlen, groups, width].
    """
    chunks = -(-a.shape[1] // chunk_size)
    a, b = (_chunked(one, chunks, chunk_size) for one in (a, b))
    return torch.einsum("bclgk,bcsgk->bcgls", a, b)


def scan(x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, D: Tensor) -> Tensor:
    """Go through a sequence: h = exp(dt A) h + dt B x, y = C h + D x; x and the result [batch, seqlen, heads, headdim].

    dt [batch, seqlen, heads]; A, D [heads]; B, C [batch, seqlen, groups, dstate].
    """
    heads = x.shape[2]
    b, c = (wide(_of_heads(one, heads)) for one in (B, C))
    decay, step = (wide(dt) * wide(A)).exp(), wide(dt)[..., None] * wide(x)
    state = x.new_zeros(x.shape[0], heads, x.shape[3], B.shape[3], dtype=step.dtype)
    out = [wide(x[:, :0])]
    for t in range(x.shape[1]):
        state = state * decay[:, t, :, None, None] + step[:, t, :, :, None] * b[:, t, :, None]
        out.append((state * c[:, t, :, None]).sum(-1)[:, None])
    return (torch.cat(out, 1) + wide(D)[:, None] * wide(x)).to(x.dtype)


def _of_heads(x: Tensor, heads: int) -> Tensor:
    """Repeat groups [batch, seqlen, groups, dstate] for the heads of each."""
    return x.repeat_interleave(heads // x.shape[2] if x.shape[2] else 0, 2)


def _chunked(x: Tensor, chunks: int, chunk_size: int) -> Tensor:
    """Cut [batch, seqlen, …] into chunks, the last filled up by zeros."""
    missing = x.new_zeros(x.shape[0], chunks * chunk_size - x.shape[1], *x.shape[2:])
    return torch.cat([x, missing], 1).unflatten(1, (chunks, chunk_size))
