"""One of several processes that write to and read from one file as fast as they can.

It prints one JSON line: what was acknowledged, the longest wait, and every error that reached it.
"""

import json
import sys
import time

import ricordo


def work(path: str, worker: str, rounds: int) -> dict[str, object]:
    acknowledged, errors, waits = [], [], [0.0]
    with ricordo.open(path, embedder="none") as memory:
        space = memory.space("shared")
        for turn in range(rounds):
            began = time.perf_counter()
            try:
                event = space.session("log").append("user", f"{worker} says {turn}")
                acknowledged.append([event.seq, event.content])
                waits.append(time.perf_counter() - began)
                if turn % 4 == 0:
                    space.remember(f"{worker} at {turn}", name=worker)
                    if not space.recall(f"{worker} says {turn}", mode="keyword", asker=None):
                        errors.append("a process does not find what it wrote")
                space.session("log").recent(3)
            except ricordo.RicordoError as error:
                errors.append(repr(error))
    return {"acknowledged": acknowledged, "errors": errors, "worst": max(waits)}


def careless(path: str, worker: str, rounds: int) -> dict[str, object]:
    """The control: reads first, locks later, waits for nobody."""
    import apsw

    errors = 0
    raw = apsw.Connection(path)
    for turn in range(rounds):
        try:
            raw.execute("BEGIN").fetchall()
            raw.execute("SELECT count(*) FROM meta").fetchall()
            raw.execute("INSERT INTO meta (key, value) VALUES (?, '')", (f"{worker}{turn}",))
            raw.execute("COMMIT").fetchall()
        except (apsw.BusyError, apsw.LockedError):
            errors += 1
            if not raw.get_autocommit():
                raw.execute("ROLLBACK").fetchall()
    raw.close()
    return {"errors": errors}


if __name__ == "__main__":
    sys.stdin.readline()  # all begin at once
    do = careless if sys.argv[1] == "careless" else work
    sys.stdout.write(json.dumps(do(sys.argv[2], sys.argv[3], int(sys.argv[4]))) + "\n")
