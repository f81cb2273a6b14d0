"""Several processes on one PostgreSQL."""

import ricordo


def append_to(memory: ricordo.Memory, own: str, count: int) -> list[int]:
    shared_one = memory.space("ana").session("shared")
    seqs = []
    for number in range(count):
        seqs.append(shared_one.append("user", f"{own} {number}").seq)
        memory.space("ana").session(own).append("user", f"beside {number}")
        memory.space(own).session("own").append("user", f"alone {number}")
    return seqs


def test_eight_processes_append_without_gap_or_duplicate(lab, memory):
    each = 6
    teams = [lab.team(memory) for _ in range(7)]
    for number, team in enumerate(teams):
        team.start(append_to, f"p{number}", each)
    seqs = [append_to(memory, "here", each)]
    seqs += [team.answer() for team in teams]
    for team in teams:
        team.__exit__(None, None, None)

    events = memory.space("ana").session("shared").events()
    assert sorted(seq for given in seqs for seq in given) == list(range(1, 8 * each + 1))
    assert [event.seq for event in events] == list(range(1, 8 * each + 1))
    assert len({event.content for event in events}) == 8 * each
    for name in memory.spaces():
        if name != "ana":
            assert len(memory.space(name).session("own").events()) == each
            assert len(memory.space("ana").session(name).events()) == each
