"""Installed: what a night ran with, as `eagerdiff doctor` tells it."""

from pydantic import BaseModel, ConfigDict


class Installed(BaseModel):
    """Say of one thing whether it is here."""

    model_config = ConfigDict(extra="forbid")

    part: str
    """package, C++ compiler."""
    name: str
    found: str
    """Version or path."""
    said: str = ""
    """Which versions are supported."""
    wrong: bool = False
    """Whether it is not as this project needs it."""
