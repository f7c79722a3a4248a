"""A training step: batches of other sizes and lengths each time, a mask, the loss, gradients, AdamW."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

WIDTH, CLASSES = 128, 10
BATCHES = ((16, 21), (16, 30), (16, 17), (9, 25))
"""Rows and length of each batch; the last one of an epoch is smaller."""


class Classifier(nn.Module):
    """Classify sequences by the mean of what an encoder makes of them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(WIDTH, 2 * WIDTH)
        self.norm = nn.LayerNorm(2 * WIDTH)
        self.second = nn.Linear(2 * WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return logits [batch, classes] of x [batch, length, width], where mask, bool [batch, length], is true."""
        x = x + self.second(F.gelu(self.norm(self.first(x))))
        kept = mask[..., None].to(x.dtype)
        return self.head((x * kept).sum(1) / kept.sum(1).clamp(min=1))


def train(classifier: nn.Module, optimizer: torch.optim.Optimizer, epochs: int = 1) -> int:
    """Make a step for each batch; return how many."""
    for _ in range(epochs):
        for rows, length in BATCHES:
            x, labels = torch.randn(rows, length, WIDTH), torch.randint(0, CLASSES, (rows,))
            mask = torch.arange(length)[None, :] < torch.randint(1, length + 1, (rows, 1))
            F.cross_entropy(classifier(x, mask), labels).backward()
            optimizer.step()
            optimizer.zero_grad()
    return epochs * len(BATCHES)


if __name__ == "__main__":
    model = Classifier()
    model.compile()
    print(train(model, torch.optim.AdamW(model.parameters()), epochs=4))
