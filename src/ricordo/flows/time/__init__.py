"""Time: schedules, claims and reminders."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.time import claims as claims
    from ricordo.flows.time import clocks as clocks
    from ricordo.flows.time import declared_schedules as declared_schedules
    from ricordo.flows.time import remind as remind
    from ricordo.flows.time import schedule as schedule
else:
    __getattr__ = open_room(__name__)
