"""The documents of a space. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ricordo.flows import documents as document_flow
from ricordo.handles.collection import Collection
from ricordo.model import Chunk, Document, Json, Origin


class SpaceDocuments(Collection):
    """The documents of a space; `Space.ingest` adds one."""

    def list(self, prefix: str = "") -> builtins.list[Document]:
        """Documents whose URI or path begins with `prefix`, by URI. `Space.forget` deletes one."""
        return document_flow.documents(self._engine, self._space, prefix)

    def get(self, uri: str | Document) -> Document | None:
        """The document with this URI or path, or None."""
        return document_flow.get_document(self._engine, self._space, self._refer(uri, Document))

    def chunks(self, uri: str | Document) -> builtins.list[Chunk]:
        """The chunks of a document in order: what is indexed of it, and where that stands."""
        return document_flow.list_chunks(self._engine, self._space, self._refer(uri, Document))

    def ingest_folder(
        self,
        folder: str | Path,
        *,
        pattern: str = "**/*",
        forget_missing: bool = False,
        origin: Origin | None = None,
        metadata: Mapping[str, Json] | None = None,
        tags: Iterable[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> builtins.list[Document]:
        """Ingest every readable file of a folder; `forget_missing` forgets files that are gone.

        `origin`, `metadata` and `tags` go to each of the documents.
        """
        return document_flow.ingest_folder(
            self._engine,
            self._space,
            folder,
            pattern=pattern,
            forget_missing=forget_missing,
            origin=origin,
            metadata=metadata,
            tags=tags,
            progress=progress,
        )
