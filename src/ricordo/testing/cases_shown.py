"""What a context shows anyway takes no place among its hits, and small talk has none."""

from ricordo.model import Context
from ricordo.testing.lab import Lab

TALKS = {
    "holiday": [
        "My boss is called Henrik",
        "I work as a marine biologist",
        "The ferry to Reine leaves at nine",
        "Rex the dog is four years old",
    ],
    "house": [
        "The garage code is 4711",
        "Our plumber is Mrs Okafor",
        "The boiler was replaced in May",
        "The spare key hangs in the shed",
    ],
}
QUESTIONS = {
    "What is my boss called?": "My boss is called Henrik",
    "When does the ferry leave?": "The ferry to Reine leaves at nine",
    "How old is Rex the dog?": "Rex the dog is four years old",
    "What is the code of the garage?": "The garage code is 4711",
    "When was the boiler replaced?": "The boiler was replaced in May",
    "Where does the spare key hang?": "The spare key hangs in the shed",
}


def _texts(context: Context) -> list[str]:
    return [hit.text for hit in context.hits]


def case_the_questions_of_a_session_take_no_place_of_their_answers(lab: Lab) -> None:
    """CTX-9"""
    memory = lab.open()
    space = memory.space("ana")
    for name, told in TALKS.items():
        space.session(name).extend([{"role": "user", "content": text} for text in told])
    memory.flush()
    chat = space.session("today")

    for question, answer in QUESTIONS.items():
        early = _texts(chat.context(question, limit=2))
        chat.append("user", question)
        context = chat.context(limit=2)
        chat.append("assistant", f"Let me look: {question}")

        assert answer in _texts(context), question
        assert _texts(context) == early, question
        assert not {hit.source.session for hit in context.hits} & {"today"}
        assert [event.content for event in context.events].count(question) == 1


def case_what_is_said_again_is_not_recalled_beside_itself(lab: Lab) -> None:
    """CTX-9"""
    chat = lab.space().session("today")
    chat.append("user", "When does the ferry leave?")
    chat.extend([{"role": "assistant", "content": f"filler {n} " * 40} for n in range(30)])
    chat.append("user", "When does the ferry leave?")

    context = chat.context(budget=600)

    assert context.events[0].seq > 1
    assert "When does the ferry leave?" not in _texts(context)


def case_small_talk_recalls_nothing(lab: Lab) -> None:
    """CTX-10"""
    space = lab.space()
    space.remember("The garage code is 4711, thanks to Henrik", name="garage")
    chat = space.session("today")

    for said in (
        "thanks!",
        "hey",
        "ok great",
        "Vielen Dank!",
        "¡Hola! ¿Qué tal?",
        "ありがとう",
        "👍",
    ):
        chat.append("user", said)
        assert chat.context().hits == (), said
        assert space.context(said).hits == (), said
    chat.append("user", "thanks! And the code of the garage?")

    assert chat.context().hits[0].source.name == "garage"


def case_a_space_has_a_context_without_a_session(lab: Lab) -> None:
    """CTX-11"""
    space = lab.space()
    assert space.context("anything", 100).messages == []
    space.remember("The garage code is 4711", name="garage")
    space.remember("Answer in short sentences", name="tone", pin=True)
    space.remind("Call the bank", at=lab.clock())

    context = space.context("What is the code of the garage?", 400)

    assert [hit.source.name for hit in context.hits] == ["garage"]
    assert context.events == ()
    assert "Answer in short sentences" in context.text
    assert "Reminder due now:\n> Call the bank" in context.text
    assert context.tokens <= 400
