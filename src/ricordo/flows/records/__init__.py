"""Records: values under a path and a key, one use case a module."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.records import requests as requests
else:
    __getattr__ = open_room(__name__)
