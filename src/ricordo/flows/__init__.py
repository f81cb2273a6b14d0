"""Use cases, one file each: the only place where pure logic meets the store and the embedders."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows import documents as documents
else:
    __getattr__ = open_room(__name__)
