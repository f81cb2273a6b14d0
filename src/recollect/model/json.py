"""The shape of payloads."""

from typing import Any

Json = Any  # whatever json.dumps takes: payloads are the caller's own shape
