"""Writing: append, remember, facts, and reading back what was written."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.writing import append as append
    from ricordo.flows.writing import append_once as append_once
    from ricordo.flows.writing import choice as choice
    from ricordo.flows.writing import facts as facts
    from ricordo.flows.writing import read as read
    from ricordo.flows.writing import remember as remember
    from ricordo.flows.writing import scratchpad as scratchpad
    from ricordo.flows.writing import wishes as wishes
else:
    __getattr__ = open_room(__name__)
