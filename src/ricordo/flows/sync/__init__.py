"""Sync: notes and Markdown files, kept in step."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.sync import checkpoint as checkpoint
    from ricordo.flows.sync import sync as sync
else:
    __getattr__ = open_room(__name__)
