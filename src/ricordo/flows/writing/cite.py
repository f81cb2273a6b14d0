"""Cite: what a citation in a context leads to besides an entry: an event, or a document.

Both are shown in the shape of an entry, so that whoever follows a citation gets one kind of answer.
"""

from ricordo.core.text import quotation
from ricordo.core.text.content import extract
from ricordo.model import Entry, Event
from ricordo.store.codec import loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.documents import DocumentRow

CATEGORY = "conversation"


def resolve_citation(tx: Tx, space: int, name: str, citation: str) -> Entry | None:
    """The event behind SESSION#SEQ, or the document behind a URI; `name` is the space's."""
    for session, seq in quotation.read_citation(citation):
        event = tx.events.one(space, (name, session), seq)
        if event is not None:
            return _of_event(event, citation)
    for uri in quotation.read_uri(citation):
        document = tx.documents.by_uri(space, uri)
        if document is not None:
            return _of_document(document, name)
    return None


def _of_event(event: Event, citation: str) -> Entry:
    return Entry(
        space=event.space,
        id=event.seq,
        uid=event.uid,
        name=citation,
        aliases=(),
        kind=event.kind,
        category=CATEGORY,
        content=extract(event.content, event.tool_calls),
        tags=(),
        concept_tags=(),
        origin=event.origin,
        source=event.session,
        importance=event.importance,
        metadata=event.metadata or {},
        created_at=event.at,
        updated_at=event.at,
        expires_at=None,
    )


def _of_document(row: DocumentRow, space: str) -> Entry:
    return Entry(
        space=space,
        id=row.id,
        uid="",
        name=row.uri,
        aliases=(),
        kind="file",
        category="document",
        content=row.text,
        tags=(),
        concept_tags=(),
        origin=row.origin,
        source=row.uri,
        importance=0.5,
        metadata=loads(row.metadata),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        expires_at=None,
    )
