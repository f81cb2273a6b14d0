"""What upkeep may take: events that are consolidated, and the rows that are left."""

import ricordo


def consolidated(space: ricordo.Space) -> None:
    """Everything important that is an hour old is consolidated, without a model."""
    assert space.dreams.consolidate(lambda *_: "a note", min_importance=0.7).events


def rows(memory: ricordo.Memory, table: str) -> int:
    [(count,)] = memory._engine.store._open_writer().raw.execute(f"SELECT count(*) FROM {table}")
    return count


SHORT_LIVED = {"event_days": 90, "revision_days": 90}  # what goes by its age, beside signals
