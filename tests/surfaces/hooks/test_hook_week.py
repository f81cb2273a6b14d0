"""A week of work on one project, hook by hook: what should come back in later sessions does.

The list of what should come back was written before anybody looked at what does.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

import ricordo
from ricordo.config import Settings
from ricordo.flows.hooks import events
from ricordo.surfaces.hooks import claude_code

SPACE = "/srv/kestrel"
MONDAY = datetime(2030, 3, 4, 9, 0, tzinfo=UTC)
LEAST = 0.8  # of the list


class Week:
    """The hooks of a host whose clock is moved from day to day."""

    def __init__(self, path):
        self.path = str(path)
        self.now = MONDAY
        self.told = {}  # what the host was given, by session and event

    def at(self, day, hour):
        self.now = MONDAY + timedelta(days=day, hours=hour - 9)

    def hook(self, event, session, **given):
        self.now += timedelta(minutes=2)
        told = claude_code.HostEvent.of(json.dumps({"session_id": session, "cwd": SPACE, **given}))
        engine = events.open_engine(self.path, Settings(), lambda: self.now)
        try:
            place = claude_code.HookTarget(engine, SPACE, approves=False)
            answer = claude_code.EVENTS[event](place, told)
        finally:
            engine.store.close()
        return "" if answer is None else answer["hookSpecificOutput"]["additionalContext"]

    def session(self, name, *turns):
        """A session: each turn is a prompt, the tools used for it, and the answer or None."""
        self.told[name, "start"] = self.hook("SessionStart", name, source="startup")
        for number, (prompt, tools, answer) in enumerate(turns):
            self.told[name, number] = self.hook("UserPromptSubmit", name, prompt=prompt)
            for tool, given, result in tools:
                self.hook(
                    "PostToolUse", name, tool_name=tool, tool_input=given, tool_response=result
                )
            if answer is not None:
                self.hook("Stop", name, last_assistant_message=answer)
        self.hook("SessionEnd", name, reason="exit")


def read(path, result="ok"):
    return ("Read", {"file_path": path}, result)


def run(command, result="ok"):
    return ("Bash", {"command": command}, result)


def monday(week):
    week.session(
        "monday",
        (
            "Kestrel is a billing service in Go. We deploy to Hetzner with Nomad, never by hand.",
            [read("README.md"), read("deploy/kestrel.nomad")],
            "Understood: Kestrel is a Go billing service, deployed to Hetzner by Nomad.",
        ),
        (
            "Invoices are rounded wrongly: 10.005 becomes 10.00. Find out why.",
            [run("go test ./money", "FAIL: TestRound 10.005"), read("money/round.go")],
            "The cause is float64 in money/round.go. I replaced it by integer cents with banker's "
            "rounding; TestRound passes.",
        ),
        (
            "Use banker's rounding everywhere, the accountant Frau Lindqvist insists on it.",
            [run("go test ./...", "ok")],
            "All packages use RoundHalfEven now; Frau Lindqvist's rule is noted in docs/money.md.",
        ),
        (
            "Can we delete the legacy CSV exporter, or does the Rotterdam office need it?",
            [run("git grep csvexport")],
            None,
        ),
    )


def tuesday(week):
    week.session(
        "tuesday",
        (
            "The webhook worker drops events when Redis restarts.",
            [read("worker/queue.go"), run("docker restart redis")],
            "The consumer group was recreated with MKSTREAM and lost its pending list. It now "
            "claims pending entries with XAUTOCLAIM after a reconnect.",
        ),
        (
            "Set the retry limit of webhooks to seven, with jitter.",
            [("Edit", {"file_path": "worker/retry.go"}, "done")],
            "Retries stop after seven attempts, with full jitter up to ninety seconds.",
        ),
        (
            "How do I run the integration suite on my laptop?",
            [run("cat Makefile")],
            "Start the containers with make up, then run make itest; it needs port 5433 free.",
        ),
    )


def wednesday(week):
    week.session(
        "wednesday",
        (
            "What did we decide about rounding?",
            [],
            "Banker's rounding everywhere, in integer cents.",
        ),
        (
            "Add VAT for Switzerland: 8.1 percent, reduced rate 2.6.",
            [("Edit", {"file_path": "tax/rates.go"}, "done"), run("go test ./tax", "ok")],
            "Swiss VAT is in tax/rates.go with both rates and a table test.",
        ),
        (
            "The dashboard is slow. Profile the monthly report query.",
            [run("psql -c 'explain analyze ...'", "Seq Scan on ledger_lines (actual 4100 ms)")],
            "ledger_lines is scanned in full. An index on (account, booked_on) takes the report "
            "from 4.1 s to 60 ms; it is in migration add_ledger_index.",
        ),
        (
            "Should the ledger index be built concurrently in production?",
            [],
            None,
        ),
    )


def thursday(week):
    week.session(
        "thursday",
        ("Which port must be free for the integration tests?", [], "Port 5433."),
        (
            "Webhooks lost events again after Redis restarts. What did we change on Tuesday?",
            [read("worker/queue.go")],
            "XAUTOCLAIM ran with an idle time of an hour. It is thirty seconds now.",
        ),
        (
            "Rename the package money to amounts.",
            [run("gofmt -r 'money -> amounts' -w .")],
            "Renamed in forty-one files; the build is green.",
        ),
        (
            "How is Kestrel deployed?",
            [],
            "To Hetzner, by Nomad.",
        ),
    )


def friday(week):
    week.session(
        "friday",
        ("Why was the monthly report query slow?", [], "A full scan."),
        ("What is the retry limit of webhooks?", [], "Seven."),
        ("Which VAT rates does Switzerland have?", [], "8.1 and 2.6."),
        ("Who insists on banker's rounding?", [], "Frau Lindqvist."),
        ("Does anybody in Rotterdam need the CSV exporter?", [], "Nobody knows."),
        ("What was the package money renamed to?", [], "amounts"),
        ("How do I start the containers for the integration suite?", [], "make up"),
        ("Which idle time does XAUTOCLAIM use now?", [], "thirty seconds"),
        ("When may we release on the branch of the freeze?", [], "Not before Monday."),
    )


# Session and place (the start, or the number of a prompt), and words that should stand there.
EXPECTED = [
    # At the start: where the last session stood, what is open, what is due, what was written.
    ("tuesday", "start", "banker's rounding"),
    ("tuesday", "start", "Hetzner"),
    ("tuesday", "start", "delete the legacy CSV exporter"),
    ("wednesday", "start", "seven attempts"),
    ("wednesday", "start", "XAUTOCLAIM"),
    ("wednesday", "start", "make itest"),
    ("wednesday", "start", "Renew the certificate of the billing domain"),
    ("wednesday", "start", "Tabs in Go, two spaces in YAML"),
    ("thursday", "start", "ledger index be built concurrently"),
    ("thursday", "start", "Swiss VAT"),
    ("friday", "start", "Renamed in forty-one files"),
    ("friday", "start", "The release branch is frozen until Monday"),
    # At prompts: what earlier sessions said about it.
    ("wednesday", 0, "banker's rounding"),
    ("thursday", 0, "5433"),
    ("thursday", 1, "MKSTREAM"),
    ("thursday", 3, "Nomad"),
    ("friday", 0, "ledger_lines"),
    ("friday", 1, "seven"),
    ("friday", 2, "8.1 percent"),
    ("friday", 3, "Lindqvist"),
    ("friday", 4, "Rotterdam office"),
    ("friday", 5, "amounts"),
    ("friday", 6, "make up"),
    ("friday", 7, "thirty seconds"),
    ("friday", 8, "frozen until Monday"),
]


@pytest.fixture(scope="module")
def week(tmp_path_factory):
    path = tmp_path_factory.mktemp("week") / "agent.db"
    week = Week(path)

    def note(work):
        with ricordo.open(path, embedder="none", clock=lambda: week.now, keep=False) as memory:
            work(memory.space(SPACE))

    monday(week)
    week.at(1, 10)
    note(lambda space: space.remember("Tabs in Go, two spaces in YAML", name="style"))
    reminder = "Renew the certificate of the billing domain"
    note(lambda space: space.remind(reminder, at=MONDAY + timedelta(days=2)))
    tuesday(week)
    week.at(2, 10)
    wednesday(week)
    week.at(3, 9)
    note(lambda space: space.remember("The release branch is frozen until Monday", name="freeze"))
    thursday(week)
    week.at(4, 9)
    friday(week)
    return week


def test_what_should_come_back_in_a_week_of_work_does(week):
    missing = [
        (session, place, words)
        for session, place, words in EXPECTED
        if words not in week.told[session, place]
    ]

    assert len(EXPECTED) >= 15
    assert 1 - len(missing) / len(EXPECTED) >= LEAST, missing


def test_a_reminder_is_given_out_once_in_the_week(week):
    [told] = [text for text in week.told.values() if "Renew the certificate" in text]

    assert told == week.told["wednesday", "start"]


def test_an_answered_question_is_no_longer_open(week):
    """Monday's question stays open until five newer sessions came; the others were answered."""
    for (_, place), text in week.told.items():
        if place == "start" and "not answered yet" in text:
            asked = text.split("not answered yet:")[1].split("Where the last session")[0]
            assert "How do I run the integration suite" not in asked
            assert "What did we decide about rounding" not in asked


def test_every_answer_of_the_week_is_bounded_and_quoted(week):
    for text in week.told.values():
        assert len(text) <= events.BUDGET
        for line in text.splitlines()[1:]:
            ours = ("> ", "[memory ")
            assert line.startswith(ours) or line.endswith(":"), line
