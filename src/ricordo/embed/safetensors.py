"""Read tensors from a safetensors file without copying them. Reading only, numpy types only."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    import numpy.typing as npt

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1"}
WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "I64": 8, "I32": 4, "I8": 1}
MAX_HEADER_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where one tensor lies in its file."""

    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int

    def open(self) -> "npt.NDArray[Any]":
        """Map the tensor into memory; pages are read when touched and shared between processes."""
        import numpy as np

        return np.memmap(self.path, DTYPES[self.dtype], "r", self.offset, self.shape)


def read_header(path: Path) -> dict[str, Tensor]:
    """List the tensors of the file by name; each is known to lie inside it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MAX_HEADER_BYTES, size - 8):
            raise InvalidInput(f"{path} is not a safetensors file: its header cannot be read")
        header = file.read(length)
    try:
        entries = json.loads(header)
        return {
            name: _tensor(path, entry, 8 + length, size)
            for name, entry in entries.items()
            if name != "__metadata__"
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} is not a valid safetensors file: {error}") from error


def _tensor(path: Path, entry: dict[str, Any], base: int, size: int) -> Tensor:
    dtype, shape = entry["dtype"], tuple(entry["shape"])
    begin, end = entry["data_offsets"]
    if dtype not in DTYPES:
        raise ValueError(f"tensors of type {dtype} are not read; save it as one of {list(DTYPES)}")
    count = 1
    for extent in shape:
        count *= extent
    if not (0 <= begin <= end <= size - base and end - begin == count * WIDTHS[dtype]):
        raise ValueError(f"a tensor of shape {shape} does not fit its place; the file is cut short")
    return Tensor(path, dtype, shape, base + begin)
