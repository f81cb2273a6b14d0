"""Stop words: what says little by itself, in the languages people ask in. Folded as words are.

A question in German asks with "wann" and "welche", which few messages hold: without a list they
would count as its rarest and most telling words.
"""

from collections.abc import Sequence

_ENGLISH = """
a about all also am an and any are as at be been being but by can could did do does doing for from
had has have having he her hers him his how i if in into is it its just like may me might more most
my no not of on or our out over s she should so some such t than that the their them then there
these they this those to too up us was we were what when where which who whom whose why will with
would you your
"""
_GERMAN = """
ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei
damit danach dann das dass dein deine deinem deinen deiner dem den denn der des dich die dies
diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
etwas euch eure fur gegen gerade gern hab habe haben habt hast hat hatte hatten hier hin ich ihm
ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeden jeder jetzt kann kannst kein
keine keinen konnen konnte mal man mein meine meinem meinen meiner mich mir mit muss musste nach
nicht noch nun nur ob oder ohne sehr seid sein seine seinem seinen seiner seit sich sie sind so
soll sollte sondern uber um und uns unser unsere unter vom von vor wann war waren warst warum was
weil welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wie wieder wieso
wieviel wird wo wofur woher wohin womit woran woraus woruber wurde wurden zu zum zur
"""
_FRENCH = """
a afin ai ainsi alors apres as au aucun aussi autre aux avaient avais avait avant avec avez avoir
avons bien c ca ce cela celle celui ces cet cette ceux chez ci combien comme comment d dans de
deja depuis des donc dont du elle elles en encore entre es est et etaient etais etait ete etes
etre eu eux fait il ils j je jusqu l la le les leur leurs lors lui m ma mais me meme mes moi mon n
ne nos notre nous on ont ou par parce pas pendant plus pour pourquoi puis qu quand que quel quelle
quelles quels qui quoi s sa sans se sera ses si soi son sont sous suis sur t ta te tes toi ton
tous tout toute tres tu un une vers voici voila vos votre vous y
"""
_SPANISH = """
a al algo alguien algun alguna algunas algunos ante antes aquel aquella asi aun aunque bien cada
como con contra cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde durante e el
ella ellas ellos en entre era eran eres es esa esas ese eso esos esta estaba estan estar estas
este esto estos estoy fue fueron ha habia han has hasta hay he hemos la las le les lo los mas me
mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero por
porque pues que quien quienes se sea segun ser si sido sin sobre son soy su sus tambien tan tanto
te tengo ti tiene tienen toda todas todo todos tu tus un una unas uno unos usted y ya yo
"""
_ITALIAN = """
a abbia abbiamo ad agli ai al alla alle allo anche ancora avere aveva avevano c che chi ci cio
come con contro cosa cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello di
dopo dov dove e ed era erano essere fa fatto fra gia gli ha hai hanno ho i il in io l la le lei li
lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei nel nella nelle nello noi non
nostra nostro o ogni per perche piu poi prima qual quale quali quando quanta quante quanti quanto
quel quella quelle quelli quello questa queste questi questo qui s sara se sei senza si sia siamo
solo sono sta stata state stati stato su sua sue sugli sui sul sulla suo suoi te ti tra tu tua tue
tuo tuoi tutti tutto un una uno vi voi
"""
_PORTUGUESE = """
a ainda algum alguma ao aos aquela aquele aqui as ate cada com como da das de dela delas dele
deles depois do dos e ela elas ele eles em entre era eram essa essas esse esses esta estao estava
este eu foi foram ha isso isto ja la lhe mais mas me mesmo meu meus minha minhas muito na nao nas
nem no nos nossa nosso o onde os ou para pela pelas pelo pelos por porque quais qual quando quanta
quantas quanto quantos que quem sao se sem ser seu seus so sobre sua suas tambem te tem tenho ter
teu teve tinha toda todas todo todos tu tua um uma umas uns voce voces
"""
_DUTCH = """
aan al alle als altijd ben bent bij dan dat de deze die dit doen door dus een en er ergens ga gaan
gaat ge geen geweest haar had hadden heb hebben hebt heeft hem het hier hij hoe hoeveel hun ik in
is ja je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet na naar niet nog nu
of om omdat onder ons onze ook op over te tegen toch toen tot u uit van veel voor waar waarom
wanneer want waren was wat we wel welk welke werd wie wij wil worden wordt zal ze zelf zich zij
zijn zo zonder zou
"""
_RUSSIAN = """
а без более больше будет будто бы был была были было быть в вам вами вас ваш вдруг ведь во вот все
всегда всего всех всю вы где да даже два для до другои его ее еи ему если есть еще ж же за зачем
здесь и из или им иногда их к как какая какие каким какои какую кем ко когда кого кому конечно
которая которое которые которыи кто куда ли лучше между меня мне много может можно мои моя мы на
над надо наконец нас наш не него нее неи нельзя нет ни нибудь никогда ним них ничего но ну о об
один он она они оно опять от откуда перед по под после потом потому почему почти при про раз разве
с сам свое своеи свои свою себе себя сеичас сколько со совсем так такая также такои там твои твоя
тебе тебя тем теперь то тобои тогда того тоже тои только том тот тут ты у уж уже хорошо хоть чего
чеи чем через что чтоб чтобы чуть эта эти это этого этои этом этот эту я
"""
_UKRAINIAN = """
а або але без би був була були було бути в вам вас ваш ви вона вони воно все всі від він де для до
з за зі и иого кого коли кому котрии куди ли лише мене мені ми моя моє моі між міи на над нам нас
наш наша не ним них ну ні о об один по при про під після своя своє своі свіи себе скільки собі так
така таке такии там твоя твоі твіи те тебе ти то тобі тоді тои ту тут тільки у хто це цеи цього
цьому ця ці чи чии чим чия чого чому ще що щоб я як яка яке якии якого якому якою якоі які є і із
іи ім іншии іх іі
"""
_POLISH = """
a aby albo ale ani az bardzo beda bedzie bez bo by byc byl byla bylo byly chyba ci cie co czego
czemu czy czyli czym dla dlaczego do dokad gdy gdzie gdzies go i ich ile im inna inne inny ja jak
jaka jaki jakich jakie jakiego jakiej jakim jako je jeden jedna jego jej jemu jesli jest jestem
jestes jeszcze juz kiedy kim kogo komu kto ktora ktore ktorego ktorej ktory ktorych ktorym ku lub
ma maja mam mamy mi mial miala mna mnie moj moja moje mojego mojej my na nad nam nas nasz nasza
nia nic nich nie niej nim niz no o od on ona one oni ono oraz pan pani po pod poza przed przez
przy raz razem sa sie skad sobie swoj swoja swoje swojego swojej ta tak taka taki takie tam te
tego tej ten tez to tobie tu tutaj twoj twoja twoje twojego twojej ty tych tylko tym u w we wiec
wszystko wtedy z za zawsze ze zeby zostal zostala zostalo
"""
_SWEDISH = """
alla allt an ar at att av aven bara blev bli blir da dar darfor de dem den denna deras dess det
detta dig din dina ditt du efter eller en ett fa far fick for fran gjorde gor gora ha hade han
hans har henne hennes hon honom hur i in inte jag ju kan kom kommer kunde man med mellan men mig
min mina mitt mot mycket nagon nagot nagra nar ni nu och om oss over pa redan sa sig sin sina sitt
sjalv ska skulle som till under upp ut utan vad var vara varfor varit varje vars vart vem vems vi
vid vilka vilken vilket vill
"""
_DANISH = """
af alle alt at blev bliver da de dem den denne der deres det dette dig din dine dit du efter eller
en er et fa far for fordi fra gjorde gor ham han hans har havde have hende hendes her hos hun hva
hvad hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornar i ikke ikkje ind jeg jo kan kom
kunne man med meget mellem men mig min mine mit mod nar noe noen nogen noget nogle nu og ogsa om
op os over pa sa sig sin sine sit skal skulle som til ud under vaere vaeret var vi vil ville
"""
_TURKISH = """
acaba ama ancak artik aslinda az bana bazi belki ben beni benim bile bir biri birkac biz bizi
bizim bu buna bunda bundan bunu bunun burada cok cunku da daha de degil diye en fakat gibi gore
hangi hangisi hani hem hep her hic icin ile ise iste kac kadar ki kim kime kimi kimin kimle mi
miydi mu muydu nasil ne neden nedir neler nerede nereden nereye neydi nicin niye o olan olarak
oldu oldugu olur ona once ondan onlar onu onun orada sen seni senin sey siz sizin sonra su tum var
vardi ve veya ya yani yok zaman
"""
_INDONESIAN = """
ada adalah agar akan aku anda apa apakah atau bagaimana bahwa banyak belum berapa bisa bukan dalam
dan dari dengan di dia ialah ini itu juga kalau kami kamu kapan karena ke kemana kenapa kepada
kita lagi lalu maka mana masih mengapa mereka nya oleh pada para pernah punya saat saja sama
sambil saya sebagai seberapa sedang sejak seperti siapa sudah supaya tadi tapi telah tentang
tetapi tidak untuk yaitu yang
"""
_ARABIC = """
اذ اذا اكون التي الذي الذين اللواتي الى اليه اليها ام اما ان انا انت انتم انه انها اني او اوليك اي
اية ايضا اين بعد بعض بك بل بما بنا به بها بي بين تكون تلك ثم جدا حتى حيث ذلك سوف على علي عليك عليه
عليها عما عن عند عندما عنه عنها غير فقط في فيما فيه فيها قبل قد كان كانت كانوا كذلك كل كم كما كنا
كنت كي كيف لا لان لانه لقد لك لكم لكن لكي لم لما لماذا لن لنا له لها لهم لو لي ليس ليست ما ماذا
متى مثل مع معه معي مما من منذ منه منها نحن هذا هذه هل هم هن هنا هناك هنالك هو هولاء هي واين وكيف
وما ومتى ومن وهل يا يكون
"""
_HINDI = """
अगर अपना अपनी अपने आप आपका आपकी आपके आपको इन इस इसका उन उन्हें उस उसका उसकी उसके उसने उसे एक और कब
कर करता करती करते कहाँ का कि कितना कितनी कितने किया किस किसका किसकी किसको किसने की कुछ के कैसे को
कोई कौन कौनसा कौनसी क्या क्यों गई गए गया जब जो तक तब तुम तुम्हारा तुम्हें तो था थी थे न नहीं ने पर
पहले फिर बाद भी मगर मुझे में मेरा मेरी मेरे मैं यह या ये रहा रही रहे लिए लेकिन वह वे साथ से हम
हमारा हमारी हमें ही हुआ हुई हुए हूँ है हैं हो होता होती होते
"""
# Languages without blanks are read in pairs of characters.
_JAPANESE = """
ある いつ いる うか から くら この こと ごろ さん した して しょ すか する それ
その たか たち ため たの だっ だれ った って っけ てい てる です では でし とき
とは どう どこ どの どん ない なぜ なに には にな のお のか ので のは はど まし
ます まで もの よう ょう より らい ると んが んな んの んは
"""
_CHINESE = """
一个 不是 为什 为何 么时 么样 什么 他们 你们 候去 几个 几点 哪个 哪些 哪儿 哪天
哪里 在哪 多久 多少 她们 怎么 怎样 我们 时候 是不 是什 是在 是谁 有没 没有 自己
谁的 这个 那个
"""

