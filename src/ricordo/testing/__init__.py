"""The conformance cases: what every backend of ricordo promises, for anybody to run.

A case is a function that takes a `Lab`, works with a memory in it and asserts with plain `assert`.
The lab checks the memory for broken promises at the end. Nothing here needs pytest.

Run them all against a backend of your own, giving a URL of a new, empty memory at each call:

    import ricordo.testing

    failures = ricordo.testing.run(lambda: "mydb:///tmp/" + uuid4().hex)
    for failure in failures:
        print(failure.case.name, failure.error)

Or one test per case with pytest:

    import pytest
    from ricordo.testing import Lab, cases

    @pytest.mark.parametrize("case", cases(), ids=str)
    def test_backend(case, tmp_path):
        with Lab(lambda: f"mydb://{tmp_path}/{uuid4().hex}") as lab:
            case.run(lab)

A backend that forgets everything when it is closed leaves out what needs a second opening:
`run(url_factory, is_durable=False)`, or `[case for case in cases() if not case.needs_durable]`.
"""

from ricordo.testing.cases import Case, Failure, cases, run
from ricordo.testing.lab import Clock, Lab, Team, TroubledEmbedder, VectorTable

__all__ = [
    "Case",
    "Clock",
    "Failure",
    "Lab",
    "Team",
    "TroubledEmbedder",
    "VectorTable",
    "cases",
    "run",
]
