"""Exchange: export, import, copy."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.exchange import copy_space as copy_space
else:
    __getattr__ = open_room(__name__)
