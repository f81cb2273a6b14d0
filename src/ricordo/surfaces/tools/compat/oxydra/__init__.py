"""Toolsets in the shape of oxydra: `notes` and `schedules`."""

from ricordo.surfaces.tools.compat.oxydra.notes import NOTES
from ricordo.surfaces.tools.compat.oxydra.schedules import SCHEDULES

__all__ = ["NOTES", "SCHEDULES"]
