"""Probe: whether writes are kept at all. A module of its own, small as it is: it reads nothing, and
what checks a memory writes nothing."""

import os
from functools import partial

from ricordo.flows.engine import Engine
from ricordo.store.database import Tx

_KEY = "probe"  # in the settings of the file
_BYTES = 128 * 1024  # twice as much in hexadecimal: a full disk may well have room for a page


def probe(engine: Engine) -> None:
    """Write as much as a big entry takes, and take it away again; what fails is raised."""
    engine.store.write(partial(_put, os.urandom(_BYTES).hex()))
    engine.store.write(partial(_put, ""))


def _put(value: str, tx: Tx) -> None:
    tx.spaces.set(_KEY, value)
