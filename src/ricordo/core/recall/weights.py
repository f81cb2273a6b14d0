"""The weights of the ranker's features. Written by `make train`, not by hand."""

from collections.abc import Mapping

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "hybrid": {
        "meaning": 7.6,
        "words": 0.96,
        "words_covered": 2.41,
        "session_meaning": 1.07,
        "session_words": 0.91,
        "question_meaning": 0.68,
        "question_words": 1.03,
        "previous_meaning": 1.08,
        "previous_words": 1.21,
        "word_pairs": -0.08,
        "speaker": 2.12,
        "mentions": 0.39,
        "tells_time": 0.33,
        "length": 0.26,
        "is_question": -0.83,
        "opens_session": 0.19,
        "reading": 0.6,
        "date": 2.0,
        "archive": -6.0,
        "brief_speaker": 0.3,
    },
    "keyword": {
        "words": 4.53,
        "words_covered": 4.41,
        "session_words": 0.34,
        "question_words": 1.8,
        "previous_words": 2.37,
        "word_pairs": 0.08,
        "speaker": 2.0,
        "mentions": 0.41,
        "tells_time": 0.96,
        "length": 0.66,
        "is_question": -0.8,
        "opens_session": 0.02,
        "date": 2.0,
        "archive": -6.0,
        "brief_speaker": 0.3,
    },
}

CONFIDENCE: Mapping[str, Mapping[str, float]] = {
    "reading": {
        "reading": 0.35,
        "cosine": 3.73,
        "covered": 0.85,
        "constant": -2.98,
    },
    "minilm": {
        "cosine": 7.19,
        "covered": 1.74,
        "constant": -4.25,
    },
    "words": {
        "covered": 3.56,
        "constant": -2.56,
    },
    "multilingual": {
        "cosine": 7.1,
        "covered": 6.2,
        "constant": -4.9,
    },
}
