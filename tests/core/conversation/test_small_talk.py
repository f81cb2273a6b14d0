"""Small talk is recognised in many languages, and nothing else is taken for it."""

import pytest

from ricordo.core.conversation.floor import NOTHING, choose_floor
from ricordo.core.conversation.small_talk import is_small_talk

TALK = """
thanks!|hey|ok great|Thank you so much!|thanks, that's perfect|Hi there|good morning|lol|👍|!!!|...
night night, talk tomorrow|cool, thanks, you're the best|hey there, nice to meet you|see you later
morning! hope you're well|cheers, that's me done for the day|good morning :) how's it going
Hey, how are you?|what's up?|have a great weekend!|no, thanks|yes please|sounds good|got it, thanks
just wanted to say hi|brilliant, you're a lifesaver|right, I'm off to bed|phew what a day
that made me laugh|happy friday, hope your week's going ok
danke schön|Vielen Dank!|alles klar|Großartig, danke|Super, vielen Dank für die Hilfe!
Merci beaucoup|d'accord|à bientôt merci|gracias|muchas gracias por la ayuda|¡Hola! ¿Qué tal?
grazie mille|va bene|obrigado|спасибо большое|Здравствуйте|доброе утро|привет, как дела?
ありがとうございます！|了解です|谢谢！|好的|감사합니다|terima kasih|cảm ơn bạn|teşekkürler|dzięki
tack så mycket|tak for hjælpen|dank je wel|شكرا جزيلا|धन्यवाद
"""
MESSAGES = """
Write a haiku about autumn|what is my dog called?|thanks, where do I live?|the garage code|dog|42|me
Where did I move to?|good restaurants|morning routine|What do you know about my job?|my friend
is it done?|what now|Wo wohne ich?|see the doctor tomorrow|morning run with Jonas|no sugar please
thank Maria for the cake|ok what is on for today|right, what time is it|what a doctor earns
où est ma clé|merci, où est ma clé ?|¿Cómo se llama mi perro?|我的狗叫什么
私の犬の名前は？|как зовут мою собаку|good morning, when is the dentist?|yes, the red one
"""


def _lines(text: str) -> list[str]:
    return [each for line in text.strip().splitlines() for each in line.split("|")]


@pytest.mark.parametrize("said", _lines(TALK))
def test_small_talk_has_a_floor_that_no_hit_reaches(said):
    """CTX-10"""
    assert choose_floor(said) == NOTHING > 1


@pytest.mark.parametrize("said", [*_lines(MESSAGES), "", "  ", "thanks " * 40])
def test_whatever_says_or_asks_something_is_no_small_talk(said):
    """CTX-10"""
    assert not is_small_talk(said)
    assert choose_floor(said) <= 1
