"""A chat loop that remembers: recall before the answer, append after it.

The model is a stand-in that repeats what it was given; put a call of yours in its place.
"""

import ricordo

LINES = (
    "I moved to Porto last month",
    "My sister Rita has a bakery there",
    "Where did I move to?",
)


def answer(messages: list[str], known: list[str]) -> str:
    """Answer the last message from what is known; a language model would do better."""
    if not messages[-1].endswith("?"):
        return "I will keep that in mind."
    return f"You told me: {known[0]}" if known else "You have not told me yet."


with ricordo.open("chat_memory.db") as memory:
    space = memory.space("ana")
    chat = space.session("today")
    for line in LINES:
        hits = space.recall(line, limit=3, origins=["user"])
        recent = [str(event.content) for event in chat.recent(6)]
        reply = answer([*recent, line], [hit.text for hit in hits])
        chat.append("user", line, name="Ana")
        chat.append("assistant", reply)
        print(f"Ana: {line}\nAgent: {reply}")
