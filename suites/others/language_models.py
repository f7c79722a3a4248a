"""Of transformers: whole small models, a mixture of experts, masks, rotary embeddings, logits processors, losses."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check, sizes
from eagerdiff.suites.own.checked import Checked

TINY: dict[str, Any] = {
    "vocab_size": 61,
    "hidden_size": 32,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}


def llama(**asked: Any) -> Checked:
    from transformers import LlamaConfig, LlamaForCausalLM

    model = LlamaForCausalLM(LlamaConfig(**TINY)).eval()
    ids, mask = torch.randint(61, (2, 9)), torch.ones(2, 9, dtype=torch.int64)
    return check(model, ids, mask, use_cache=False, **asked)


def mistral_sliding_window(**asked: Any) -> Checked:
    from transformers import MistralConfig, MistralForCausalLM

    model = MistralForCausalLM(MistralConfig(**TINY, sliding_window=4)).eval()
    return check(model, torch.randint(61, (2, 9)), use_cache=False, **asked)


def qwen2_moe(**asked: Any) -> Checked:
    from transformers import Qwen2MoeConfig, Qwen2MoeForCausalLM

    config = Qwen2MoeConfig(**TINY, moe_intermediate_size=8, shared_expert_intermediate_size=8, num_experts=4)
    return check(Qwen2MoeForCausalLM(config).eval(), torch.randint(61, (2, 9)), use_cache=False, **asked)


def mixtral_experts(**asked: Any) -> Checked:
    from transformers import MixtralConfig
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

    block = MixtralSparseMoeBlock(MixtralConfig(**TINY, num_local_experts=4)).eval()
    _ = [torch.nn.init.normal_(weight, 0.0, 0.3) for weight in block.parameters()]
    return check(block, torch.randn(2, 7, 32), **asked)


def bert(**asked: Any) -> Checked:
    from transformers import BertConfig, BertModel

    config = BertConfig(vocab_size=61, hidden_size=16, num_hidden_layers=1, num_attention_heads=4, intermediate_size=20)
    ids, mask = torch.randint(61, (2, 9)), torch.ones(2, 9, dtype=torch.int64)
    return check(BertModel(config).eval(), ids, mask, **asked)


def t5_encoder(**asked: Any) -> Checked:
    from transformers import T5Config, T5EncoderModel

    model = T5EncoderModel(T5Config(vocab_size=61, d_model=16, d_kv=4, d_ff=20, num_layers=1, num_heads=4)).eval()
    return check(model, torch.randint(61, (2, 9)), **asked)


def t5_position_bucket(**asked: Any) -> Checked:
    from transformers.models.t5.modeling_t5 import T5Attention

    return check(T5Attention._relative_position_bucket, torch.arange(-8, 8)[None], **asked)


def deberta_log_bucket(**asked: Any) -> Checked:
    from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position

    return check(make_log_bucket_position, torch.arange(-8, 8), 4, 16, **asked)


def mamba_mixer(**asked: Any) -> Checked:
    from transformers import MambaConfig
    from transformers.models.mamba.modeling_mamba import MambaMixer

    mixer = MambaMixer(MambaConfig(hidden_size=8, state_size=4, num_hidden_layers=1), 0).eval()
    return check(mixer, torch.randn(2, 7, 8), **asked)


def apply_rotary_pos_emb(**asked: Any) -> Checked:
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    q, k, cos = torch.randn(2, 4, 7, 8), torch.randn(2, 2, 7, 8), torch.randn(2, 7, 8)
    return check(apply_rotary_pos_emb, q, k, cos, cos, **asked)


def repeat_kv(**asked: Any) -> Checked:
    from transformers.models.llama.modeling_llama import repeat_kv

    return check(repeat_kv, torch.randn(2, 3, 7, 8), 4, **asked)


def causal_mask(**asked: Any) -> Checked:
    from transformers.masking_utils import sdpa_mask

    named = {"batch_size": "b", "q_length": "q", "kv_length": "kv", "allow_is_causal_skip": False}
    return check(sdpa_mask, **named, b=sizes(1, 4), q=sizes(1, "kv"), kv=sizes(1, 64), **asked)


def load_balancing_loss(**asked: Any) -> Checked:
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    return check(load_balancing_loss_func, (torch.randn(12, 4), torch.randn(12, 4)), 4, 2, **asked)


def causal_lm_loss(**asked: Any) -> Checked:
    from transformers.loss.loss_utils import ForCausalLMLoss

    return check(ForCausalLMLoss, torch.randn(2, 7, 11), torch.randint(11, (2, 7)), 11, gradients=True, **asked)


def top_k(**asked: Any) -> Checked:
    from transformers import TopKLogitsWarper

    return check(TopKLogitsWarper(5), torch.randint(61, (2, 4)), torch.randn(2, 61), **asked)


def top_p(**asked: Any) -> Checked:
    from transformers import TopPLogitsWarper

    return check(TopPLogitsWarper(0.8), torch.randint(61, (2, 4)), torch.randn(2, 61), **asked)


def repetition_penalty(**asked: Any) -> Checked:
    from transformers import RepetitionPenaltyLogitsProcessor

    return check(RepetitionPenaltyLogitsProcessor(1.3), torch.randint(61, (2, 4)), torch.randn(2, 61), **asked)
