"""Change words: how texts in other languages than English announce a change. Pure.

"jetzt", "ya no", "больше не" and "改成" say that what was true before no longer is. Only what
hardly means anything else is listed: a change that is overlooked leaves two texts side by side, one
that never happened puts a wrong text first.
"""

import re

from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import words

_POINTS = compile_late("[\u0640\u064b-\u065f\u0670]")
_ALEFS = str.maketrans("أإآ", "ااا")

_CHANGES = (
    # German
    r"jetzt|nun|inzwischen|mittlerweile|ab sofort|künftig|neuerdings|nicht mehr|kein\w* mehr"
    r"|nur noch|stattdessen|anstatt|statt|doch nicht|neue?[nrsm]?|gewechselt|wechselt|geändert"
    r"|\w*änderung|verschoben|verlegt|vorgezogen|verlängert|verkürzt|gekürzt|aufgehört"
    r"|(?:um|aus|weg|ein)?gezogen|gekündigt|abgesagt|gestrichen|verkauft|aufgegeben|übergeben"
    r"|übernommen|umgestellt|umgebucht|umgestiegen|ersetzt|getauscht|erhöht|gestiegen|gesenkt"
    r"|gesunken|beendet|aktualisier\w+|korrektur",
    # Spanish
    r"ahora|ya no|a partir de|en vez de|en lugar de|al final|nuev[oa]s?|dejó|dejado|dejaron"
    r"|abandon\w+|renunci\w+|cambi\w+|sustitu\w+|reemplaz\w+|pasa a|pasó a|pasamos a|subió"
    r"|subieron|bajó|bajaron|aument\w+|reduj\w+|vendi\w+|mudó|mudamos|canceló|cancelad\w+"
    r"|aplaz\w+|retras\w+|adelant\w+|prorrog\w+|corrección",
    # French
    r"désormais|dorénavant|maintenant|ne (?:\w+ ){1,2}plus|n['’]\w+ (?:\w+ )?plus|au lieu de"
    r"|à la place|finalement|nouveau|nouvel(?:le)?s?|arrêt\w+|quitté\w*|démissionn\w+|a changé"
    r"|ont changé|changement|déplacé\w*|reporté\w*|repoussé\w*|avancé\w*|prolongé\w*|annulé\w*"
    r"|résili\w+|vendu\w*|déménagé|remplac\w+|augment\w+|baissé\w*|passe à|passé\w* à"
    r"|à partir de|à compter de|est devenue?",
    # Italian
    r"ora|adesso|ormai|d['’]ora in poi|non (?:\w+ ){1,2}più|al posto di|invece|nuov[oaie]|smesso"
    r"|lasciato|cambi\w+|spostat\w+|rimandat\w+|rinviat\w+|anticipat\w+|prorogat\w+"
    r"|annullat\w+|disdett\w+|vendut\w+|trasferit\w+|sostitui\w+|aumentat\w+|abbassat\w+"
    r"|ridott\w+|diventat\w+|aggiornamento|passat[oaie] a|passa a|slitta\w*|a partire da",
    # Portuguese
    r"agora|já não|não (?:\w+ ){1,2}mais|em vez de|em lugar de|nov[oa]s?|deixou|deixei|largou"
    r"|parou|mud(?:ou|amos|ança)|trocou|trocamos|trocámos|passou|passa para|adiad\w+|antecipad\w+"
    r"|prorrogad\w+|cancelad\w+|vend(?:eu|emos)|desistiu|demitiu|substitu\w+|subiu|baixou"
    r"|aument(?:ou|aram)|virou|tornou-se|a partir d\w+|correção",
    # Dutch
    r"nu|voortaan|niet meer|niet langer|geen \w+ meer|in plaats van|nieuwe?|gestopt|stopt met"
    r"|veranderd|gewijzigd|wijziging|verplaatst|verzet|uitgesteld|vervroegd|verlengd|afgezegd"
    r"|opgezegd|verhuisd|verkocht|overgestapt|overgenomen|vervangen|vervangt|verhoogd|verlaagd"
    r"|gestegen|gedaald|geworden|ontslag|geruild|vanaf nu|correctie",
    # Polish
    r"teraz|już nie|nie \w+ już|od teraz|zamiast|jednak|now(?:y|a|e|ego|ej|ą|ym|ych)|zmian\w+"
    r"|zmieni\w+|wymieni\w+|zamieni\w+|zastąpi\w+|przełoż\w+|przenie\w+|przenios\w+"
    r"|przesunię\w+|przedłuż\w+|skróc\w+|odwoła\w+|rzuci\w+|przesta\w+|zrezygnow\w+"
    r"|zwolni\w+|odszed\w+|odesz\w+|sprzeda\w+|przeprowadzi\w+|podnios\w+|podniesi\w+"
    r"|wzrós\w+|wzros\w+|obniż\w+|przesz(?:edł|ła|li) na|korekta",
    # Russian
    r"теперь|больше не|уже не|вместо|отныне|нов(?:ый|ая|ое|ую|ого|ой|ые|ых)|бросил\w*|перестал\w*"
    r"|уш[её]л|ушла|ушли|уволи\w+|перен[её]с\w*|перенесен\w*|сдвину\w+|отложи\w+|отложен\w*"
    r"|отменил\w*|отмен[её]н\w*|измени\w+|изменен\w*|смени\w+|поменя\w+|замени\w+|обнови\w+"
    r"|переехал\w*|переш(?:[её]л|ла|ли)|пересел\w*|продал\w*|повысил\w*|подня\w+|снизи\w+"
    r"|подорожал\w*|продл\w+|передумал\w*|стал[аио]?",
    # Turkish
    r"artık|yeni|bıraktı\w*|ayrıldı\w*|istifa|vazgeç\w+|değiş\w+|yerine|taşındı\w*|satıldı"
    r"|sattı\w*|ertele\w+|kaydırıl\w+|uzatıl\w+|uzadı|iptal|alındı|geçti\w*|itibaren|zamlandı"
    r"|yükseldi|yükseltil\w+|arttı\w*|düştü|düşürül\w+|güncel\w+",
    # Arabic, without points and with one alef; "and" and "so" may be written with the word
    r"[وف]?(?:الان|صار\w*|اصبح\w*|بقى|بدلا?|لم (?:يعد|تعد|نعد|اعد)|ما عاد\w*|ترك(?:ت|نا|وا)?"
    r"|انتقل\w*|نقلنا|غيرت|غيرنا|غيروا|تغير\w*|تعديل|تبديل|استبدل\w*|تاجل\w*"
    r"|(?<!من )اجل(?:ت|نا|وا)?|الغ(?:ي|يت|ى|ت|ينا)|ابتداء|باع\w*|بعنا|رفع\w*|ارتفع\w*|خفض\w*"
    r"|انخفض\w*|استقال\w*|(?:ال)?جديد[هة]?|توقف\w*|مدد\w*)",
)
_UNSPACED = (
    # Chinese
    r"改成|改为|改到|改在|改去|改做|改[^善变革进]{0,2}了|换成|换了|换到|换人|现在|不再|再也不"
    r"|不[^了，。]{1,4}了|新的|取消|推迟|推后|延期|延长|提前到|搬到|搬家|卖掉|卖了|退了|退掉|辞职|离职"
    r"|跳槽|转行|转到|转学|涨到|涨了|降到|降了|调整|更新|更正|从\S{1,6}起|调到|調到|現在|換成|改為",
    # Japanese
    r"やめて|やめた|やめまし|辞めて|辞めた|辞めまし|退職|転職|異動|変更|変わっ|変わり|今は|今では"
    r"|代わりに|新しい|切り替え|延期|中止|前倒し|解約|移動|引っ越し|移転|売った|手放し|に上が"
    r"|に下が|に減ら|値上げ|値下げ|延長|なくなっ|ことになっ|ではなく|じゃなく|もう[^。、]{1,8}ない|訂正",
    # Korean
    r"이제|더 이상|바뀌|바뀜|바꿨|바꿈|변경|대신|새로|신규|그만두|그만둬|그만뒀|관뒀|끊고|끊었|퇴사"
    r"|이직|취소|해지|미뤘|미뤄|밀렸|밀려|연기|연장|앞당|옮겼|옮김|옮겨|이사했|팔았|재계약|올랐|올라"
    r"|인상|내렸|인하|교체|정정|하기로|부터는|년부터|월부터",
)
_CHANGE = compile_late(rf"\b(?:{'|'.join(_CHANGES)})\b|{'|'.join(_UNSPACED)}", re.IGNORECASE)
_ADDITION = compile_late(
    r"\b(?:auch|zusätzlich|außerdem|también|además|aussi|également|en plus|anche|inoltre|também"
    r"|além d\w+|ook|bovendien|też|także|również|dodatkowo|также|тоже|кроме того|ayrıca|ايضا"
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
    return _says(_CHANGE, text)


def adds_something(text: str) -> bool:
    """Whether a text that is not English says that it comes on top of what is known."""
    return _says(_ADDITION, text)


def asks_for_past(query: str) -> bool:
    """Whether a question that is not English is about what was before."""
    return _says(_FORMER, query)


def _says(pattern: re.Pattern[str], text: str) -> bool:
    plain = _POINTS.sub("", text).translate(_ALEFS)
    return pattern.search(plain) is not None and not is_clearly_english(words(text))
