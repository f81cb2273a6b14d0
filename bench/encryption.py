"""What encryption costs: appends and recalls of an encrypted file beside a plain one, in turn.

CPU time, so that a busy machine counts less; on the same disk, in the same process.
"""

import statistics
import sys
import tempfile
from pathlib import Path

import ricordo
from common import Talk, cpu

ROUNDS, APPENDS, RECALLS = 9, 200, 20
KEY = bytes(range(32))


def main() -> None:
    """Print medians, and the ratio of the encrypted file to the plain one."""
    with tempfile.TemporaryDirectory() as folder:
        plain = ricordo.open(Path(folder, "plain.db"), embedder="hash", keep=False)
        secret = ricordo.open(Path(folder, "secret.db"), embedder="hash", keep=False, key=KEY)
        figures = measure({"plain": plain, "encrypted": secret})
        plain.close()
        secret.close()
        sizes = [Path(folder, name).stat().st_size for name in ("plain.db", "secret.db")]
    for what in ("append", "recall"):
        one, other = (statistics.median(figures[what, name]) for name in ("plain", "encrypted"))
        ratio = statistics.median(
            b / a for a, b in zip(figures[what, "plain"], figures[what, "encrypted"], strict=True)
        )
        print(f"{what:8} plain {one:.3f} ms  encrypted {other:.3f} ms  ratio {ratio:.2f}")
    print(f"size     plain {sizes[0]:,}  encrypted {sizes[1]:,}  ratio {sizes[1] / sizes[0]:.2f}")


def measure(memories: dict[str, ricordo.Memory]) -> dict[tuple[str, str], list[float]]:
    """CPU milliseconds of each call, by round."""
    figures: dict[tuple[str, str], list[float]] = {}
    for number in range(ROUNDS + 1):
        for name, memory in memories.items():
            talk = Talk(number)
            chat = memory.space("ana").session(f"s{number}")
            texts = [talk.text() for _ in range(APPENDS)]
            appends = cpu(lambda chat=chat, texts=texts: [chat.append("user", t) for t in texts])
            memory.flush()
            queries = [talk.query() for _ in range(RECALLS)]
            space = memory.space("ana")
            recalls = cpu(lambda space=space, queries=queries: [space.recall(q) for q in queries])
            if number:  # the first round warms up
                figures.setdefault(("append", name), []).append(1000 * appends / APPENDS)
                figures.setdefault(("recall", name), []).append(1000 * recalls / RECALLS)
    return figures


if __name__ == "__main__":
    sys.exit(main())
