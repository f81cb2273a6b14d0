"""A late pattern finds what a compiled one finds, and is compiled at its first use only."""

import re

from ricordo.core.text import late_pattern
from ricordo.core.text.late_pattern import compile_late


def test_it_finds_what_a_compiled_one_finds():
    late, compiled = compile_late(r"(\w)at", re.IGNORECASE), re.compile(r"(\w)at", re.IGNORECASE)
    said = "The Cat sat on a mat"

    assert late.findall(said) == compiled.findall(said) == ["C", "s", "m"]
    assert late.sub("dog", said) == compiled.sub("dog", said)
    assert (late.pattern, late.flags) == (compiled.pattern, compiled.flags)


def test_it_is_compiled_once_and_when_it_is_first_used(monkeypatch):
    compiled = []

    def compile_counted(*given):
        compiled.append(given)
        return re._compile(*given)

    monkeypatch.setattr(late_pattern.re, "compile", compile_counted)
    late = compile_late("a+")

    assert compiled == []
    assert [late.match("aab").end(), late.match("ab").end()] == [2, 1]
    assert compiled == [("a+", 0)]
