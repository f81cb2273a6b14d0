"""A chatbot with memory. The model is a stand-in: put your own call into `ask_model`.

The tutorial (docs/tutorial.md) builds it step by step.
"""

import sys

import ricordo

LINES = ("I moved to Porto last month", "Where do I live?")
SYSTEM = {"role": "system", "content": "You are a friendly assistant. Use what you remember."}


def ask_model(messages):
    """Answer a list of chat messages. This one only shows what a model would be given."""
    remembered = [m["content"] for m in messages if m["role"] == "system" and m is not SYSTEM]
    return f"I was given {len(messages)} messages, {len(remembered)} of them from memory."


def reply(chat, text):
    """One turn: keep what was said, pack the context, ask the model, keep its answer."""
    chat.append("user", text)
    context = chat.context(budget=2000)
    answer = ask_model([SYSTEM, *context.messages])
    chat.append("assistant", answer)
    return answer


with ricordo.open("chatbot.db") as memory:
    space = memory.space("ana")
    chat = space.session(f"day {len(space.sessions()) + 1}")
    for line in sys.argv[1:] or LINES:
        print(f"you: {line}\nbot: {reply(chat, line)}")
