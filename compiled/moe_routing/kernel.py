"""Routing in one kernel: a tile of tokens a program, all experts of a token in registers.

Suffixes: T tokens, E experts (padded to a power of two inside), K = top_k, V words of the hash table.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportGeneralTypeIssues=false

import torch
import triton
import triton.language as tl
from torch import Tensor

_SCORES = 2048
"""Scores that a program holds: tokens of a tile times experts."""


@triton.jit
def _first_best(choice_TE, column_E, TILE_E: tl.constexpr):
    """Return each row's largest number, and the first column that holds it (TILE_E for a row of -inf)."""
    best_T = tl.max(choice_TE, 1)
    is_best_TE = (choice_TE == best_T[:, None]) & (choice_TE > float("-inf"))
    return best_T, tl.min(tl.where(is_best_TE, column_E[None, :], TILE_E), 1)


@triton.jit
def _keep_groups(
    choice_TE, column_E, NUM_EXPERTS: tl.constexpr, NUM_GROUPS: tl.constexpr, KEPT_GROUPS: tl.constexpr,
    BY_TWO: tl.constexpr, TILE_T: tl.constexpr, TILE_E: tl.constexpr, TILE_G: tl.constexpr,
):  # fmt: skip
    """Put -inf for the experts outside of each token's best groups."""
    group_E = column_E // (NUM_EXPERTS // NUM_GROUPS)
    group_G = tl.arange(0, TILE_G)
    score_TG = tl.full([TILE_T, TILE_G], float("-inf"), tl.float32)
    for group in range(NUM_GROUPS):
        member_TE = tl.where((group_E == group)[None, :], choice_TE, float("-inf"))
        best_T, first_T = _first_best(member_TE, column_E, TILE_E)
        if BY_TWO:
            others_TE = tl.where(column_E[None, :] == first_T[:, None], float("-inf"), member_TE)
            second_T = tl.max(others_TE, 1)
            best_T += tl.where(second_T > float("-inf"), second_T, 0.0)
        score_TG = tl.where((group_G == group)[None, :], best_T[:, None], score_TG)
    kept_TE = tl.zeros([TILE_T, TILE_E], tl.int32)
    for _ in range(KEPT_GROUPS):
        _, group_T = _first_best(score_TG, group_G, TILE_G)
        kept_TE += (group_E[None, :] == group_T[:, None]).to(tl.int32)
        score_TG = tl.where(group_G[None, :] == group_T[:, None], float("-inf"), score_TG)
    return tl.where(kept_TE > 0, choice_TE, float("-inf"))


