"""What published kernels mean: matrix products, quantisation, sampling, indexing, sorting, vision."""

import itertools

import pytest
import torch
from torch import Tensor

from eagerdiff.reference.catalog import gemm, indexing, norms, quantisation, sampling, sorting, vision

SIZES = (1, 2, 5)


@pytest.fixture
def drawn() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def normal(drawn: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=drawn, dtype=torch.float64)


def below(drawn: torch.Generator, most: int, *shape: int) -> Tensor:
    return torch.randint(0, most, shape, generator=drawn)


@pytest.mark.parametrize(("rows", "inner"), itertools.product(SIZES, SIZES))
def test_products(rows: int, inner: int, drawn: torch.Generator) -> None:
    a, b, bias = normal(drawn, rows, inner), normal(drawn, inner, 3), normal(drawn, 3)
    sums = [[sum(a[i, k] * b[k, j] for k in range(inner)) for j in range(3)] for i in range(rows)]
    right = torch.tensor(sums, dtype=torch.float64)
    torch.testing.assert_close(gemm.matmul_bias(a, b, bias), right + bias)
    torch.testing.assert_close(gemm.bmm(a[None], b[None])[0], right)


@pytest.mark.parametrize("inner", [1, 5, 9])
def test_scaled_products(inner: int, drawn: torch.Generator) -> None:
    a, b = below(drawn, 255, 4, inner).sub(127).to(torch.int8), below(drawn, 255, inner, 6).sub(127).to(torch.int8)
    left, right = normal(drawn, 4, 1), normal(drawn, 6, 1)
    wanted = (a.double() * left) @ (b.double() * right.T)
    torch.testing.assert_close(gemm.scaled_mm(a, b, left, right), wanted)
    torch.testing.assert_close(gemm.scaled_mm_t(a, b.T.contiguous(), left, right), wanted)
    left, right = normal(drawn, 4, -(-inner // 4)), normal(drawn, 2, -(-inner // 4))
    found = gemm.block_scaled_mm(a, b.T, left, right, 4)
    for row, column in itertools.product(range(4), range(6)):
        terms = [
            float(a[row, k]) * left[row, k // 4] * float(b[k, column]) * right[column // 4, k // 4]
            for k in range(inner)
        ]
        torch.testing.assert_close(found[row, column], torch.stack(terms).sum())


def test_packed_weights_of_awq(drawn: torch.Generator) -> None:
    weights, order = below(drawn, 16, 6, 16), quantisation.AWQ_ORDER
    packed = torch.zeros(6, 2, dtype=torch.int64)
    for row, column in itertools.product(range(6), range(16)):
        packed[row, column // 8] |= int(weights[row, column]) << (4 * order[column % 8])
    words = packed.to(torch.int32)
    assert torch.equal(quantisation.unpack_awq(words), weights.int())
    scales, a = normal(drawn, 2, 16), normal(drawn, 3, 6)
    found = quantisation.dequantize_awq(words, scales, words[::3])
    for row in range(6):
        torch.testing.assert_close(found[row], (weights[row] - weights[row // 3 * 3]) * scales[row // 3])
    torch.testing.assert_close(quantisation.gemm_awq(a, words, scales, words[::3]), a @ found)


def test_packed_weights_in_order(drawn: torch.Generator) -> None:
    weights = below(drawn, 16, 16, 3)
    packed = quantisation.pack(weights)
    assert packed.shape == (2, 3)
    assert int(packed[0, 0]) & 15 == int(weights[0, 0])
    assert (int(packed[1, 2]) >> 28) & 15 == int(weights[15, 2])
    assert torch.equal(quantisation.unpack(packed), weights)
    a, scales = normal(drawn, 2, 16), normal(drawn, 2, 3)
    right = a[:, :8] @ ((weights[:8] - 8) * scales[0]) + a[:, 8:] @ ((weights[8:] - 8) * scales[1])
    torch.testing.assert_close(quantisation.gemm_int4(a, packed, scales), right)


def test_right_int8_rows_are_judged_right_and_a_step_beside_is_not(drawn: torch.Generator) -> None:
    x = normal(drawn, 4, 9)
    scale, none = quantisation.int8_rows(x)
    torch.testing.assert_close(scale[:, 0], torch.stack([row.abs().max() / 127 for row in x]))
    codes = (x / scale).round()
    assert torch.equal(quantisation.judged(x, codes, scale)[1], none)
    codes[2, 3] += 1
    assert quantisation.judged(x, codes, scale)[1].tolist() == [0, 0, 1, 0]
    assert quantisation.judged(torch.tensor([[1e6, -1e6]]), torch.tensor([[127, -128]]), scale[:1])[1].tolist() == [0]
    assert quantisation.judged(torch.zeros(1, 2), torch.ones(1, 2), torch.zeros(1))[1].tolist() == [0]


def test_right_fp8_numbers_are_judged_right_and_their_neighbours_are_not(drawn: torch.Generator) -> None:
    x, scale = 100 * normal(drawn, 4, 9), torch.tensor([0.5])
    x[0, 0] = 1e6
    right = (x / scale).clamp(-448, 448).to(torch.float8_e4m3fn)
    assert quantisation.judged_fp8(x, right, scale).tolist() == [0, 0, 0, 0]
    right.view(torch.uint8)[1, 2] += 1
    right.view(torch.uint8)[3, 0] = 0x7F  # NaN
    assert quantisation.judged_fp8(x, right, scale).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("codes", [quantisation.NF4, quantisation.SIGNED_FP4])
def test_codes_of_four_bits(codes: tuple[float, ...], drawn: torch.Generator) -> None:
    packed, absmax = torch.tensor([0x1F, 0x70], dtype=torch.uint8), torch.tensor([2.0, 3.0])
    found = quantisation.dequantize_4bit(packed, absmax, 2, codes)
    right = [2 * codes[1], 2 * codes[15], 3 * codes[7], 3 * codes[0]]
    torch.testing.assert_close(found, torch.tensor(right))
    assert quantisation.is_nearest_code(found, found, absmax, 2, codes).all()
    away = found.clone()
    away[1] = 2 * codes[14]
    assert quantisation.is_nearest_code(found, away, absmax, 2, codes).tolist() == [True, False, True, True]


def test_norms_of_rows(drawn: torch.Generator) -> None:
    x, other, weight = normal(drawn, 3, 5), normal(drawn, 3, 5), normal(drawn, 5)
    total = x + other
    right = total / (total.pow(2).mean(1, keepdim=True) + 1e-6).sqrt()
    torch.testing.assert_close(quantisation.rms_norm_rows(total, weight), right * weight)
    torch.testing.assert_close(norms.gemma_rms_norm_(total.clone(), weight), right * (1 + weight))
    assert norms.add_rms_norm_(x, other, weight)[0] is x
    torch.testing.assert_close(x, right * weight)
    torch.testing.assert_close(other, total)
    torch.testing.assert_close(norms.log_softmax(x).exp().sum(-1), torch.ones(3, dtype=torch.float64))


def test_log_probabilities_and_ranks(drawn: torch.Generator) -> None:
    logits, ids = normal(drawn, 3, 7), below(drawn, 7, 3, 2)
    right = torch.log(torch.softmax(logits, -1))
    for row, at in itertools.product(range(3), range(2)):
        torch.testing.assert_close(sampling.token_logprobs(logits, ids)[row, at], right[row, ids[row, at]])
    ordered = logits.argsort(-1, descending=True)
    ranks = [ordered[row].tolist().index(int(ids[row, 0])) + 1 for row in range(3)]
    assert sampling.token_ranks(logits, ids[:, 0]).tolist() == ranks


def test_temperature_min_p_and_softcap(drawn: torch.Generator) -> None:
    logits, request = normal(drawn, 3, 7), torch.tensor([1, 0, 1])
    heated, kept, capped = logits.clone(), logits.clone(), logits.clone()
    sampling.temperature_(heated, request, torch.tensor([0.0, 2.0]))
    torch.testing.assert_close(heated, torch.stack((logits[0] / 2, logits[1], logits[2] / 2)))
    sampling.min_p_(kept, request, torch.tensor([0.0, 0.5]))
    probs = logits.softmax(-1)
    least = 0.5 * probs.amax(-1, keepdim=True)
    least[1] = 0
    assert torch.equal(kept.isneginf(), probs < least)
    sampling.softcap_(capped, 3.0)
    torch.testing.assert_close(capped, 3 * (logits / 3).tanh())


def test_penalties(drawn: torch.Generator) -> None:
    logits = torch.tensor([[1.0, -1.0, 2.0, 3.0]] * 3)
    bits, counts = torch.tensor([[0b0001]], dtype=torch.int32), torch.tensor([[0, 2, 0, 0]], dtype=torch.int32)
    one, request = torch.ones(1), torch.zeros(3, dtype=torch.int32)
    ids, position = torch.tensor([3, 2, 2]), torch.tensor([0, 1, 2])
    sampling.penalties_(logits, request, ids, position, 2 * one, 0.5 * one, 0.25 * one, bits, counts)
    second = [0.5, -2 - 1 - 0.25, 1 - 0.5 - 0.25, 3.0]
    torch.testing.assert_close(logits[0], torch.tensor([0.5, -2 - 1 - 0.25, 2.0, 3.0]))
    torch.testing.assert_close(logits[1], torch.tensor(second))
    torch.testing.assert_close(logits[2], torch.tensor([*second[:2], 1 - 1 - 0.25, 3.0]))


def test_top_k_top_p() -> None:
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05], [0.05, 0.15, 0.3, 0.5]]).log()
    found = sampling.top_k_top_p(logits, torch.tensor([4, 2]), torch.tensor([0.75, 0.99])).exp()
    torch.testing.assert_close(found, torch.tensor([[0.0, 0.0, 0.3, 0.5], [0.0, 0.0, 0.3, 0.5]]))


def test_what_is_accepted_of_a_draft() -> None:
    draft, target = torch.tensor([1, 2, 3, 4, 5]), torch.tensor([1, 9, 3, 4, 5])
    found = sampling.accepted(draft, target, torch.tensor([[7], [8], [6]]), torch.tensor([3, 3, 5]), 3)
    assert found.tolist() == [[1, 9, -1, -1], [8, -1, -1, -1], [4, 5, 6, -1]]
    assert sampling.expand(torch.tensor([4, 5, 6]), torch.tensor([2, 2, 3]), 3).tolist() == [4, 4, 6]


def test_masks_of_bits_and_what_is_left_of_probabilities() -> None:
    logits = torch.zeros(1, 34)
    sampling.mask_bits_(logits, torch.tensor([[-2, 1]], dtype=torch.int32))
    assert logits.isneginf().nonzero()[:, 1].tolist() == [0, 33]
    probs = torch.tensor([[0.5, 0.3, 0.2]])
    torch.testing.assert_close(sampling.renormalize(probs, torch.tensor([0.25])), torch.tensor([[0.625, 0.375, 0.0]]))
    assert sampling.count_nan(torch.tensor([[1.0, torch.nan], [0.0, 0.0]])).tolist() == [1, 0]


def test_indexing(drawn: torch.Generator) -> None:
    x, ids = normal(drawn, 3, 5), torch.tensor([4, 0])
    assert torch.equal(indexing.index_select(x, ids), torch.stack((x[:, 4], x[:, 0]), 1))
    assert torch.equal(indexing.embedding(x.T, ids), torch.stack((x[:, 4], x[:, 0])))
    assert indexing.masked_select(x, x > 0).tolist() == [number for number in x.flatten().tolist() if number > 0]
    assert indexing.nonzero(torch.tensor([[0, 2], [3, 0]])).tolist() == [[0, 1], [1, 0]]
    assert indexing.isin(torch.tensor([[1, 2]]), torch.tensor([2, 3])).tolist() == [[False, True]]
    for shift in (-7, -1, 0, 2, 9):
        assert torch.equal(indexing.roll(x, shift), torch.roll(x, shift, 1))
    assert indexing.diag(x, 3).tolist() == [x[0, 3].item(), x[1, 4].item()]
    assert indexing.diag(x, -2).tolist() == [x[2, 0].item()]


def test_sorting(drawn: torch.Generator) -> None:
    x = torch.tensor([[2.0, 1.0, 2.0]])
    assert [one.tolist() for one in sorting.sort(x, descending=False)] == [[[1.0, 2.0, 2.0]], [[1, 0, 2]]]
    assert [one.tolist() for one in sorting.sort(x, descending=True)] == [[[2.0, 2.0, 1.0]], [[0, 2, 1]]]
    x = normal(drawn, 2, 9)
    torch.testing.assert_close(sorting.topk(x, 4), x.topk(4).values)
    torch.testing.assert_close(sorting.cummax(x)[:, 3], x[:, :4].amax(1))
    values, inverse, counts = sorting.unique(torch.tensor([3, 1, 3]))
    assert [values.tolist(), inverse.tolist(), counts.tolist()] == [[1, 3], [1, 0, 1], [1, 2]]
    found = sorting.topk_ids(torch.tensor([[3.0, 1.0, 2.0]]), torch.tensor([2]), 3, descending=False)
    assert found.nan_to_num(-1).tolist() == [[1.0, 3.0, -1.0]]


def test_boxes_and_cells() -> None:
    boxes = torch.tensor([[0.0, 0, 2, 2], [0, 0, 2, 1], [5, 5, 6, 6]])
    scores = torch.tensor([0.5, 0.9, 0.1])
    assert vision.nms(boxes, scores, 0.4).tolist() == [1, 2]
    assert vision.nms(boxes, scores, 0.5).tolist() == [1, 0, 2]
    assert vision.nms(boxes[:0], scores[:0], 0.5).tolist() == []
    cells = torch.tensor([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    points = torch.tensor([[1.0], [2.0], [4.0]])
    found = vision.bev_pool(points, cells, torch.tensor([0, 2]), torch.tensor([2, 1]), (1, 1, 2, 2))
    assert found.flatten().tolist() == [0.0, 4.0, 3.0, 0.0]
