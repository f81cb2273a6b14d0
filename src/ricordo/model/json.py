"""The shape of payloads."""

from typing import Any

Json = Any  # whatever json.dumps accepts: callers choose the shape
Content = str | list[Json] | dict[str, Json] | None  # text, or parts in the format of a model