_KOREAN = """
가요 가장 거야 구랑 그래 그리 기로 까지 나요 네요 누가 누구 는지 니까 니다 다고
디로 디서 디에 떻게 라고 래서 려고 리고 마나 몇 무슨 무엇 뭐 뭐라 뭐야 뭐였 뭘
부터 습니 았던 았어 았지 어느 어디 어때 어떤 어떻 어요 언제 얼마 없어 엇을 었던
었어 었지 에게 에서 였던 였어 였지 왜 우리 으로 은지 이가 이네 이는 이랑 이를
이야 이었 이의 인지 있는 있어 있지 제일 지만 하고 하는 한테 했다 했던 했어 했지
"""

# Words that English also has, as words or in names: they do not identify a language.
_SHARED = """
ada al ale alt am ama an ani ante as az bana ben bent bez bin biz by co come comment con da dan de
del den der des dia die dig dina do door el en er era est far fur ga go ha hade ham han hans hat
hay he hem her him ho il im in ins is jag jo ki kim kita la las le les lo los ma mal mam man mana
mas masih me men met mi min mina mine mit mon mot mu ne ni no nos nun o of on once onder one op or
os pan par para pas per plus pour prima sama sans saya sea sen si sin sina sit so solo son sono
state su sue sui sur ta tan ten til till ton tot tu un una under us van ve vi via vid want war was
we wel wen will ya zo
"""
# Words that ask: as the first or second word of a question one is enough to tell the language.
_ASKING = """
wann warum welche welchem welchen welcher welches wem wer weshalb wieso wieviel wo wofur woher
wohin womit combien ou pourquoi quand quel quelle quelles quels quoi cual cuales cuando cuanta
cuantas cuanto cuantos donde quien quienes chi dove perche quale quali quando quanta quante quanti
quanto onde quais qual quem hoeveel waar waarom wanneer welk welke kiedy gdzie kto jak jaki jaka
jakie jakiego jakiej ile dlaczego czy skad dokad ktory ktora ktore czego komu vad nar vem vilken
vilket vilka varfor hur hvad hvornar hvem hvilken hvilket hvilke hvorfor hvordan hvor hangi nerede
nereye nasil neden kac kapan siapa berapa mengapa kenapa bagaimana
"""


