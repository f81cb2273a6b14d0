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

# Words that English has, too, as words or in names: they tell no language.
_SHARED = """
al am an ante as ben bent bin come comment con dan del den der des die do door el en era est fur
ga ha hat hay he her him ho il in ins is la las le les lo los ma mal man mas me men met mi mit mon
no nos nun of on onder op or os par pas per plus pour prima sans sea si sin so solo son sono state
sue sui sur ta tan ten ton tot tu un una us van via vi war was want we wel wen will zo
"""
# Words that ask: as the first or second word of a question one is enough to tell the language.
_ASKING = """
wann warum welche welchem welchen welcher welches wem wer weshalb wieso wieviel wo wofur woher wohin
womit combien ou pourquoi quand quel quelle quelles quels quoi cual cuales cuando cuanta cuantas
cuanto cuantos donde quien quienes chi dove perche quale quali quando quanta quante quanti quanto
onde quais qual quem hoeveel waar waarom wanneer welk welke
"""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


ENGLISH = _listed(_ENGLISH)
_EUROPEAN = (_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH, _RUSSIAN)
OTHERS = tuple(map(_listed, (*_EUROPEAN, _JAPANESE, _CHINESE)))
_TOLD = ENGLISH | _listed(_SHARED) | frozenset("abcdefghijklmnopqrstuvwxyz")
_CLEAR = frozenset().union(*OTHERS) - _TOLD
_OPENING = _listed(_ASKING)


def stopwords(said: Sequence[str]) -> frozenset[str]:
    """The stop words of the language that these words are in; those of English if in doubt."""
    spoken = frozenset(said)
    clear = spoken & _CLEAR
    is_asked = not _OPENING.isdisjoint(said[:2])
    if len(clear) < 2 and not is_asked and all(map(str.isascii, clear)):
        return ENGLISH
    found = max(OTHERS, key=lambda listed: (len(clear & listed), len(spoken & listed)))
    is_clearer = len(clear & found) > len((spoken & ENGLISH) - found)
    return found if is_clearer else ENGLISH
