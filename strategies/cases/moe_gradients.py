"""One call of the gradients of a mixture of experts, as data."""

from eagerdiff import dynamic
from eagerdiff.strategies.cases.moe import MoeCase


class MoeGradientsCase(MoeCase):
    """Describe one call of `moe_gradients`: a mixture of experts, and the gradient of its output."""

    grad_zeros: bool = dynamic(False)
    """Whether half of the tokens' outputs have a gradient of 0, as masked tokens of a loss do."""
