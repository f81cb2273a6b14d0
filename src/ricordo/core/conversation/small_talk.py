"""Small talk: greetings, thanks and short nods, which no memory answers. Pure.

A text is small talk if it is short, every word of it belongs to the small talk of one language, and
one of them is a greeting, a thank-you or a nod. A single other word makes it a message like any,
and so does a question that is not one of the phrases.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_LONGEST = 100  # characters
_CLAUSE = re.compile(r"[^.!?,;:()\n？！。，、؟]+[?？؟]*")
_WORD = re.compile(r"what_a|[^\W_]+")
_COMBINING = re.compile("[\u0300-\u036f]")  # accents of Latin, Greek and Cyrillic
_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "æ": "ae", "đ": "d"})
_ASKS = re.compile("[?？؟]")

# What is said everywhere.
_EVERYWHERE = (
    "ok okay k kk hi hello hey thanks thx ty lol haha hahaha wow bye merci ciao bravo super"
)

# By language: what makes small talk; after the bar, what may stand beside it. Without accents.
_LANGUAGES = (
    """
    thank thanks cheers ta hiya howdy yo morning afternoon evening night goodbye cya ya yes yep yeah
    yup no nope nah sure great cool nice perfect awesome amazing brilliant excellent lovely
    wonderful fantastic good fine alright right gotcha understood noted agreed exactly absolutely
    definitely sorry please welcome np sweet neat correct indeed appreciated appreciate hmm hm oh ah
    aha yay ttyl brb gtg helpful glad congrats luck hope care enjoy obliged
    phew whoa yikes aww aw hehe heh hooray bless cheerio laters gm gn tysm tks thankyou okey okie
    alrighty roger fab smashing splendid superb marvellous marvelous delightful yup laugh lucky
    |
    you u re ve ll so very much a an lot lots for that it its the is was s m i am me all again then
    now and well there everyone guys mate man dude friend my your help helps got get makes make made
    sense sounds sound looks see later soon talk speak tomorrow today to will do done go ahead
    problem worries worry be back let lets just too really quite one this t don can have having day
    days weekend week friday monday best better egg star legend lifesaver angel genius meet long
    time sleep dreams happy work job love hear kind of saying checking in say take same with on us
    here everybody folks team pal buddy complain ok okay we safe travels rest champ gem off bed
    want wanted wanna gonna feeling feel bit tired bored nothing new laughing funny crack cracks
    joking kidding true fair enough point anyway maybe think know keep going out home early late
    moment minute sec second hang wait hold quick little while always such pretty honestly actually
    seriously everything else treat pleasure chat chatting catch tonight already by way break bye
    what_a
    """,
    """
    danke dank grossartig hallo moin servus gruss guten gut tschuss ciao ja nein jep nee genau
    prima toll klar gerne gern bitte perfekt alles passt stimmt okay entschuldigung sorry
    verstanden
    |
    dir ihnen sehr viel vielen dank fur die das es hilfe morgen tag abend nacht schon so ist mal
    auch dann na und bis spater wiedersehen auf euch zusammen leid tut mir ich habe klar schonen
    noch einen
    """,
    """
    bonjour bonsoir salut coucou oui non parfait genial merveilleux super cool accord bien
    entendu compris desole pardon exactement voila
    |
    beaucoup bien tres c est d ca va a toi vous te plus tard bientot au revoir bonne nuit
    journee soiree pour tout l aide je de rien et
    """,
    """
    hola gracias buenos buenas adios si no vale perfecto genial bien claro bueno excelente
    entendido perdon disculpa estupendo listo
    |
    muchas mucho muy por todo la ayuda dias tardes noches hasta luego pronto manana de nada a ti
    usted esta eso es que tal
    """,
    """
    ciao grazie salve buongiorno buonasera buonanotte arrivederci si no va bene perfetto certo
    ottimo bello capito scusa scusi esatto prego fantastico
    |
    mille tante molto a te lei per l aiuto tutto presto dopo domani e di niente d accordo
    """,
    """
    ola oi obrigado obrigada bom boa tchau adeus sim nao certo perfeito otimo beleza valeu
    entendi desculpa legal claro
    |
    dia tarde noite muito pela ajuda por tudo ate logo amanha de nada tudo bem e a
    """,
    """
    hoi hallo dank bedankt dankjewel dankje goedemorgen goedenavond goed doei dag ja nee prima
    top mooi leuk precies graag sorry begrepen snap
    |
    je jou u wel hartelijk veel voor de hulp heel erg tot straks later morgen is dat het ik oke
    """,
    """
    hej tack hejsan god morgon kvall natt ja nej jo bra perfekt toppen visst okej forlat tak
    fint jatak goddag farvel undskyld hei takk flott
    |
    sa mycket for hjalpen da vi ses snart det er meget mange dig deg hjelpen hjaelpen
    """,
    """
    czesc hej dzieki dziekuje witam dobry dobra dobrze tak nie super swietnie jasne pa rozumiem
    przepraszam prosze ahoj diky dekuji ano ne dobre skvele
    |
    bardzo za pomoc dzien wieczor dobranoc na razie ci to jest mockrat den
    """,
    """
    merhaba selam tesekkurler tesekkur sagol gunaydin evet hayir tamam guzel harika super peki
    anladim
    |
    ederim cok icin iyi geceler aksamlar gunler gorusuruz bir sey degil
    """,
    """
    доброе добрыи привет здравствуи здравствуите спасибо благодарю пока да нет хорошо отлично
    супер класс ладно понятно ясно извини извините пожалуиста конечно океи ок дякую привіт так
    ні добре
    |
    большое тебе вам за помощь утро день вечер спокоинои ночи до свидания встречи все очень дуже
    """,
    """
    halo hai terima makasih selamat ya tidak oke baik bagus siap mantap sip xin chao cam on vang
    khong tot tuyet da
    |
    kasih banyak pagi siang sore malam tinggal atas bantuannya sekali ban nhieu rat
    """,
    """
    مرحبا اهلا شكرا نعم لا حسنا تمام السلام عليكم وداعا ممتاز رائع جيد سلام
    |
    جزيلا لك صباح الخير مساء النور مع السلامة على المساعدة جدا و
    """,
    """
    नमस्ते धन्यवाद शुक्रिया हाँ नहीं ठीक अच्छा बढ़िया अलविदा
    |
    है बहुत आपका जी हो मदद के लिए
    """,
)
# Languages that are written without blanks, and questions that ask for nothing.
_PHRASES = """
谢谢, 多谢, 谢谢你, 谢谢您, 非常感谢, 你好, 您好, 嗨, 早上好, 晚上好, 晚安, 再见, 好, 好的,
好吧, 行, 可以, 是的, 对, 不, 明白, 明白了, 知道了, 太好了, 很好, 不客气, 哈哈, 哈哈哈, 嗯,
ありがとう, ありがとうございます, ありがとうございました, どうも, こんにちは, こんばんは,
おはよう, おはようございます, おやすみ, おやすみなさい, さようなら, またね, はい, いいえ,
うん, わかった, わかりました, 了解, 了解です, すごい, いいね, よし, お疲れ様です, すみません,
안녕, 안녕하세요, 고마워, 고마워요, 감사합니다, 고맙습니다, 네, 예, 응, 아니요, 좋아, 좋아요,
알겠어요, 알겠습니다, 잘자, สวัสดี, สวัสดีครับ, สวัสดีค่ะ, ขอบคุณ, ขอบคุณครับ, ขอบคุณค่ะ,
ครับ, ค่ะ, ใช่, ได้, โอเค, see you, see you later, see you soon, see you tomorrow,
talk to you later, later, how are you, how are you doing, how are you today, how is it going,
hows it going, how s it going, hi how are you, hello how are you, hey how are you, whats up,
what s up, hey what s up, sup, are you there, you there, anyone there, ping, test, testing,
wie geht s, wie gehts, wie geht es dir, hallo wie geht s, comment ca va, ca va, salut ca va,
que tal, hola que tal, como estas, hola como estas, come stai, ciao come stai, tudo bem,
como vai, hoe gaat het, hur mar du, jak sie masz, co slychac, nasilsin, как дела,
привет как дела, apa kabar, كيف حالك, آپ کیسے ہیں
"""


def is_small_talk(text: str) -> bool:
    """Whether a text greets, thanks or nods and says nothing else; one without words does not."""
    if len(text) > _LONGEST:
        return False
    clauses = [clause for part in _CLAUSE.findall(text) if (clause := _Clause.read(part)).words]
    rest = [clause for clause in clauses if not clause.is_phrase]
    if any(clause.asks for clause in rest):
        return False
    said = [word for clause in rest for word in clause.words]
    if not said:
        return bool(text.strip())
    is_opened = len(rest) < len(clauses)
    return any(
        bag.issuperset(said) and (is_opened or not openers.isdisjoint(said))
        for openers, bag in _BAGS
    )


class _Clause(NamedTuple):
    words: tuple[str, ...]
    asks: bool

    @staticmethod
    def read(text: str) -> "_Clause":
        return _Clause(tuple(_words(text)), _ASKS.search(text) is not None)

    @property
    def is_phrase(self) -> bool:
        return " ".join(self.words) in _WHOLE or "".join(self.words) in _WHOLE


def _words(text: str) -> Iterator[str]:
    """The words of a text, folded."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = unicodedata.normalize("NFC", _COMBINING.sub("", folded)).translate(_LETTERS)
    plain = plain.replace("what a ", "what_a ")  # an exclamation; other questions are none
    return (match[0] for match in _WORD.finditer(plain))


def _fold(text: str) -> frozenset[str]:
    return frozenset(word for listed in text.split() for word in _words(listed))


def _make_bags() -> list[tuple[frozenset[str], frozenset[str]]]:
    """By language: what makes small talk, and all that may stand in it."""
    shared = _fold(_EVERYWHERE)
    pairs = (language.split("|") for language in _LANGUAGES)
    bags = [(_fold(openers) | shared, _fold(beside)) for openers, beside in pairs]
    return [(openers, openers | beside) for openers, beside in bags]


_BAGS = _make_bags()
_WHOLE = frozenset(" ".join(_words(phrase)) for phrase in _PHRASES.split(","))
