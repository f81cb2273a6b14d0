"""The library side of a space's handle: documents, consolidation, what models cost."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from ricordo.flows import documents as document_flow
from ricordo.flows.conversation import consolidate
from ricordo.flows.conversation.consolidate import Pass
from ricordo.flows.engine import Engine
from ricordo.flows.writing import read
from ricordo.model import Consolidation, Document, Event, Json, Spending


class Library:
    """Documents, consolidation, and what models cost."""

    _engine: Engine
    name: str

    def ingest(
        self,
        path_or_text: str | Path,
        uri: str | None = None,
        *,
        origin: str | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Document:
        """Take in a file, or a text; what has not changed since costs nothing.

        A `Path`, or without a `uri` a text that names an existing file, is read as a file. Give a
        `uri` with text that others wrote: then it is never taken for a path. An `origin` or
        `metadata` given with an unchanged text replaces what the document has.
        """
        return document_flow.ingest(
            self._engine, self.name, path_or_text, uri=uri, origin=origin, metadata=metadata
        )

    def ingest_folder(
        self,
        folder: str | Path,
        *,
        pattern: str = "**/*",
        forget_missing: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Document]:
        """Take in every readable file of a folder, and on wish forget those that are gone."""
        return document_flow.ingest_folder(
            self._engine,
            self.name,
            folder,
            pattern=pattern,
            forget_missing=forget_missing,
            progress=progress,
        )

    def documents(self, prefix: str = "") -> list[Document]:
        """The documents by URI, those that begin with `prefix`; `forget` takes one away."""
        return document_flow.documents(self._engine, self.name, prefix)

    def consolidate(
        self,
        model: Callable[[str, Sequence[Event]], str] | str | None = None,
        *,
        min_importance: float = 0.7,
        older_than: timedelta = timedelta(hours=1),
        per_session: int = 30,
        limit: int = 300,
    ) -> Consolidation:
        """Turn important events that have aged an hour into notes and facts, each event once."""
        due = Pass(model, min_importance, older_than, per_session, limit)
        return consolidate.consolidate(self._engine, self.name, due)

    def spending(self) -> list[Spending]:
        """What chat models were paid for in this space."""
        return read.list_spending(self._engine, self.name)
