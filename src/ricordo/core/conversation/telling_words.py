"""Telling words: what makes a sentence in another language than English worth keeping. Pure.

Roots of the words for allergies, birthdays, deadlines, duties, decisions, prices, tastes and
addresses. A wrong guess keeps a sentence too many; it states nothing.
"""

import re

from ricordo.core.text.change_words import announces_change
from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import words

_ROOTS = (
    # German, Spanish, French, Italian, Portuguese, Dutch, Polish
    r"allerg|alerg|geburtstag|cumpleaños|anniversaire|compleanno|aniversário|verjaardag"
    r"|urodzin|frist\b|spätestens|plazo|fecha límite|date limite|scadenza|entro il|prazo"
    r"|uiterlijk|termine?\b|muss|müssen|dürfen|niemals|immer|debe|nunca|siempre|doi[st]\b"
    r"|doivent|jamais|toujours|deve\b|devono|sempre|moet|nooit|altijd|musi\b|nigdy|zawsze"
    r"|nie woln|entschieden|beschlossen|decid|décid|deciso|besloten|postanowi|kostet|preis"
    r"|cuesta|precio|coûte|prix\b|costa\b|prezzo|custa|preço|prijs|kosztuj|cena\b|lieber"
    r"|bevorzug|prefier|préfèr|preferi|liever|woli\b|adresse|dirección|indirizzo|endereço"
    r"|adres\b",
    # Russian, Turkish, Arabic, Hindi
    r"аллерг|день рождения|срок|должен|должна|должны|нельзя|никогда|всегда|решил|стоит\b|цена"
    r"|предпоч|адрес|alerji|doğum günü|son tarih|asla|her zaman|zorunda|karar\b|fiyat|tercih"
    r"|حساسية|ميلاد|موعد|يجب|أبدا|دائما|قرر|سعر|أفضل|عنوان|एलर्जी|जन्मदिन|हमेशा|कीमत|पसंद|तय",
)
_UNSPACED = (
    r"过敏|過敏|生日|截止|必须|必須|不能|不要|总是|總是|决定|決定|价格|價格|地址|喜欢|喜歡"
    r"|アレルギー|誕生日|締め切り|締切|なければ|ないで|必ず|いつも|ことにした|ことになり|好き|住所|値段"
    r"|알레르기|생일|마감|해야|항상|절대|결정|하기로|가격|좋아|주소"
)
_TELLS = compile_late(rf"(?<!\w)(?:{'|'.join(_ROOTS)})|{_UNSPACED}", re.IGNORECASE)


def tells_something(sentence: str) -> bool:
    """Whether a sentence has such a word, or announces a change."""
    if _TELLS.search(sentence) is None:
        return announces_change(sentence)
    return not is_clearly_english(words(sentence))
