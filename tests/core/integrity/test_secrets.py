"""Secrets in prose: the words that show one go, the rest of what somebody wrote stays."""

import pytest

from ricordo.core.integrity.secrets import HIDDEN, hide_in_prose


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Use sk-ant-abc123def456 for now", f"Use {HIDDEN} for now"),
        ("password: hunter2xyz, as before", f"password: {HIDDEN} as before"),
        ("The passphrase was open2sesame once", f"The passphrase was {HIDDEN} once"),
        ("postgres://bob:pw1234@db/prod is slow", f"{HIDDEN} is slow"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nis mine",
            f"{HIDDEN}\nis mine",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\nabc", HIDDEN),
    ],
)
def test_words_that_show_a_secret_go(said, kept):
    assert hide_in_prose(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "Fix the token refresh in auth.py",
        "Start with a basic example",
        "The password is required, the token is expired",
        "Run tests/surfaces/test_hooks.py first",
    ],
)
def test_talk_about_secrets_stays(said):
    assert hide_in_prose(said) == said
