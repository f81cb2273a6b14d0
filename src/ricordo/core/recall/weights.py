"""The weights of the ranker's features. Written by `make train`, not by hand."""

from collections.abc import Mapping

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "hybrid": {
        "meaning": 5.54,
        "words": 1.43,
        "words_covered": 2.63,
        "session_meaning": 1.04,
        "session_words": 0.27,
        "question_meaning": 0.79,
        "question_words": 1.76,
        "previous_meaning": 0.96,
        "previous_words": 1.36,
        "word_pairs": 0.15,
        "speaker": 2.26,
        "mentions": 0.51,
        "tells_time": 0.65,
        "length": 0.49,
        "is_question": -0.97,
        "opens_session": 0.24,
        "date": 2.0,
        "archive": -3.0,
        "brief_speaker": 0.3,
    },
    "keyword": {
        "words": 3.82,
        "words_covered": 4.01,
        "session_words": -0.22,
        "question_words": 2.4,
        "previous_words": 2.42,
        "word_pairs": 0.23,
        "speaker": 2.0,
        "mentions": 0.46,
        "tells_time": 0.94,
        "length": 0.52,
        "is_question": -0.83,
        "opens_session": 0.1,
        "date": 2.0,
        "archive": -3.0,
        "brief_speaker": 0.3,
    },
}
