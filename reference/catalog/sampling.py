"""Sampling of tokens from logits."""

import torch
from torch import Tensor


def token_logprobs(logits: Tensor, ids: Tensor) -> Tensor:
    """Return log_softmax of logits [rows, vocabulary], in float32, at ids [rows, count]: [rows, count]."""
    wide = logits if logits.dtype is torch.float64 else logits.float()
    return wide.log_softmax(-1).gather(-1, ids)


def token_ranks(logits: Tensor, ids: Tensor) -> Tensor:
    """Count of each row of logits [rows, vocabulary] those that are no less than that of its id: int64 [rows]."""
    return (logits >= logits.gather(-1, ids[:, None])).sum(-1)


def temperature_(logits: Tensor, request: Tensor, temperature: Tensor) -> None:
    """Divide rows of logits [rows, vocabulary], in place, by their request's temperature; 0 leaves them.

    request int [rows] counts in temperature [requests].
    """
    of_row = temperature[request.long()][:, None].to(torch.promote_types(logits.dtype, torch.float32))
    logits.copy_(logits / torch.where(of_row == 0, 1, of_row))


def min_p_(logits: Tensor, request: Tensor, min_p: Tensor) -> None:
    """Make -inf, in place, of logits [rows, vocabulary] with less than min_p times their row's greatest probability.

    request int [rows] counts in min_p [requests]; 0 keeps all (arXiv 2407.01082).
    """
    of_row = min_p[request.long()][:, None]
    least = logits.amax(-1, keepdim=True) + of_row.log()
    logits.masked_fill_((logits < least) & (of_row > 0), float("-inf"))


def penalties_(
    logits: Tensor,
    request: Tensor,
    ids: Tensor,
    position: Tensor,
    repetition: Tensor,
    frequency: Tensor,
    presence: Tensor,
    prompt_bits: Tensor,
    counts: Tensor,
) -> None:
    """Penalise tokens that were seen, in place: logits [rows, vocabulary]; request, ids, position int [rows].

    Row r is at place position[r] of its request's speculated tokens, which stand in ids; those before it count as
    output. Of each request: repetition (divides positive logits, multiplies others, of what prompt or output hold),
    frequency (subtracted once for each time in the output) and presence (once), float32 [requests]; prompt_bits int32
    [requests, (vocabulary + 31) / 32], a bit a token; counts int32 [requests, vocabulary] of the output.
    """
    rows, vocabulary = logits.shape
    of = request.long()
    seen = counts[of].clone()
    for row in range(rows):
        for at in range(int(position[row])):
            seen[row, ids[row - at].long()] += 1
    bits = (prompt_bits[of][..., None] >> torch.arange(32, device=logits.device)) & 1
    prompt = bits.flatten(1)[:, :vocabulary].bool()
    wide = logits.to(torch.promote_types(logits.dtype, torch.float32))
    scale = torch.where(prompt | (seen > 0), repetition[of][:, None], 1.0)
    wide = torch.where(wide > 0, wide / scale, wide * scale)
    logits.copy_(wide - frequency[of][:, None] * seen - presence[of][:, None] * (seen > 0))


def top_k_top_p(logits: Tensor, k: Tensor, p: Tensor) -> Tensor:
    """Return logits [rows, vocabulary] in ascending order, with -inf for what is left out.

    Of each row the k [rows] greatest stay, and of these the fewest whose probabilities, the greatest first, reach
    p [rows]; at least one does (vLLM's apply_top_k_top_p).
    """
    ordered = logits.sort(-1).values
    place = torch.arange(logits.shape[-1], 0, -1, device=logits.device)
    ordered = ordered.masked_fill(place > k[:, None], float("-inf"))
    below = ordered.softmax(-1).cumsum(-1) <= 1 - p[:, None]
    return ordered.masked_fill(below & (place > 1), float("-inf"))


def accepted(draft_ids: Tensor, target_ids: Tensor, bonus_ids: Tensor, ends: Tensor, longest: int) -> Tensor:
    """Return what greedy verification keeps of drafted tokens: int32 [requests, longest + 1], -1 where nothing.

    draft_ids, target_ids int [tokens]; request i has the tokens up to ends[i], int [requests]; the target's tokens
    are kept up to and with the first that is not the draft's; bonus_ids int [requests, 1] follow where all agree.
    """
    found = torch.full((len(ends), longest + 1), -1, dtype=torch.int32, device=draft_ids.device)
    start = 0
    for row, end in enumerate(ends.tolist()):
        same = (draft_ids[start:end] == target_ids[start:end]).long().cumprod(0)
        kept = min(int(same.sum()) + 1, end - start)
        found[row, :kept] = target_ids[start : start + kept].int()
        if int(same.sum()) == end - start:
            found[row, end - start] = bonus_ids[row, 0].int()
        start = end
    return found


def expand(x: Tensor, ends: Tensor, total: int) -> Tensor:
    """Repeat each of x [requests] for its tokens: those up to ends[i], ascending to total: [total]."""
    lengths = torch.diff(ends, prepend=torch.zeros_like(ends[:1]))
    return x.repeat_interleave(lengths, output_size=total)


def count_nan(x: Tensor) -> Tensor:
    """Count NaN of rows [rows, width]: int32 [rows]."""
    return x.isnan().sum(-1, dtype=torch.int32)


def mask_bits_(logits: Tensor, bits: Tensor) -> None:
    """Make -inf, in place, of logits [rows, vocabulary] whose bit is 0: bits int32 [rows, (vocabulary + 31) / 32]."""
    shifts = torch.arange(32, device=logits.device)
    kept = ((bits[..., None] >> shifts) & 1).flatten(1)[:, : logits.shape[1]].bool()
    logits.masked_fill_(~kept, float("-inf"))


def softcap_(x: Tensor, cap: float) -> Tensor:
    """Put cap · tanh(x / cap) into x, of any shape, and return it."""
    return x.copy_(cap * torch.tanh(x / cap))


def renormalize(probs: Tensor, least: Tensor) -> Tensor:
    """Return probs [rows, vocabulary] without those below their row's least [rows], which sum to 1 again."""
    kept = probs.masked_fill(probs < least[:, None], 0.0)
    return kept / kept.sum(-1, keepdim=True)
