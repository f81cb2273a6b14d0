"""Asks the assistant: whether a question asks what the assistant itself said, by language. Pure.

"What did you suggest" does, "can you suggest" does not. Only verbs in the past that a second person
has said something with count, and nouns such as "your advice".
"""

import re
from typing import NamedTuple

from ricordo.core.text.late_pattern import compile_late

_ENGLISH = r"""
\bdid\s+you\s+(?:\w+\s+)?(?:say|tell|mention|recommend|suggest|advise|give|provide|list|explain
    |write|propose|describe|share|create|show|come\ up|point\ out)\b
|\byou(?:['’]ve|['’]d)?\s+(?:(?:have|had|just|also|once|earlier|already|previously)\s+)*
    (?:said|told|mentioned|recommended|suggested|advised|gave|given|provided|listed|explained
    |wrote|written|proposed|described|shared|created|showed|shown|came\ up|pointed\ out)\b
|\byour\s+(?:\w+\s+)?(?:suggestion|recommendation|advice|answer|explanation|reply|response)s?\b
"""
_GERMAN = r"""
\b(?:hast|hattest)\s+du\b[^,;]{0,60}?\b(?:gesagt|empfohlen|vorgeschlagen|geraten|genannt|erwähnt|gegeben|erklärt
    |geschrieben|aufgelistet)\b
|\bdu\s+(?:\w+\s+){0,4}(?:gesagt|empfohlen|vorgeschlagen|geraten|genannt|erwähnt|gegeben|erklärt
    |geschrieben|aufgelistet)\s+(?:hast|hattest)\b
|\bdeine?[nrm]?\s+(?:\w+\s+)?(?:vorschl[aä]g|empfehlung|rat\b|ratschl[aä]g|tipp|antwort)
"""
_FRENCH = r"""
\b(?:tu|vous)\s+(?:m['’]\s?|nous\s+)?(?:as|avais|avez|aviez)\s+(?:\w+\s+)?
    (?:dit|conseillé|recommandé|suggéré|proposé|donné|mentionné|indiqué|expliqué|écrit|parlé)
|\b(?:as-tu|avez-vous)\s+(?:\w+\s+)?
    (?:dit|conseillé|recommandé|suggéré|proposé|donné|mentionné|indiqué|expliqué|écrit)
|\b(?:ton|ta|tes|votre|vos)\s+(?:conseil|suggestion|recommandation|réponse)s?\b
"""
_SPANISH = r"""
\b(?:dijiste|recomendaste|sugeriste|aconsejaste|mencionaste|propusiste|diste|explicaste|escribiste
    |contaste|nombraste)\b
|\bhas\s+(?:dicho|recomendado|sugerido|aconsejado|mencionado|propuesto|dado|explicado|escrito)\b
|\btus?\s+(?:sugerencia|recomendaci|consejo|respuesta)
"""
_ITALIAN = r"""
\b(?:hai|avevi)\s+(?:\w+\s+)?(?:detto|consigliato|suggerito|raccomandato|proposto|menzionato|dato
    |spiegato|scritto|indicato)\b
|\btu[oae]i?\s+(?:consigli|suggeriment|rispost|propost)
"""
_PORTUGUESE = r"""
\bvocê\s+(?:(?:me|nos|já|tinha)\s+)*(?:disse|recomendou|sugeriu|aconselhou|indicou|mencionou|deu
    |passou|explicou|escreveu|propôs|falou|listou|citou)\b
|\b(?:disseste|recomendaste|sugeriste|aconselhaste|indicaste|mencionaste|deste|explicaste)\b
"""
_DUTCH = r"""
\b(?:heb|had)\s+je\b[^,;]{0,60}?\b(?:gezegd|aangeraden|aanbevolen|voorgesteld|genoemd|gegeven|geadviseerd|uitgelegd
    |geschreven)\b
|\bje\s+(?:\w+\s+){0,4}(?:hebt|had)\s+(?:gezegd|aangeraden|aanbevolen|voorgesteld|genoemd|gegeven)\b
"""
_SWEDISH = r"""
\bdu\s+(?:\w+\s+)?(?:sa(?:de)?|rekommenderade|föreslog|nämnde|gav|tipsade|berättade|skrev)\b
|\b(?:sa(?:de)?|rekommenderade|föreslog|nämnde|gav|tipsade|berättade|skrev)\s+du\b
"""
_POLISH = r"""
\b(?:polec|proponow|zaproponow|powiedzi|mówi|doradz|radz|sugerow|zasugerow|wspomni|poda|napisa
    |wyjaśni|wymieni)\w*ł[ea]ś\b
"""
_RUSSIAN = r"""
\b(?:ты|вы)\s+(?:\w+\s+){0,2}(?:сказал|говорил|посоветовал|советовал|рекомендовал|порекомендовал
    |предложил|предлагал|упомянул|назвал|дал|объяснил|написал)
|\b(?:тво|ваш)\w+\s+(?:совет|рекомендаци|предложени|ответ)
"""
_TURKISH = r"""
\b(?:öner|söyle|tavsiye\ et|ver|yaz|bahset|anlat|belirt)(?:di|dı|ti|tı)(?:n\b|niz|ğin|ğın)
"""
_ARABIC = r"""
\b(?:اقترحت|رشحت|رشّحت|نصحت|أوصيت|اوصيت|أعطيت|اعطيت)\w*(?!\w*\s+ال)
|\b(?:قلت|ذكرت|كتبت|شرحت|قدمت)\w*\s+(?:لي|علي|لنا)\b
"""
_CHINESE = r"""
(?<![给跟向对])[你您](?:之前|上次|当时|曾经|给我|跟我|向我|对我|帮我|刚才|为我|都|还|那时)*
    (?:推荐|建议|说过|说的|提到|提过|告诉|介绍|列的|列出|写的|给的|给过|讲的)
"""
_JAPANESE = r"""
(?:\A[^が]*|(?:あなた|君)が)
    (?:(?:勧めて|すすめて|薦めて|おすすめして|提案して|教えて|言って|挙げて|書いて|紹介して)
        (?:くれた|くれて|もらった|いただいた|くださった|いた)
    |(?:提案|おすすめ|推薦|紹介)(?:した|された))
"""
_KOREAN = r"""
(?:\A(?:(?!\w[이가께]\s).)*|(?:네가|니가|당신이)\s+)
    (?:(?:추천|제안|조언|설명|소개|언급|얘기|말)(?:했|한|하신|해\s*(?:준|줬|주신|주었))
    |(?:알려|적어|말해|가르쳐)\s*(?:준|줬|주신|주었))
"""


