"""Learning: dreams, macros, approvals."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.learning import approve as approve
    from ricordo.flows.learning import dream as dream
    from ricordo.flows.learning import dream_files as dream_files
    from ricordo.flows.learning import learn as learn
else:
    __getattr__ = open_room(__name__)
