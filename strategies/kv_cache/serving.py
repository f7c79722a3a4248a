"""Serving traces at scale: when requests come, how long they are and what they share, from a seed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

MAX_LENGTH = 4096
"""Tokens of prompt and output together at most: 92 in 100 requests of the Azure trace have no more."""
Mixture = Sequence[tuple[float, float, float]]
"""Log-normal components: weight, median, standard deviation of the logarithm."""
PROMPTS: Mixture = ((0.04, 90, 1.35), (0.37, 334, 0.35), (0.41, 1092, 0.10), (0.18, 2926, 0.39))
OUTPUTS: Mixture = ((0.02, 15, 0.18), (0.64, 96, 0.47), (0.06, 522, 0.19), (0.28, 405, 0.05))
SYSTEM_PROMPTS = (64, 64, 96, 128, 192, 256, 384, 512)
"""Tokens of each; the first are asked for most, as 1, 1/2, 1/3, …"""
GOING_ON = 0.5
"""Share of requests that go on with an earlier conversation, where one is short enough."""
VOCABULARY = 32_000


@dataclass(frozen=True)
class Arrival:
    """Describe a request, with what the model is going to answer."""

    at: float
    """In steps of the engine."""
    prompt: tuple[int, ...]
    output: tuple[int, ...]


def arrivals(count: int, seed: int, *, a_step: float = 0.3) -> list[Arrival]:
    """Draw requests as in the conversations of Azure's LLM inference trace of 2023, `a_step` of them a step (Poisson).

    The lengths are mixtures fitted to the 19,366 requests of that trace by expectation maximisation (Patel et al.,
    "Splitwise", ISCA 2024; AzureLLMInferenceTrace_conv.csv of github.com/Azure/AzurePublicDataset). Trace against
    mixture: prompts have a mean of 1155 against 1155, percentiles 10, 50, 90, 99 of 207, 1020, 2734, 4142 against 244,
    1011, 2749, 5443; outputs a mean of 211 against 213, percentiles of 54, 129, 424, 601 against 55, 131, 424, 627.
    Prompts are then cut to MAX_LENGTH. That trace holds no text: what requests share (system prompts, conversations
    that go on) is assumed, not measured.
    """
    random = Random(seed)
    system = [_tokens(random, length) for length in SYSTEM_PROMPTS]
    popularity = [1 / (1 + rank) for rank in range(len(system))]
    conversations: list[tuple[int, ...]] = []
    drawn: list[Arrival] = []
    clock = 0.0
    for _ in range(count):
        clock += random.expovariate(a_step)
        output = _tokens(random, min(_length(random, OUTPUTS), MAX_LENGTH // 2))
        length = min(_length(random, PROMPTS), MAX_LENGTH - len(output))
        begun = _begun(random, conversations, length) or random.choices(system, popularity)[0]
        prompt = begun[:length] + _tokens(random, length - len(begun))
        drawn.append(Arrival(clock, prompt, output))
        conversations.append(prompt + output)
    return drawn


def _begun(random: Random, conversations: list[tuple[int, ...]], length: int) -> tuple[int, ...]:
    """Return a conversation that a prompt of this length may go on with, once; empty where there is none."""
    fitting = [index for index, tokens in enumerate(conversations) if len(tokens) < length]
    if not fitting or random.random() >= GOING_ON:
        return ()
    return conversations.pop(random.choice(fitting))


def _length(random: Random, mixture: Mixture) -> int:
    _, median, deviation = random.choices(mixture, [weight for weight, _, _ in mixture])[0]
    return max(1, round(random.lognormvariate(math.log(median), deviation)))


def _tokens(random: Random, count: int) -> tuple[int, ...]:
    return tuple(random.choices(range(VOCABULARY), k=max(0, count)))