class AskingLanguage(NamedTuple):
    """How a language asks, and what every such question holds a piece of: few are compiled."""

    cues: list[str]
    asked: re.Pattern[str]


def _language(pattern: str, cues: str) -> AskingLanguage:
    return AskingLanguage(cues.split(), compile_late(pattern, re.IGNORECASE | re.VERBOSE))


LANGUAGES = (
    _language(_ENGLISH, "you"),
    _language(_GERMAN, "du dein"),
    _language(_FRENCH, "dit é conseil suggestion recommandation"),
    _language(_SPANISH, "ste has sugerencia recomendaci consejo respuesta"),
    _language(_ITALIAN, "hai avevi consigli suggeriment rispost propost"),
    _language(_PORTUGUESE, "você ste"),
    _language(_DUTCH, "je"),
    _language(_SWEDISH, "du"),
    _language(_POLISH, "łeś łaś"),
    _language(_RUSSIAN, "ты вы тво ваш"),
    _language(_TURKISH, "öner söyle tavsiye verd vert yaz bahset anlat belirt"),
    _language(_ARABIC, "ت"),
    _language(_CHINESE, "你 您"),
    _language(_JAPANESE, "て した された"),
    _language(_KOREAN, "추천 제안 조언 설명 소개 언급 얘기 말 알려 적어 가르쳐"),
)


def asks_assistant(text: str) -> bool:
    """Whether it asks for what the one it is put to has said."""
    folded = fold(text)
    return any(
        any(cue in folded for cue in each.cues) and each.asked.search(text) is not None
        for each in LANGUAGES
    )


def fold(text: str) -> str:
    """A text as cues are looked for in it: where a pattern ignores case, so does this."""
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")
