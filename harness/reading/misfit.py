"""What does not fit a model, in one line."""

from typing import Any

from pydantic import BaseModel, ValidationError
from typing_extensions import TypeVar

from eagerdiff.harness.reading.bounds import Unreadable

ModelT = TypeVar("ModelT", bound=BaseModel)


def misfit(error: ValidationError, whole: str = "it") -> str:
    """Return the first thing that does not fit, and where; `whole` is what is named where all of it does not."""
    found = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part)[:60] for part in found["loc"])
    return f"{place or whole}: {found['msg'][:200]}"


def fitted(model: type[ModelT], data: Any) -> ModelT:
    """Return data as a model; raise Unreadable where it does not fit."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise Unreadable(f"is malformed: {misfit(error)}") from error
    except RecursionError as error:
        raise Unreadable("is malformed: it nests too deep") from error
