"""A serving loop: prompts of several lengths, then a token at a time, the keys and values growing; sizes automatic."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LAYERS, HEADS, HEAD_DIM, VOCABULARY = 4, 8, 64, 8192
WIDTH = HEADS * HEAD_DIM
PROMPTS = ((2, 7), (1, 30), (4, 12), (3, 19))
"""Batch and length of each prompt."""
NEW_TOKENS = 24


class Decoder(nn.Module):
    """A decoder of 20 million parameters, whose keys and values are handed from call to call."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.projections = nn.ModuleList(nn.Linear(WIDTH, 3 * WIDTH) for _ in range(LAYERS))
        self.feed_forward = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
            for _ in range(LAYERS)
        )
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits [batch, vocabulary] of the last token, and the keys and values with those of the new tokens.

        tokens int64 [batch, new]; keys and values [layers, batch, heads, past, head_dim].
        """
        batch, new = tokens.shape
        past = keys.shape[3]
        x = self.embedding(tokens)
        mask = torch.arange(past + new)[None, :] <= past + torch.arange(new)[:, None]
        new_keys: list[Tensor] = []
        new_values: list[Tensor] = []
        for layer in range(LAYERS):
            mixed = self.projections[layer](x).view(batch, new, 3, HEADS, HEAD_DIM).permute(2, 0, 3, 1, 4)
            new_keys.append(torch.cat((keys[layer], mixed[1]), 2))
            new_values.append(torch.cat((values[layer], mixed[2]), 2))
            found = F.scaled_dot_product_attention(mixed[0], new_keys[-1], new_values[-1], mask)
            x = x + found.transpose(1, 2).reshape(batch, new, WIDTH)
            x = x + self.feed_forward[layer](x)
        return self.head(x[:, -1]), torch.stack(new_keys), torch.stack(new_values)


@torch.no_grad()
def serve(decoder: nn.Module, prompts: tuple[tuple[int, int], ...] = PROMPTS, new_tokens: int = NEW_TOKENS) -> int:
    """Answer prompts; return how many calls that took."""
    calls = 0
    for batch, length in prompts:
        tokens = torch.randint(0, VOCABULARY, (batch, length))
        keys = values = torch.zeros(LAYERS, batch, HEADS, 0, HEAD_DIM)
        for _ in range(new_tokens):
            logits, keys, values = decoder(tokens, keys, values)
            tokens = logits.argmax(-1, keepdim=True)
            calls += 1
    return calls


if __name__ == "__main__":
    model = Decoder().eval()
    model.compile()
    print(serve(model))
