"""The collections of a space: what is managed by its own handle rather than by a verb."""

from typing import TYPE_CHECKING, Any, TypeVar

from ricordo import handles
from ricordo.flows import records
from ricordo.flows.engine import Engine
from ricordo.flows.redaction import guard
from ricordo.handles.collection import Collection
from ricordo.handles.references import SessionName, refer
from ricordo.handles.session import Session
from ricordo.model import SessionInfo

if TYPE_CHECKING:
    from ricordo.handles.approvals import SpaceApprovals
    from ricordo.handles.documents import SpaceDocuments
    from ricordo.handles.dreams import SpaceDreams
    from ricordo.handles.exchange import SpaceExchange
    from ricordo.handles.files import SpaceFiles
    from ricordo.handles.macros import SpaceMacros
    from ricordo.handles.records import SpaceRecords
    from ricordo.handles.reminders import SpaceReminders
    from ricordo.handles.schedules import SpaceSchedules

Kept = TypeVar("Kept", bound=Collection)


class SpaceCollections:
    """What a space consists of besides its entries and sessions."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = name

    @property
    def schedules(self) -> "SpaceSchedules":
        """Its schedules: list, change, pause and delete them, and read their runs."""
        return self._collection(handles.schedules.SpaceSchedules)

    @property
    def reminders(self) -> "SpaceReminders":
        """Its reminders: list, claim and deliver them."""
        return self._collection(handles.reminders.SpaceReminders)

    @property
    def documents(self) -> "SpaceDocuments":
        """Its documents: list them and their chunks, or ingest a folder."""
        return self._collection(handles.documents.SpaceDocuments)

    @property
    def dreams(self) -> "SpaceDreams":
        """Its dreams: list and undo sweeps; signals, promotions and consolidation."""
        return self._collection(handles.dreams.SpaceDreams)

    @property
    def macros(self) -> "SpaceMacros":
        """Its macros: learn and suggest what follows a tool call."""
        return self._collection(handles.macros.SpaceMacros)

    @property
    def approvals(self) -> "SpaceApprovals":
        """Its approvals: allow, deny and judge commands."""
        return self._collection(handles.approvals.SpaceApprovals)

    @property
    def files(self) -> "SpaceFiles":
        """The files of its workspace: read, write, sync and commit them."""
        return self._collection(handles.files.SpaceFiles)

    @property
    def exchange(self) -> "SpaceExchange":
        """Export it, import into it, or follow its changes."""
        return self._collection(handles.exchange.SpaceExchange)

    def records(self, *path: str, history: bool = False) -> "SpaceRecords":
        """The records below a path: values under keys, for whoever keeps them.

        With `history` a put through this handle keeps what the record said before.
        """
        made = handles.records.SpaceRecords(
            self._engine, self.name, records.requests.read_path(path), history
        )
        return guard(made, self._engine.redact)

    def _collection(self, kind: type[Kept]) -> Kept:
        return guard(kind(self._engine, self.name), self._engine.redact)

    def _refer(self, given: object, *kinds: type[Any]) -> Any:  # Any: see `refer`
        return refer(self._engine, self.name, given, *kinds)

    def _session_of(self, given: SessionName | None) -> Any:
        return self._refer(given, Session, SessionInfo)
