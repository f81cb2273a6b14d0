"""A year in a memory: 10,000 messages, 500 entries and something of everything, built fast."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import ricordo

NOW = datetime(2026, 6, 15, 10, 30, tzinfo=UTC)
SPACE = "ana"
TOPICS = (
    ("trip", "the flight to Oslo", "a window seat in row twelve"),
    ("garden", "the tomatoes", "water them before eight"),
    ("atlas", "project Atlas", "the invoice goes to Marta in Lisbon"),
    ("music", "the cello lesson", "practise the second suite slowly"),
    ("kitchen", "the sourdough", "the starter wants rye flour"),
)
HOSTILE = (
    "<script>window.hurt = 1</script>",
    '"><img src=x onerror="window.hurt = 1">',
    "<svg onload=window.hurt=1>",
    "javascript:window.hurt=1",
    "</textarea></style></title><iframe srcdoc='<script>parent.hurt=1</script>'>",
    "{{constructor.constructor('window.hurt=1')()}} ${window.hurt=1}",
    "\u202egnp.exe\u2066 \u200f\u0627 right to left \u202d",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d" * 200,
    "data: x\n\nevent: change\ndata: {}\n\n",
    "W" * 1_000_000,
)


class Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def build(
    path: Path,
    *,
    messages: int = 10_000,
    entries: int = 500,
    hostile: bool = True,
    embedder: str = "hash",
) -> None:
    """Fill a memory with a year of conversation, notes, documents, plans and dreams."""
    clock = Clock()
    with ricordo.open(path, embedder=embedder, clock=clock, keep=False) as memory:
        space = memory.space(SPACE)
        _talk(space, messages)
        _note(space, entries, clock)
        _curate(space, clock)
        _plan(memory, space, clock)
        clock.now = NOW
        if hostile:
            _attack(space)
        memory.flush()
        _use(space, clock)
        clock.now = NOW
        memory.space("work").remember("The stand-up is at nine", name="stand-up")


def _talk(space: ricordo.Space, messages: int) -> None:
    sessions = max(1, messages // 200)
    for number in range(sessions):
        name, what, how = TOPICS[number % len(TOPICS)]
        first = NOW - timedelta(days=365 * (sessions - number) / sessions)
        chat = space.session(f"{name}-{number:02}")
        lines = []
        for turn in range(messages // sessions // 2):
            at = first + timedelta(minutes=7 * turn)
            lines.append({"role": "user", "content": f"What about {what}, part {turn}?", "at": at})
            lines.append({"role": "assistant", "content": f"For {what}: {how} ({turn}).", "at": at})
        chat.extend(lines)


def _note(space: ricordo.Space, entries: int, clock: Clock) -> None:
    for month in range(12):
        clock.now = NOW - timedelta(days=30 * (12 - month))
        share = range(month * entries // 12, (month + 1) * entries // 12)
        space.remember_many(
            {
                "content": f"Note {n}: {TOPICS[n % 5][1]} needs {TOPICS[n % 5][2]}.",
                "name": f"{TOPICS[n % 5][0]}/note-{n:03}",
                "tags": [TOPICS[n % 5][0]],
                "kind": "fact" if n % 3 == 0 else "note",
            }
            for n in share
        )


def _curate(space: ricordo.Space, clock: Clock) -> None:
    """What the pictures show: an entry with a past, a trip, a document."""
    texts = (
        (300, "Ana likes to sit at the aisle, near the front."),
        (160, "Ana likes to sit at the window, near the front."),
        (20, "Ana prefers window seats in the front third, never over the wing."),
    )
    for days, text in texts:
        clock.now = NOW - timedelta(days=days)
        if days == 300:
            space.remember(text, name="seat", aliases=["seating"], tags=["travel"], origin="user",
                           source="trip#2", pin=True)  # fmt: skip
        else:
            space.write("seat", text)
    clock.now = NOW - timedelta(days=9)
    space.fact("user", "dog_name", "Rex, a grey whippet", origin="user")
    space.remember("Ana flies to Oslo on 24 June, back on the 28th.", name="oslo", tags=["travel"])
    space.remember("Marta pays invoices on the last Friday of the month.", name="invoices")
    space.remember("Ana's seat for Oslo is 14C, by the aisle.", name="oslo/booked")
    space.ingest(
        "# Handbook\n\n## Travel\n\nBook window seats early. Flights over two hours may be "
        "refundable.\n\n## Invoices\n\nSend them to Marta before the last Friday.\n",
        uri="handbook.md",
        tags=["work"],
    )
    clock.now = NOW - timedelta(days=4)
    space.remember("Ana's seat for Oslo is now 5A, by the window, no longer 14C.", name="oslo/seat")
    _converse(space, clock)


def _converse(space: ricordo.Space, clock: Clock) -> None:
    chat = space.session("trip")
    call = [{"name": "find_flights", "arguments": {"to": "OSL", "on": "2026-06-24"}}]
    lines = [
        {"role": "user", "content": "Book me a flight to Oslo for the 24th."},
        {"role": "assistant", "content": "I will look for flights.", "tool_calls": call},
        {"role": "tool", "content": "SK 204 at 09:10, LH 860 at 12:35", "name": "find_flights"},
        {"role": "assistant", "content": "SK 204 leaves at 09:10. A window seat, as always?"},
        {"role": "user", "content": "Yes, and not over the wing this time."},
    ]
    for number, line in enumerate(lines):
        chat.append(**line, at=NOW - timedelta(hours=30, minutes=-3 * number))
    clock.now = NOW - timedelta(hours=26)
    chat.write_summary("Ana flies to Oslo on 24 June with SK 204 at 09:10, by the window.", 4, 0)
    chat.compact("trip")
    chat.append("user", "What did I say about Marta's invoice?", at=NOW - timedelta(hours=2))
    chat.append(
        "assistant",
        "Marta pays on the last Friday of the month, so it should go out this week.",
        at=NOW - timedelta(hours=2, minutes=-1),
    )
    chat.write_scratchpad(["Ask for the hotel in Oslo"])


def _plan(memory: ricordo.Memory, space: ricordo.Space, clock: Clock) -> None:
    clock.now = NOW - timedelta(days=5)
    space.schedule("Send the weekly report to Marta", "every monday at 8:30", name="weekly report",
                   tz="UTC")  # fmt: skip
    space.schedule("Water the tomatoes", "every 2 days", name="tomatoes")
    clock.now = NOW - timedelta(hours=1)
    for claim in memory.claim(5, "worker-1", 60):
        memory.finish(claim, ricordo.Run(output="Sent: 3 open invoices, 1 trip planned."))
    space.remind("Check in for SK 204", at=NOW + timedelta(days=8))
    space.remind("Call the bank about the card", at=NOW + timedelta(days=1, hours=2))
    space.remind("Ask for the invoice number", cue="project Atlas")


def _attack(space: ricordo.Space) -> None:
    chat = space.session("attack")
    for number, text in enumerate(HOSTILE):
        chat.append("user", f"hostile {text}", name=text[:60], at=NOW - timedelta(days=200))
        about = {"source": text[:60], "metadata": {"x": text[:200]}, "category": text[:30]}
        name = f"evil/{number} {text[:40]}"
        space.remember(f"hostile {text}", name=name, tags=["hostile"], **about)
        space.remind(text[:300], at=NOW + timedelta(days=12, hours=number))
    space.ingest("\n\n".join(HOSTILE), uri="<b>evil</b>.md")


def _use(space: ricordo.Space, clock: Clock) -> None:
    """Recall again and again, then dream."""
    questions = ("where does Ana sit", "window or aisle", "which seat for Ana", "seat in the plane")
    for days in (18, 11, 6, 3, 1):
        clock.now = NOW - timedelta(days=days)
        for question in questions:
            space.recall(question, limit=2, kinds=["note", "fact"], asker="user")
        space.recall("when does Marta pay invoices", limit=1, kinds=["note"], asker="agent")
    clock.now = NOW - timedelta(hours=20)
    space.dream()