# A batch that grows compiles once, also where logits lie expert after expert: their strides are 1 and num_tokens.
@triton.jit(do_not_specialize=["num_tokens", "stride_logits_T", "stride_logits_E", "stride_tokens"])
def routing_kernel(
    weights_TK, ids_TK, counts_E, logits_TE, bias_E, map_E, token_ids_T, table_VK,
    num_tokens, scaling, stride_logits_T, stride_logits_E, stride_table_V, stride_table_K, stride_bias, stride_map,
    stride_tokens,
    NUM_EXPERTS: tl.constexpr, TOP_K: tl.constexpr, SIGMOID: tl.constexpr, LATE_SOFTMAX: tl.constexpr,
    RENORMALIZE: tl.constexpr, BIASED: tl.constexpr, NUM_GROUPS: tl.constexpr, KEPT_GROUPS: tl.constexpr,
    MAPPED: tl.constexpr, HASHED: tl.constexpr,
    TILE_T: tl.constexpr, TILE_E: tl.constexpr, TILE_G: tl.constexpr, TILE_K: tl.constexpr,
):  # fmt: skip
    """Route a tile of tokens, and count what each expert gets into counts, which begin as 0."""
    token_T = tl.program_id(0).to(tl.int64) * TILE_T + tl.arange(0, TILE_T)
    live_T = token_T < num_tokens
    column_E = tl.arange(0, TILE_E)
    live_TE = live_T[:, None] & (column_E < NUM_EXPERTS)[None, :]
    logits = logits_TE + token_T[:, None] * stride_logits_T + column_E[None, :].to(tl.int64) * stride_logits_E
    logit_TE = tl.load(logits, mask=live_TE, other=float("-inf"))
    broken_T = tl.max((logit_TE != logit_TE).to(tl.int32), 1) > 0
    usable_TE = live_TE & (logit_TE > float("-inf")) & (broken_T == 0)[:, None]
    logit_TE = tl.where(usable_TE, logit_TE, float("-inf"))

    if SIGMOID:
        score_TE = 1.0 / (1.0 + tl.exp(-logit_TE))
    elif LATE_SOFTMAX:
        score_TE = logit_TE
    else:
        peak_T = tl.max(logit_TE, 1)
        peak_T = tl.where(peak_T > float("-inf"), peak_T, 0.0)
        score_TE = tl.exp(logit_TE - peak_T[:, None])
        total_T = tl.sum(score_TE, 1)
        score_TE = score_TE / tl.where(total_T > 0, total_T, 1.0)[:, None]
    choice_TE = tl.where(usable_TE, score_TE, float("-inf"))
    if BIASED:
        choice_TE += tl.load(bias_E + column_E * stride_bias, mask=column_E < NUM_EXPERTS, other=0.0)[None, :]
    if NUM_GROUPS > 1:
        choice_TE = _keep_groups(
            choice_TE, column_E, NUM_EXPERTS, NUM_GROUPS, KEPT_GROUPS, BIASED, TILE_T, TILE_E, TILE_G
        )
    if HASHED:
        words_T = table_VK + tl.load(token_ids_T + token_T * stride_tokens, mask=live_T, other=0) * stride_table_V

    slot_K = tl.arange(0, TILE_K)
    weight_TK = tl.full([TILE_T, TILE_K], float("-inf") if LATE_SOFTMAX else 0.0, tl.float32)
    here_TK = tl.zeros([TILE_T, TILE_K], tl.int32)
    for slot in range(TOP_K):
        if HASHED:
            chosen_T = tl.load(words_T + slot * stride_table_K, mask=live_T, other=TILE_E).to(tl.int32)
            is_chosen_TE = (column_E[None, :] == chosen_T[:, None]) & usable_TE
            found_T = tl.max(is_chosen_TE.to(tl.int32), 1) > 0
        else:
            best_T, chosen_T = _first_best(choice_TE, column_E, TILE_E)
            found_T = best_T > float("-inf")
            is_chosen_TE = column_E[None, :] == chosen_T[:, None]
            choice_TE = tl.where(is_chosen_TE, float("-inf"), choice_TE)
        # The score itself: the choice less its bias would have lost what the bias swamps.
        score_T = tl.max(tl.where(is_chosen_TE, score_TE, float("-inf")), 1)
        weight_TK = tl.where((slot_K == slot)[None, :] & found_T[:, None], score_T[:, None], weight_TK)
        id_T = tl.where(found_T, chosen_T, -1)
        if MAPPED:
            id_T = tl.load(map_E + id_T * stride_map, mask=found_T, other=-1).to(tl.int32)
            here_TK = tl.where((slot_K == slot)[None, :], (id_T >= 0).to(tl.int32)[:, None], here_TK)
        tl.store(ids_TK + token_T * TOP_K + slot, id_T.to(tl.int64), mask=live_T)
        tl.atomic_add(counts_E + id_T, 1, mask=live_T & (id_T >= 0))

    if LATE_SOFTMAX:
        peak_T = tl.max(weight_TK, 1)
        peak_T = tl.where(peak_T > float("-inf"), peak_T, 0.0)
        weight_TK = tl.exp(weight_TK - peak_T[:, None])
        total_T = tl.sum(weight_TK, 1)
        weight_TK = weight_TK / tl.where(total_T > 0, total_T, 1.0)[:, None]
    elif RENORMALIZE:
        weight_TK = weight_TK / (tl.sum(weight_TK, 1) + 1e-20)[:, None]
    place_TK = token_T[:, None] * TOP_K + slot_K[None, :]
    live_TK = live_T[:, None] & (slot_K < TOP_K)[None, :]
    if MAPPED:
        weight_TK = tl.where(here_TK > 0, weight_TK, 0.0)
    tl.store(weights_TK + place_TK, weight_TK * scaling, mask=live_TK)


