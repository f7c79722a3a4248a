"""Published architectures, small and of random weights: what a config alone builds, and nothing downloads.

Weights are arguments, as an exported program of a user's module has them; which are a module's own is `state`. The
packages that define them are imported when one is called.
"""
# pyright: reportMissingImports=false

import functools
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

TOKENS = 61
"""Of each vocabulary."""
SMALL: dict[str, Any] = {
    "vocab_size": TOKENS,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
}
ENDS = {"bos_token_id": 1, "eos_token_id": 2}
GROUPED: dict[str, Any] = {**SMALL, "num_key_value_heads": 2}


class Architecture(nn.Module):
    """Say what each has."""

    inputs: tuple[str, ...]
    """Axes of its data, in order: equal names, equal sizes; a dot is fixed."""
    whole = True
    """Whether it can be captured whole: not where Python loops over what data says."""


class Bert(Architecture):
    """BERT (arXiv 1810.04805), rows padded on the right."""

    inputs = ("batch seq", "batch seq")

    def __init__(self) -> None:
        super().__init__()
        from transformers import BertConfig, BertModel

        self.model = BertModel(BertConfig(**SMALL), add_pooling_layer=False)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return hidden states [batch, seq, width] of token ids and a mask [batch, seq]."""
        return self.model(ids, attention_mask=mask).last_hidden_state


class Gpt2(Architecture):
    """GPT-2."""

    inputs = ("batch seq",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import GPT2Config, GPT2LMHeadModel

        self.model = GPT2LMHeadModel(
            GPT2Config(vocab_size=TOKENS, n_positions=64, n_embd=16, n_layer=1, n_head=4, **ENDS)
        )

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits [batch, seq, tokens] of token ids [batch, seq]."""
        return self.model(ids, use_cache=False).logits


class Llama(Architecture):
    """LLaMA with grouped queries (arXiv 2307.09288), rows padded on the right."""

    inputs = ("batch seq", "batch seq")

    def __init__(self) -> None:
        super().__init__()
        from transformers import LlamaConfig, LlamaForCausalLM

        self.model = LlamaForCausalLM(LlamaConfig(**GROUPED))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return logits [batch, seq, tokens] of token ids and a mask [batch, seq]."""
        return self.model(ids, attention_mask=mask, use_cache=False).logits


class Mistral(Architecture):
    """Mistral with a sliding window (arXiv 2310.06825)."""

    inputs = ("batch seq",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import MistralConfig, MistralForCausalLM

        self.model = MistralForCausalLM(MistralConfig(**GROUPED, sliding_window=4))

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits [batch, seq, tokens] of token ids [batch, seq]."""
        return self.model(ids, use_cache=False).logits


class Qwen2Moe(Architecture):
    """Qwen's mixture of experts: how many rows an expert gets depends on data."""

    inputs = ("batch seq",)
    whole = False

    def __init__(self) -> None:
        super().__init__()
        from transformers import Qwen2MoeConfig, Qwen2MoeForCausalLM

        experts = {"moe_intermediate_size": 8, "shared_expert_intermediate_size": 8, "num_experts": 4}
        self.model = Qwen2MoeForCausalLM(Qwen2MoeConfig(**GROUPED, **experts, num_experts_per_tok=2))
        self.model.set_experts_implementation("eager")  # a loop over the experts that got rows

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits [batch, seq, tokens] of token ids [batch, seq]."""
        return self.model(ids, use_cache=False).logits


class T5(Architecture):
    """T5's encoder (arXiv 1910.10683), rows padded on the right."""

    inputs = ("batch seq", "batch seq")

    def __init__(self) -> None:
        super().__init__()
        from transformers import T5Config, T5EncoderModel

        self.model = T5EncoderModel(T5Config(vocab_size=TOKENS, d_model=16, d_kv=4, d_ff=24, num_layers=1, num_heads=4))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return hidden states [batch, seq, width] of token ids and a mask [batch, seq]."""
        return self.model(ids, attention_mask=mask).last_hidden_state


class Deberta(Architecture):
    """DeBERTa v2 (arXiv 2006.03654), relative positions, rows padded on the right."""

    inputs = ("batch seq", "batch seq")

    def __init__(self) -> None:
        super().__init__()
        from transformers import DebertaV2Config, DebertaV2Model

        config = DebertaV2Config(
            **SMALL, relative_attention=True, pos_att_type=["c2p", "p2c"], position_buckets=8, max_relative_positions=16
        )
        self.model = DebertaV2Model(config)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return hidden states [batch, seq, width] of token ids and a mask [batch, seq]."""
        return self.model(ids, attention_mask=mask).last_hidden_state


