"""Erasure: forget and delete, with everything derived, and prove it."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.erasure import drop_space as drop_space
    from ricordo.flows.erasure import erase as erase
else:
    __getattr__ = open_room(__name__)
