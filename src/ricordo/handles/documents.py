"""The documents of a space. All of it are flows."""

import builtins  # `list` is a method here
from collections.abc import Callable
from pathlib import Path

from ricordo.flows import documents as document_flow
from ricordo.handles.collection import Collection
from ricordo.model import Document


class SpaceDocuments(Collection):
    """What a space was given to read; `Space.ingest` adds to it."""

    def list(self, prefix: str = "") -> builtins.list[Document]:
        """The documents by URI, those that begin with `prefix`; `Space.forget` takes one away."""
        return document_flow.documents(self._engine, self._space, prefix)

    def get(self, uri: str | Document) -> Document | None:
        """The document of a URI, or None."""
        return document_flow.get_document(self._engine, self._space, self._refer(uri, Document))

    def ingest_folder(
        self,
        folder: str | Path,
        *,
        pattern: str = "**/*",
        forget_missing: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> builtins.list[Document]:
        """Take in every readable file of a folder, and on wish forget those that are gone."""
        return document_flow.ingest_folder(
            self._engine,
            self._space,
            folder,
            pattern=pattern,
            forget_missing=forget_missing,
            progress=progress,
        )
