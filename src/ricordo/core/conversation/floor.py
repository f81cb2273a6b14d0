"""The floor of a context: how confident a hit must be to stand in it unasked. Pure.

Nobody asked for what a context recalls, so what does not belong costs tokens and tells private
things. Small talk has a floor that no hit reaches; for everything else it is so low that nearly
every answer stays.
"""

from ricordo.core.conversation.small_talk import is_small_talk

NOTHING = 2.0  # above every confidence
_LEAST = 0.02  # of the answers among eight hits .98 reach it, of the other hits .60


def choose_floor(query: str) -> float:
    """The least confidence of a hit for a query; above 1 nothing is worth looking for."""
    return NOTHING if is_small_talk(query) else _LEAST
