"""The keeper over HTTP: what it says of its jobs, and to whom."""

import anyio.to_thread
from servers import running

import ricordo
from ricordo.surfaces.server.lazy_memory import LazyMemory


def test_the_jobs_are_told_with_their_times_and_results(tmp_path):
    with running(tmp_path) as server:
        server.call("ana", "remember", content="Prefers window seats", name="seat")
        server.memory().keeper.run_due()

        jobs = {job["name"]: job for job in server.get("/v1/keeper")}
        metrics = server.ask("GET", "/metrics").body.decode()

    assert jobs["dream"]["every_seconds"] == 86_400
    assert jobs["dream"]["next_at"] is not None
    assert 'ricordo_job_failures{job="dream"} 0' in metrics
    assert 'ricordo_job_next_timestamp_seconds{job="dream"}' in metrics


def test_a_token_bound_to_a_space_learns_nothing_of_them(tmp_path):
    with running(tmp_path) as server:
        server.call("ana", "remember", content="Prefers window seats", name="seat")
        bound = server.tokens.add("phone", "ana").token

        assert server.ask("GET", "/v1/keeper", token=bound).status == 404
        assert b"ricordo_job" not in server.ask("GET", "/metrics", token=bound).body


def test_a_kept_memory_is_opened_though_nobody_asks(tmp_path):
    opened = []

    def open_memory():
        opened.append(True)
        return ricordo.open(tmp_path / "agent.db", embedder="none", keep=False)

    opening = LazyMemory(open_memory, is_kept=True)
    anyio.run(anyio.to_thread.run_sync, opening.open_if_kept)
    opening.close()

    assert opened == [True]
    assert not (tmp_path / "agent.db").exists()
