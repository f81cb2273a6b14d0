"""Families: counters, gauges and histograms in Prometheus' text format, each with HELP and TYPE.

They know no lock: whoever counts from several threads holds one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
Values = tuple[str, ...]  # of the labels of a family, in their order


class CounterFamily:
    """A counter for each combination of labels; its name ends with `_total`."""

    def __init__(self, name: str, told: str, labels: Values) -> None:
        self._name, self._told, self._labels = name, told, labels
        self._counts: Counter[Values] = Counter()

    def add(self, values: Values, count: int = 1) -> None:
        self._counts[values] += count

    def lines(self) -> Iterator[str]:
        pairs = sorted(self._counts.items())
        samples = [(name_labels(self._labels, values), count) for values, count in pairs]
        return render(self._name, self._told, "counter", samples)


class HistogramFamily:
    """A histogram of seconds for each combination of labels; its name ends with `_seconds`."""

    def __init__(self, name: str, told: str, labels: Values) -> None:
        self._name, self._told, self._labels = name, told, labels
        self._buckets: dict[Values, list[int]] = {}
        self._sums: dict[Values, float] = {}

    def add(self, values: Values, seconds: float) -> None:
        counts = self._buckets.setdefault(values, [0] * (len(BOUNDS) + 1))
        self._sums[values] = self._sums.get(values, 0.0) + seconds
        counts[-1] += 1
        for place, bound in enumerate(BOUNDS):
            counts[place] += seconds <= bound

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self._name} {self._told}"
        yield f"# TYPE {self._name} histogram"
        for values, counts in sorted(self._buckets.items()):
            labels = name_labels(self._labels, values)
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                yield f"{self._name}_bucket{_braces({**labels, 'le': bound})} {count}"
            yield f"{self._name}_sum{_braces(labels)} {self._sums[values]:.6f}"
            yield f"{self._name}_count{_braces(labels)} {counts[-1]}"


def name_labels(labels: Values, values: Values) -> dict[str, str]:
    return dict(zip(labels, values, strict=True))


def render(
    name: str, told: str, kind: str, samples: Iterable[tuple[Mapping[str, str], float]]
) -> Iterator[str]:
    """A family of plain figures."""
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield f"{name}{_braces(labels)} {value}"


def _braces(labels: Mapping[str, str]) -> str:
    told = ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items())
    return f"{{{told}}}" if told else ""


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
