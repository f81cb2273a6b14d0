"""A query's vector that a caller made: checked, and scaled to length one. Whose model it is of, the
caller knows; only its dimensions can be compared."""

from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from ricordo.core.recall.growable import Array
from ricordo.errors import InvalidInput, shorten

MOST_DIMENSIONS = 65_536


def read_vector(given: object) -> Array:
    """A list of numbers as a vector of length one, or InvalidInput."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput(f"vector is {shorten(given)}; give a list of numbers")
    try:
        found = np.asarray(list(islice(given, MOST_DIMENSIONS + 1)))
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidInput(f"vector is not a list of numbers: {error}") from error
    if found.ndim != 1 or found.dtype.kind not in "iuf" or not 0 < len(found) <= MOST_DIMENSIONS:
        raise InvalidInput(
            f"vector is {shorten(given)}; give one list of 1 to {MOST_DIMENSIONS:,} numbers"
        )
    wide = found.astype(np.float64)
    largest = float(np.abs(wide).max())
    if not np.isfinite(largest):
        raise InvalidInput("vector holds NaN or infinity; give finite numbers")
    if largest == 0.0:
        raise InvalidInput(
            "vector holds zeros alone, which have no direction; embed the query again"
        )
    wide /= largest  # the squares of large numbers have no room
    unit: Array = (wide / np.sqrt(np.dot(wide, wide))).astype(np.float32)
    return unit


def check_dimensions(vector: Array, dimensions: int, model: str) -> None:
    """Refuse a vector that no vector of the model can be compared with."""
    if len(vector) != dimensions:
        raise InvalidInput(
            f"vector has {len(vector)} dimensions, the vectors of this space have {dimensions} "
            f"({model}); embed the query with the same model, or leave vector out"
        )
