"""One call of one's own code, as data: its sizes by name, and what else changes from call to call."""

from eagerdiff import Case, dynamic, static


class OwnCase(Case):
    """Describe one call."""

    settings: tuple[str, ...] | None = static(None)
    """Names of the compiler's drawn settings that are kept, where a way of compiling draws any; None keeps them all."""
    choices: tuple[tuple[str, bool | str | None], ...] = static(())
    """Drawn values that are no numbers, each with its argument."""
    dtype: str = static("")
    """Of the floating-point tensors of a kernel that nobody gave a dtype; float32 where it is empty."""
    config: int = static(0)
    """Which of their configurations a kernel's autotuners take, counted from 0 and around."""
    batch: tuple[int, ...] = dynamic(())
    """What `...` of a shape stands for."""
    sizes: dict[str, int] = dynamic(default_factory=dict)
    """By name."""
    numbers: dict[str, int | float] = dynamic(default_factory=dict)
    """Drawn Python numbers, by argument."""
    layouts: dict[str, str] = dynamic(default_factory=dict)
    """Memory layout by argument; contiguous where there is none."""
    fills: dict[str, str] = dynamic(default_factory=dict)
    """What the values are like, by argument; normal where there is none."""
