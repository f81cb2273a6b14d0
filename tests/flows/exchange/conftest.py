"""A memory with something of everything that an export takes along."""

import pytest

import ricordo
from ricordo.testing import Lab


@pytest.fixture
def full(lab: Lab) -> ricordo.Memory:
    """A space with everything that an export holds."""
    memory = lab.open()
    ana = memory.space("ana")
    ana.remember("Lisbon", name="home", aliases=["city"], tags=["place"], metadata={"lang": "pt"},
                 importance=0.9, origin="user", source="told")  # fmt: skip
    lab.clock.advance(days=1)
    ana.write("home", "Porto")
    ana.fact("user", "dog", "Rex")
    ana.remember("A note without a name\nof two lines")
    chat = ana.session("trip")
    chat.append("user", "Hello — ¡hola!", name="Ana", metadata={"a": [1, None]}, importance=0.9)
    chat.append("assistant", [{"type": "text", "text": "parts"}], seq=7)
    chat.append("assistant", None, tool_calls=[{"id": "1", "function": {"name": "f"}}])
    chat.append("tool", "done", tool_call_id="1")
    chat.write_scratchpad(["do this", "do that"])
    lab.clock.advance(days=1)
    ana.dreams.consolidate()
    chat.compact()
    ana.ingest("A document about herons", uri="doc:herons", metadata={"page": 1})
    ana.remind("Call the bank", at="tomorrow 9am")
    ana.remind("Ask for it", cue="project Atlas")
    ana.remind("Pay the invoice", at="in 5 hours", cue="project Atlas")
    plan(lab, memory)
    learn(lab, ana)
    return memory


def plan(lab: Lab, memory: ricordo.Memory) -> None:
    """Schedules with their runs, a reminder that was delivered, and approvals."""
    ana = memory.space("ana")
    ana.schedule("Send the report", "every weekday at 8:30", tz="Europe/Berlin", name="report",
                 trusted=True, notify="never")  # fmt: skip
    ana.schedule("Check the oven", "in 20 minutes", name="oven", channel="kitchen")
    ana.schedule("Water the plants", "every 2 days", name="plants")
    ana.schedules.pause("plants")
    ana.remind("Take a break", at="in 5 minutes")
    ana.approvals.allow(["git", "status"])
    ana.approvals.deny(["rm"])
    lab.clock.advance(hours=1)
    ana.reminders.due()
    memory.keeper.run_schedules(lambda claim: f"did {claim.schedule.name}")


def learn(lab: Lab, ana: ricordo.Space) -> None:
    """Successions of tool calls, signals, and a promotion."""
    call = {"name": "open", "arguments": {"path": "a.md"}}
    ana.macros.learn([call, {"name": "read", "arguments": {"path": "a.md"}}] * 3)
    for day, query in enumerate(("home Porto", "Porto", "the home", "home in Porto")):
        lab.clock.advance(days=min(1, day))
        ana.recall(query, mode="keyword", kinds=["note"])
        ana.session("trip").context(query)
    ana.dream()