class ClipText(Architecture):
    """CLIP's text tower (arXiv 2103.00020), pooled at the largest id."""

    inputs = ("batch seq",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import CLIPTextConfig, CLIPTextModel

        self.model = CLIPTextModel(CLIPTextConfig(**SMALL, max_position_embeddings=64, **ENDS))

    def forward(self, ids: Tensor) -> Tensor:
        """Return pooled states [batch, width] of token ids [batch, seq]."""
        return self.model(ids).pooler_output


class Vit(Architecture):
    """ViT (arXiv 2010.11929), position embeddings interpolated."""

    inputs = ("batch . side side",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import ViTConfig, ViTModel

        small = {name: value for name, value in SMALL.items() if name != "vocab_size"}
        self.model = ViTModel(ViTConfig(**small, image_size=56, patch_size=8), add_pooling_layer=False)

    def forward(self, pixels: Tensor) -> Tensor:
        """Return hidden states [batch, patches + 1, width] of images [batch, 3, side, side]."""
        return self.model(pixels, interpolate_pos_encoding=True).last_hidden_state


class ResNet(Architecture):
    """ResNet (arXiv 1512.03385) of basic blocks."""

    inputs = ("batch . side side",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import ResNetConfig, ResNetModel

        config = ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic")
        self.model = ResNetModel(config)

    def forward(self, pixels: Tensor) -> Tensor:
        """Return pooled features [batch, channels, 1, 1] of images [batch, 3, side, side]."""
        return self.model(pixels).pooler_output


class ConvNext(Architecture):
    """ConvNeXt (arXiv 2201.03545)."""

    inputs = ("batch . side side",)

    def __init__(self) -> None:
        super().__init__()
        from transformers import ConvNextConfig, ConvNextModel

        self.model = ConvNextModel(ConvNextConfig(num_stages=2, hidden_sizes=[8, 16], depths=[1, 1]))

    def forward(self, pixels: Tensor) -> Tensor:
        """Return pooled features [batch, channels] of images [batch, 3, side, side]."""
        return self.model(pixels).pooler_output


class Unet(Architecture):
    """The U-Net of diffusers, as diffusion models denoise images with it (arXiv 2006.11239)."""

    inputs = ("batch . 8*seq 8*seq",)

    def __init__(self) -> None:
        super().__init__()
        from diffusers import UNet2DModel

        self.model = UNet2DModel(
            in_channels=3,
            out_channels=3,
            layers_per_block=1,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            down_block_types=("DownBlock2D", "AttnDownBlock2D"),
            up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        )

    def forward(self, pixels: Tensor) -> Tensor:
        """Return noise [batch, 3, side, side] of images of that shape."""
        return self.model(pixels, 3).sample


class Vae(Architecture):
    """The autoencoder of latent diffusion (arXiv 2112.10752): encoded to the mean, and decoded."""

    inputs = ("batch . 8*seq 8*seq",)

    def __init__(self) -> None:
        super().__init__()
        from diffusers import AutoencoderKL

        self.model = AutoencoderKL(
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            block_out_channels=(8, 8),
            norm_num_groups=4,
        )

    def forward(self, pixels: Tensor) -> Tensor:
        """Return images [batch, 3, side, side] of images of that shape."""
        return self.model.decode(self.model.encode(pixels).latent_dist.mode()).sample


ARCHITECTURES: dict[str, type[Architecture]] = {
    "bert": Bert,
    "gpt2": Gpt2,
    "llama": Llama,
    "mistral": Mistral,
    "qwen2_moe": Qwen2Moe,
    "t5": T5,
    "deberta": Deberta,
    "clip_text": ClipText,
    "vit": Vit,
    "resnet": ResNet,
    "convnext": ConvNext,
    "unet": Unet,
    "vae": Vae,
}
"""By name."""


@functools.cache
def built(name: str) -> nn.Module:
    """Return an architecture with its random weights, the same in every process; raise ImportError."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return ARCHITECTURES[name]().eval().requires_grad_(False)


def state(name: str) -> dict[str, Tensor]:
    """Return the parameters and buffers of an architecture, of any shapes, by name."""
    module = built(name)
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def architecture(*args: Tensor, name: str) -> Tensor:
    """Call an architecture on its data, then its parameters and buffers, all of any shapes; return its output."""
    given = len(ARCHITECTURES[name].inputs)
    return functional_call(built(name), dict(zip(state(name), args[given:], strict=True)), args[:given])
