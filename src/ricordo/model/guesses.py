"""Guesses: names that people know from elsewhere, and what they are called here."""

# The methods that a name may stand for; the first that a handle has is suggested.
MEANT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("search", "query", "find", "ask", "retrieve", "similar"), ("recall",)),
    **dict.fromkeys(("add", "store", "save", "put", "insert", "create"), ("remember", "append")),
    **dict.fromkeys(("set", "upsert"), ("remember",)),
    **dict.fromkeys(("delete", "remove", "discard"), ("forget", "delete")),
    **dict.fromkeys(("clear", "reset", "delete_all", "delete_space"), ("erase", "forget")),
    **dict.fromkeys(("update", "edit", "modify"), ("write",)),
    **dict.fromkeys(("facts", "notes", "get_all", "all"), ("entries",)),
    **dict.fromkeys(("users", "namespaces", "collections"), ("spaces",)),
    **dict.fromkeys(("user", "namespace", "collection"), ("space",)),
    **dict.fromkeys(("thread", "chat"), ("session",)),
    **dict.fromkeys(("threads", "chats"), ("sessions",)),
    **dict.fromkeys(("messages", "history", "log"), ("events",)),
    **dict.fromkeys(("add_message", "say"), ("append",)),
    **dict.fromkeys(("add_messages", "append_many"), ("extend",)),
    **dict.fromkeys(("get_context", "prompt"), ("context",)),
    **dict.fromkeys(("versions", "revisions"), ("history",)),
    **dict.fromkeys(("upload", "load", "add_document", "add_documents"), ("ingest",)),
    **dict.fromkeys(("persist", "commit", "embed"), ("flush",)),
    **dict.fromkeys(("vacuum", "cleanup", "prune"), ("maintain",)),
    **dict.fromkeys(("verify", "validate"), ("check",)),
    **dict.fromkeys(("dump", "snapshot"), ("backup",)),
    **dict.fromkeys(("reindex", "rebuild"), ("index",)),
    **dict.fromkeys(("count", "info", "size"), ("stats",)),
}
