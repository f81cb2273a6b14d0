"""What runs by itself while a process has a memory open."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.background import jobs as jobs
    from ricordo.background import passes as passes
    from ricordo.background import scheduler as scheduler
else:
    __getattr__ = open_room(__name__)
