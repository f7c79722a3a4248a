"""Of diffusers: a whole small UNet, its blocks, embeddings of time steps, noise that a scheduler adds."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check
from eagerdiff.suites.own.checked import Checked


def unet(**asked: Any) -> Checked:
    from diffusers import UNet2DModel

    small = {"block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4, "attention_head_dim": 4}
    blocks = {"down_block_types": ("DownBlock2D", "AttnDownBlock2D"), "up_block_types": ("AttnUpBlock2D", "UpBlock2D")}
    return check(UNet2DModel(**small, **blocks).eval(), torch.randn(2, 3, 8, 8), torch.tensor([3, 7]), **asked)


def resnet_block(**asked: Any) -> Checked:
    from diffusers.models.resnet import ResnetBlock2D

    block = ResnetBlock2D(in_channels=8, temb_channels=16, groups=4).eval()
    return check(block, torch.randn(2, 8, 6, 5), torch.randn(2, 16), **asked)


def transformer_block(**asked: Any) -> Checked:
    from diffusers.models.attention import BasicTransformerBlock

    block, context = BasicTransformerBlock(16, 4, 4, cross_attention_dim=12).eval(), torch.randn(2, 5, 12)
    return check(block, torch.randn(2, 9, 16), encoder_hidden_states=context, **asked)


def upsample(**asked: Any) -> Checked:
    from diffusers.models.upsampling import Upsample2D

    return check(Upsample2D(4, use_conv=True).eval(), torch.randn(2, 4, 5, 6), **asked)


def timestep_embedding(**asked: Any) -> Checked:
    from diffusers.models.embeddings import get_timestep_embedding

    return check(get_timestep_embedding, torch.tensor([1, 5, 30]), 32, **asked)


def ddpm_noise(**asked: Any) -> Checked:
    from diffusers import DDPMScheduler

    samples, noise = torch.randn(3, 4, 6), torch.randn(3, 4, 6)
    return check(DDPMScheduler(100).add_noise, samples, noise, torch.tensor([3, 50, 99]), **asked)
