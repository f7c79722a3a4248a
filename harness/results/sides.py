"""Sides: one night under each of several torches, and what each finding's script says under all of them."""

import json

from pydantic import BaseModel, ConfigDict, Field

FILE = "sides.json"
VERSION = 1
"""Of the form of the file."""


class Side(BaseModel):
    """Say where one torch's night is told of."""

    model_config = ConfigDict(extra="forbid")

    name: str
    """torch 2.14.1; with its Python where two have one version."""
    folder: str
    """Of its report, beside `sides.json`."""
    code: int
    """Exit code of its night."""
    problem: str = ""
    """Why there is no report of it, in one line."""


class Told(BaseModel):
    """Say what a script tells under one torch."""

    model_config = ConfigDict(extra="forbid")

    state: str
    """present, gone or other."""
    why: str = ""
    """The line that it ended with, where it did not pass."""


class Crossed(BaseModel):
    """Hold a cause that some night met, and what one script of it tells under every torch."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str
    defect: str
    what: str
    """How it fails, in one line."""
    new: bool
    """Whether no corpus knew it in the night that met it."""
    script: str
    """Beside `sides.json`; empty where no finding has one."""
    met: list[str]
    """The sides whose nights met it."""
    told: dict[str, Told] = Field(default_factory=dict[str, Told])
    """Side → what the script tells; empty where there is none, or no time was left to ask."""

    @property
    def failing(self) -> list[str]:
        """The sides under which the script shows it."""
        return [side for side, told in self.told.items() if told.state == "present"]

    @property
    def passing(self) -> list[str]:
        """The sides under which it is gone."""
        return [side for side, told in self.told.items() if told.state == "gone"]

    @property
    def differs(self) -> bool:
        """Whether it is there under one and gone under another."""
        return bool(self.failing and self.passing)


class Sides(BaseModel):
    """Hold all of it; `sides.json` is this model's dump."""

    model_config = ConfigDict(extra="forbid")

    version: int = VERSION
    sides: list[Side] = Field(default_factory=list[Side])
    """The first is what the others are held against."""
    crossed: list[Crossed] = Field(default_factory=list[Crossed])
    interrupted: bool = False

    def worse(self, side: str) -> list[Crossed]:
        """Return what fails under one side and passes under the first; of the first, what passes under another."""
        first = self.sides[0].name
        return [
            one
            for one in self.crossed
            if side in one.failing and (bool(one.passing) if side == first else first in one.passing)
        ]


def schema() -> str:
    """Return the JSON schema of `sides.json`, as it is published (docs/sides.schema.json)."""
    return json.dumps(Sides.model_json_schema(mode="serialization"), indent=1) + "\n"
