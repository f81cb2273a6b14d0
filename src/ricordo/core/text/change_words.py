"""Change words: how texts in other languages than English announce a change. Pure.

"jetzt", "ya no", "больше не" and "改成" say that what was true before no longer is. Only what
hardly means anything else is listed: a change that is overlooked leaves two texts side by side, one
that never happened puts a wrong text first.
"""

import re

from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import words

_CHANGES = (
    # German
    r"jetzt|nun|inzwischen|mittlerweile|ab sofort|künftig|nicht mehr|kein\w* mehr|nur noch"
    r"|stattdessen|doch nicht|gewechselt|geändert|\w*änderung|verschoben|verlegt|verlängert"
    r"|verkürzt|aufgehört|(?:um|aus|weg|ein)?gezogen|gekündigt|abgesagt|verkauft|aufgegeben"
    r"|übergeben|umgestellt|erhöht|gesenkt|aktualisier\w+",
    # Spanish
    r"ahora|ya no|a partir de|en vez de|en lugar de|al final|dejó|dejado|dejaron|cambi\w+|pasa a"
    r"|pasó a|subió|subieron|bajó|vendi\w+|mudó|mudamos|canceló|cancelad\w+|aplaz\w+|retras\w+"
    r"|adelant\w+",
    # French
    r"désormais|dorénavant|maintenant|ne \w+ plus|n['’]\w+ plus|au lieu de|à la place|finalement"
    r"|arrêt\w+|a changé|ont changé|changement|déplacé\w*|reporté\w*|prolongé\w*|annulé\w*|vendu\w*"
    r"|déménagé|remplac\w+|à partir de",
    # Italian
    r"ora|adesso|ormai|d['’]ora in poi|non \w+ più|al posto di|invece|smesso|lasciato|cambi\w+"
    r"|spostat\w+|rimandat\w+|rinviat\w+|annullat\w+|vendut\w+|trasferit\w+|aggiornamento|passa a"
    r"|slitta\w*",
    # Portuguese
    r"agora|já não|não \w+ mais|em vez de|em lugar de|deixou|deixei|largou|parou|mud(?:ou|amos"
    r"|ança)"
    r"|trocou|trocamos|trocámos|passou|passa para|adiad\w+|cancelad\w+|vendemos|desistiu|subiu",
    # Dutch
    r"nu|voortaan|niet meer|geen \w+ meer|in plaats van|gestopt|stopt met|veranderd|gewijzigd"
    r"|wijziging|verplaatst|verzet|uitgesteld|afgezegd|verhuisd|verkocht|overgestapt|vanaf nu",
    # Polish
    r"teraz|już nie|od teraz|zamiast|jednak|zmian\w+|zmieni\w+|przełoż\w+|przenie\w+|odwoła\w+"
    r"|rzuci\w+|przesta\w+|zrezygnow\w+|sprzeda\w+|przeprowadzi\w+|przesunię\w+",
    # Russian
    r"теперь|больше не|уже не|вместо|отныне|бросил\w*|перестал\w*|ушёл|ушел|ушла|перен[её]с\w*"
    r"|перенесен\w*|отменил\w*|отмен[её]н\w*|изменил\w*|изменен\w*|сменил\w*|поменял\w*|переехал\w*"
    r"|продал\w*|повысил\w*|передумал\w*",
    # Turkish
    r"artık|bıraktı\w*|vazgeç\w+|değiş\w+|yerine|taşındı\w*|satıldı|sattı\w*|ertele\w+|iptal"
    r"|alındı|itibaren|zamlandı",
    # Arabic
    r"الآن|صار|صارت|أصبح|أصبحت|بقى|بدلا|بدلاً|بدل|لم يعد|لم تعد|ترك|تركت|انتقل\w*|نقلنا"
    r"|غيّر\w*|غيرنا|غيرت|تغير\w*|تعديل|تبديل|تأجل\w*|أجل\w*|ألغي\w*|ابتداء|ابتداءً|باع\w*|رفع",
)
_UNSPACED = (
    # Chinese
    r"改成|改为|改到|改在|改去|改做|改[^善变革进]{0,2}了|换成|换了|换人|现在|不再|取消|推迟"
    r"|延期|提前到|搬到|搬家|卖掉|卖了|退了|更新|从\S{1,6}起|调到|調到|現在|換成|改為",
    # Japanese
    r"やめて|やめた|辞めて|辞めた|変更|変わっ|変わり|今は|今では|代わりに|延期|中止|移動|引っ越し"
    r"|移転|売った|手放し|に上が|に下が|に減ら|延長",
    # Korean
    r"이제|더 이상|바뀌|바뀜|바꿨|바꿈|변경|대신|그만두|그만둬|끊고|끊었|취소|미뤘|미뤄|연기"
    r"|옮겼|옮김|이사했|팔았|재계약|부터는|년부터|월부터",
)
_CHANGE = compile_late(rf"\b(?:{'|'.join(_CHANGES)})\b|{'|'.join(_UNSPACED)}", re.IGNORECASE)
_ADDITION = compile_late(
    r"\b(?:auch|zusätzlich|außerdem|también|además|aussi|également|en plus|anche|inoltre|também"
    r"|além d\w+|ook|bovendien|też|także|również|dodatkowo|также|тоже|кроме того|ayrıca|أيضا|أيضاً"
    r"|كذلك)\b|另外|还有|也是|加えて|さらに|또한|추가로",
    re.IGNORECASE,
)
_FORMER = compile_late(
    r"\b(?:früher\w*|vorher\w*|bisher\w*|ehemal\w+|zuvor|ursprünglich\w*|damals|antes|anterior\w*"
    r"|antigu\w+|antig[oa]s?|avant|auparavant|ancien\w*|précédent\w*|autrefois|prima|precedente"
    r"|vecchi\w*|una volta|vroeger|voorheen|vorige|oude|wcześniej\w*|przedtem|poprzedni\w*|dawn\w+"
    r"|kiedyś|раньше|прежн\w+|бывш\w+|сначала|önce\w*|eski\w*|سابق\w*|قبل|قديم\w*)\b"
    r"|以前|原来|之前|原先|过去|前は|元の|もともと|かつて|예전|이전|원래|옛날",
    re.IGNORECASE,
)


def announces_change(text: str) -> bool:
    """Whether a text that is not English says that something is no longer as it was."""
    return _CHANGE.search(text) is not None and not is_clearly_english(words(text))


def adds_something(text: str) -> bool:
    """Whether a text that is not English says that it comes on top of what is known."""
    return _ADDITION.search(text) is not None and not is_clearly_english(words(text))


def asks_for_past(query: str) -> bool:
    """Whether a question that is not English is about what was before."""
    return _FORMER.search(query) is not None and not is_clearly_english(words(query))
