"""Upkeep: maintain, check, back up, salvage."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.upkeep import backup as backup
    from ricordo.flows.upkeep import check as check
    from ricordo.flows.upkeep import maintain as maintain
    from ricordo.flows.upkeep import probe as probe
    from ricordo.flows.upkeep import salvage as salvage
    from ricordo.flows.upkeep import stats as stats
else:
    __getattr__ = open_room(__name__)
