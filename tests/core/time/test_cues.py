import pytest

from ricordo.core.time.cues import hear, touches


@pytest.mark.parametrize(
    ("cue", "said"),
    [
        ("Vermieter", "Ich habe mit den Vermietern telefoniert"),
        ("Heizung", "Morgen kommt der Heizungsmonteur"),
        ("l'appartement", "on a parlé des appartements"),
        ("ev sahibi", "dün ev sahibimle konuştum"),
        ("project Atlas", "How is Project Atlas going?"),
        ("invoices", "Did you send the invoice?"),
    ],
)
def test_a_cue_is_heard_in_another_form(cue, said):
    assert touches(cue, hear(said))


@pytest.mark.parametrize(
    ("cue", "said"),
    [
        ("Vermieter", "Wir haben ein Auto gemietet"),
        ("Heizung", "Die Hitze ist schlimm"),
        ("ev sahibi", "evde kimse yok"),
        ("car", "The carpet is new"),
        ("part", "We left for the party"),
    ],
)
def test_a_cue_is_not_heard_in_another_word(cue, said):
    assert not touches(cue, hear(said))
