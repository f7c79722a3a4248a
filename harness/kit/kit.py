"""What a kit says of a finding: `kit.json`, from which `issue.md` is written."""

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.corpus.interpreters import Ending

VERSION = 1


class Output(BaseModel):
    """Hold one output of one call against eager's, and both against the same computation in float64."""

    model_config = ConfigDict(extra="forbid")

    call: int
    """From 0."""
    output: int
    """Its number among the tensors that the call returns."""
    dtype: str
    shape: str
    differs: str = ""
    """What is wrong before any value is looked at: a type, dtype, shape, or strides."""
    off: float | None = None
    """Largest distance of the compiled result from float64's; None where the output is no floating-point number."""
    eager: float | None = None
    """Largest distance of eager's."""
    close: bool
    """Whether `torch.testing.assert_close` takes it for eager's at its default tolerances."""
    same: bool | None = None
    """Whether `torch._dynamo.utils.same` does, with float64 as the reference; None where there is no float64."""


class Kernel(BaseModel):
    """Hold one specialisation of a Triton kernel, compiled for a GPU that is not there."""

    model_config = ConfigDict(extra="forbid")

    name: str
    files: list[str]
    """Its code by stage, from TTIR to machine code; none of those after the first few."""
    registers: int = 0
    """A thread, of 32 bits."""
    spill_bytes: int = 0
    """A thread."""
    shared_bytes: int = 0
    """A block."""
    instructions: int = 0
    """Of PTX or amdgcn."""
    specialisation: str = ""
    """Types and attributes of the arguments, constants."""
    refused: str = ""
    """What Triton raises where it does not compile as the script has it; then there is no figure."""


class Similar(BaseModel):
    """Name what is known already, and may be the same."""

    model_config = ConfigDict(extra="forbid")

    title: str
    link: str = ""
    says: str = ""
    score: float
    """BM25 of the words that both have; the higher, the more alike."""


class Kit(BaseModel):
    """Say what was found out about one script."""

    model_config = ConfigDict(extra="forbid")

    version: int = VERSION
    script: str
    """Its name, without the suffix."""
    digest: str
    """SHA-256 of the script that the rest was found out with."""
    when: str
    """ISO 8601, UTC."""
    title: str
    """What the script says of itself."""
    torch: str
    here: Ending
    """How the script ends as it is."""
    error: str = ""
    """The end of what it printed."""
    layer: str
    """Where it goes wrong: eager, Dynamo, AOTAutograd, …; empty where it does not."""
    where: str = ""
    """torch's innermost function of the last traceback, as `module:function`."""
    layers: dict[str, Ending] = Field(default_factory=dict[str, Ending])
    """Back end of `torch.compile` → how the script ends with it."""
    bisector: str = ""
    """What torch's own CompilerBisector says: the subsystem, and which application of it."""
    outputs: list[Output] = Field(default_factory=list[Output])
    untold: str = ""
    """Why outputs were not compared."""
    releases: dict[str, Ending] = Field(default_factory=dict[str, Ending])
    """Release of torch → how the script ends there, the earliest first."""
    turns: str = ""
    """First bad and last good, or the reverse; or why there is no such place."""
    note: str = ""
    """What was said of its cause by hand."""
    link: str = ""
    """The public issue, or page, of that."""
    similar: list[Similar] = Field(default_factory=list[Similar])
    code: list[str] = Field(default_factory=list[str])
    """Files of generated code."""
    kernels: list[Kernel] = Field(default_factory=list[Kernel])
    """Triton kernels that Inductor generates for it, and those that it launches itself."""
    target: str = ""
    """For what GPU they were compiled."""
    interpreted: Ending | None = None
    """How the script ends on Triton's interpreter; None where it does not use Triton."""

    @property
    def shown(self) -> bool:
        """Whether the script shows its defect here."""
        return self.here.state.value == "present"
