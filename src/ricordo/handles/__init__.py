"""The handles: a memory, its spaces, their sessions and collections. Every method calls a flow."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.handles import approvals as approvals
    from ricordo.handles import documents as documents
    from ricordo.handles import dreams as dreams
    from ricordo.handles import exchange as exchange
    from ricordo.handles import files as files
    from ricordo.handles import macros as macros
    from ricordo.handles import records as records
    from ricordo.handles import reminders as reminders
    from ricordo.handles import schedules as schedules
else:
    __getattr__ = open_room(__name__)
