"""The shape of payloads."""

from typing import Any

Json = Any  # whatever json.dumps takes: payloads are the caller's own shape
Content = str | list[Json] | dict[str, Json] | None  # text, or parts in the shape of some model
