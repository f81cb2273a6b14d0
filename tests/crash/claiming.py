"""One worker of the test of claims: claims, tells the ledger, finishes, until nothing is left.

The ledger is a pipe to the test: a line before a run begins and one after it was filed. Nothing
is tidied up; the process may be killed at any point.
"""

import os
import sys
import time

import ricordo
from ricordo import Run

LEASE_SECONDS = 5.0


def main(path: str, worker: str, ledger: int) -> None:
    with ricordo.open(path, embedder="none", durability="normal") as memory:
        while True:
            claims = memory.claim(3, worker, LEASE_SECONDS)
            for claim in claims:
                tell(ledger, "begin", worker, claim)
                memory.finish(claim, Run(output=worker))
                tell(ledger, "end", worker, claim)
            if not claims:
                if not any(
                    memory.space(n).schedules.list(status="active") for n in memory.spaces()
                ):
                    os.write(ledger, f"over {worker} - 0\n".encode())
                    return
                time.sleep(0.05)


def tell(ledger: int, what: str, worker: str, claim: ricordo.Claim) -> None:
    # Short enough to be written whole: lines of several workers never mix.
    os.write(ledger, f"{what} {worker} {claim.schedule.id} {claim.fence}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