# As words are folded: one letter for the two forms of ya, one sign for the two of a nasal vowel.
_SAME = str.maketrans("\u0649\u0901", "\u064a\u0902")


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.translate(_SAME).split())


ENGLISH = _split_words(_ENGLISH)
LISTS = {
    name: _split_words(words)
    for name, words in {
        "german": _GERMAN,
        "french": _FRENCH,
        "spanish": _SPANISH,
        "italian": _ITALIAN,
        "portuguese": _PORTUGUESE,
        "dutch": _DUTCH,
        "swedish": _SWEDISH,
        "danish": _DANISH,
        "russian": _RUSSIAN,
        "ukrainian": _UKRAINIAN,
        "polish": _POLISH,
        "turkish": _TURKISH,
        "arabic": _ARABIC,
        "hindi": _HINDI,
        "indonesian": _INDONESIAN,
        "japanese": _JAPANESE,
        "chinese": _CHINESE,
        "korean": _KOREAN,
    }.items()
}
OTHERS = tuple(LISTS.values())
_TOLD = ENGLISH | _split_words(_SHARED) | frozenset("abcdefghijklmnopqrstuvwxyz")
_CLEAR = frozenset().union(*OTHERS) - _TOLD
_OPENING = _split_words(_ASKING)


ENGLISH_ALONE = ENGLISH.difference(*OTHERS)
_DOUBTFUL = ENGLISH | _CLEAR


def find_stopwords(said: Sequence[str]) -> frozenset[str]:
    """The stop words for a question; those of every language if its own is not told."""
    found = stopwords(said)
    if found is ENGLISH and ENGLISH_ALONE.isdisjoint(said):
        return _DOUBTFUL
    return found


def stopwords(said: Sequence[str]) -> frozenset[str]:
    """The stop words of the language that these words are in; those of English if in doubt."""
    is_asked = not _OPENING.isdisjoint(said[:2])
    if not is_asked and _CLEAR.isdisjoint(said):
        return ENGLISH  # most texts
    spoken = frozenset(said)
    clear = spoken & _CLEAR
    if len(clear) < 2 and not is_asked and all(map(str.isascii, clear)):
        return ENGLISH
    found = max(OTHERS, key=lambda listed: (len(clear & listed), len(spoken & listed)))
    is_clearer = len(clear & found) > len((spoken & ENGLISH) - found)
    return found if is_clearer else ENGLISH
