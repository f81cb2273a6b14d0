"""The space that tests of the HTTP API ask for, with something of every kind in it."""

from datetime import UTC, datetime, timedelta

from ricordo.surfaces.tools import registry

BASE = "/v1/spaces/ana"
TOOLS = [(each, tool) for each in registry.toolsets() for tool in registry.toolset(each)]


def furnish(space):
    """Something of every kind."""
    for number in range(7):
        space.remember(f"Note number {number}", name=f"note {number}", tags=["some"])
    space.write("note 0", "Note number zero")
    space.remember("Prefers window seats", name="travel/seat", aliases=["seat"], category="daily")
    chat = space.session("trip")
    for number in range(5):
        chat.append("user", f"Message number {number}")
    chat.write_scratchpad(["pack"])
    chat.summarize(force=True)
    plan = space.schedule("Send the report", "every weekday at 8:30", name="report")
    space.schedule("Water the plants", "daily at 9")
    space.remind("Call the bank", at=datetime.now(UTC) + timedelta(days=1))
    space.remind("Ask for the invoice", cue="project Atlas")
    space.ingest("A page of text", uri="doc:1")
    space.recall("window seats")
    return plan
