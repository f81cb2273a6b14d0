"""Files: the workspace of a space and its checkpoints."""

from typing import TYPE_CHECKING

from ricordo.rooms import open_room

if TYPE_CHECKING:
    from ricordo.flows.files import checkpoint as checkpoint
    from ricordo.flows.files import rename_space as rename_space
    from ricordo.flows.files import workspace as workspace
else:
    __getattr__ = open_room(__name__)