@triton.jit(do_not_specialize=["num_tokens", "capacity"])
def drop_kernel(
    weights_TK, kept_TK, ids_TK, counts_E, num_tokens, capacity, TOP_K: tl.constexpr, TILE: tl.constexpr
):  # fmt: skip
    """Take away an expert's routes beyond the first `capacity`, first choices before second ones; count the rest.

    `kept` begins as a copy of ids, which programs of other experts read meanwhile.
    """
    expert = tl.program_id(0)
    seen = tl.zeros((), tl.int64)
    num_routes = num_tokens.to(tl.int64) * TOP_K
    for first in range(0, num_routes, TILE):
        place = first + tl.arange(0, TILE)
        live = place < num_routes
        route = place % num_tokens * TOP_K + place // num_tokens
        mine = (tl.load(ids_TK + route, mask=live, other=-1) == expert).to(tl.int64)
        rank = seen + tl.cumsum(mine, 0)
        dropped = (mine > 0) & (rank > capacity)
        tl.store(kept_TK + route, -1, mask=dropped)
        tl.store(weights_TK + route, 0.0, mask=dropped)
        seen += tl.sum(mine, 0)
    tl.store(counts_E + expert, tl.minimum(seen, capacity))


def moe_routing(
    router_logits: Tensor,
    *,
    top_k: int,
    scoring: str = "softmax",
    renormalize: bool = True,
    scaling: float = 1.0,
    selection_bias: Tensor | None = None,
    num_groups: int = 1,
    kept_groups: int = 1,
    capacity: int | None = None,
    token_ids: Tensor | None = None,
    hash_table: Tensor | None = None,
    expert_map: Tensor | None = None,
    num_local: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Route tokens; arguments and result as the reference's, without expert choice."""
    num_tokens, num_experts = router_logits.shape
    weights = router_logits.new_empty(num_tokens, top_k)
    ids = torch.empty(num_tokens, top_k, dtype=torch.int64, device=router_logits.device)
    counts = torch.zeros(num_local or num_experts, dtype=torch.int64, device=router_logits.device)
    if num_tokens == 0:  # CUDA refuses an empty grid
        return weights, ids, counts
    tile_E = triton.next_power_of_2(num_experts)
    tile_T = max(1, min(16, _SCORES // tile_E))
    # What is not there is not read; any tensor stands in for it.
    table, bias = _or(hash_table, ids), _or(selection_bias, counts)
    local, words = _or(expert_map, counts), _or(token_ids, counts)
    routing_kernel[(triton.cdiv(num_tokens, tile_T),)](
        weights, ids, counts, router_logits, bias, local, words, table,
        num_tokens, scaling, *router_logits.stride(), *table.stride(), *bias.stride(), *local.stride(), *words.stride(),
        NUM_EXPERTS=num_experts, TOP_K=top_k, SIGMOID=scoring == "sigmoid", LATE_SOFTMAX=scoring == "topk_softmax",
        RENORMALIZE=renormalize, BIASED=selection_bias is not None, NUM_GROUPS=num_groups, KEPT_GROUPS=kept_groups,
        MAPPED=expert_map is not None, HASHED=hash_table is not None, TILE_T=tile_T, TILE_E=tile_E,
        TILE_G=triton.next_power_of_2(num_groups), TILE_K=triton.next_power_of_2(top_k),
    )  # fmt: skip
    if capacity is not None:
        kept = ids.clone()
        drop_kernel[(num_experts,)](weights, kept, ids, counts, num_tokens, capacity, TOP_K=top_k, TILE=128)
        ids = kept
    return weights, ids, counts


def _or(tensor: Tensor | None, other: Tensor) -> Tensor:
    return other if tensor is None else tensor
