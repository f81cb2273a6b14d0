"""A message may name a URL, but never the password or the token in it."""

import pytest

from ricordo.errors import without_password


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://ana:secret@db/agents", "postgresql://ana@db/agents"),
        ("postgresql://ana:se/cr@et@db/agents", "postgresql://ana@db/agents"),
        ("postgresql:///agents?user=ana&password=secret", "postgresql:///agents?user=ana"),
        ("libsql://db.example?authToken=secret&x=1", "libsql://db.example?x=1"),
        ("postgresql://db/agents?sslmode=require", "postgresql://db/agents?sslmode=require"),
        ("agent.db", "agent.db"),
    ],
)
def test_a_url_is_told_without_its_secrets(url, told):
    assert without_password(url) == told
