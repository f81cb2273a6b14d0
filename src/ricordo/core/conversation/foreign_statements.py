"""How people of thirteen languages state plain facts about themselves. Data only.

An entry is the key of the fact and how a whole clause says it: a regular expression in which
braces stand for the value ({name}, {place}, {age} ...) or for whose name it is ({kin}). Left out is
what says two things: "trabajo en" names a firm or a town.
"""

import re

_GERMAN = """
name (?:ich )?heiße {name} ; name mein name ist {name}
home (?:ich )?(?:wohne|lebe)(?: aber)?(?: seit [\\w ]{3,20})? in {place}(?: mit meiner familie)?
home seit [\\w ]{3,20} (?:wohne|lebe) ich in {place}
from (?:ich )?komme(?: ursprünglich)? aus {place}
employer (?:ich )?arbeite(?: seit [\\w ]{3,20})? bei (?:der |dem )?{firm}
employer seit [\\w ]{3,20} arbeite ich bei (?:der |dem )?{firm} ; job (?:ich )?arbeite als {job}
job (?:ich )?bin {job} von beruf ; age (?:ich )?bin {age} jahre alt
birthday mein geburtstag ist (?:am|der) {date} ; birthday ich habe am {date} geburtstag
diet ich bin (?P<value>veganer(?:in)?|vegan|vegetarier(?:in)?)
allergy (?:ich )?bin (?:stark )?allergisch (?:gegen|auf) {allergen}
allergy (?:ich )?bin gegen {allergen} allergisch ; allergy ich habe eine {allergen}allergie
{kin} meine? {kin} heißt {name}
"""
_FRENCH = """
name je m.appelle {name} ; name moi,? c.est {name} ; name mon (?:nom|prénom) est {name}
home (?:j.|je )(?:habite|vis) (?:à|en|au) {place}(?: depuis [\\w ]{2,20}| avec ma famille)?
from je viens d(?:e |.){place}
employer je (?:travaille|bosse) chez {firm}(?: depuis [\\w ]{2,20})? ; job je travaille comme {job}
age j.ai {age} ans ; birthday mon anniversaire(?:,? c)?.?est le {date}
diet je suis (?P<value>végétarien(?:ne)?|végane?|vegan)
allergy je suis (?:très )?allergique (?:à la |à l.|aux? |à ){allergen}
{kin} m(?:on|a) {kin} s.appelle {name}
"""
_SPANISH = """
name (?:yo )?me llamo {name} ; name mi nombre es {name}
home (?:yo )?vivo en {place}(?: desde [\\w ]{2,20}| con mi familia)? ; from (?:yo )?soy de {place}
employer trabajo para {firm} ; job trabajo como {job} ; age tengo {age} años
birthday mi cumpleaños es el {date} ; birthday cumplo años el {date}
diet soy (?P<value>vegetarian[oa]|vegan[oa])
allergy soy (?:muy )?alérgic[oa] (?:al |a los |a las |a la |a ){allergen}
{kin} mi {kin} se llama {name}
"""
_ITALIAN = """
name (?:io )?mi chiamo {name} ; name il mio nome è {name}
home (?:io )?(?:abito|vivo) (?:a|in) {place}(?: da [\\w ]{2,20}| con la mia famiglia)?
from (?:io )?(?:vengo da|sono di) {place}
employer lavoro (?:per (?:la |il )?|alla |presso (?:la |il )?){firm} ; job lavoro come {job}
age ho {age} anni ; birthday il mio compleanno è il {date}
diet sono (?P<value>vegetarian[oa]|vegan[oa])
allergy sono (?:molto )?allergic[oa] (?:alle |alla |agli |ai |al |all.|allo ){allergen}
{kin} (?:il mio |la mia |mi[oa] ){kin} si chiama {name}
"""
_PORTUGUESE = """
name (?:eu )?me chamo {name} ; name chamo-me {name} ; name (?:o )?meu nome é {name}
home (?:eu )?(?:moro|vivo) em {place}(?: desde [\\w ]{2,20}| com a minha família)?
employer trabalho para a {firm} ; job trabalho como {job} ; from (?:eu )?sou de {place}
age (?:eu )?tenho {age} anos ; birthday (?:o )?meu aniversário é (?:em|no dia|a|dia) {date}
diet (?:eu )?sou (?P<value>vegetarian[oa]|vegan[oa])
allergy (?:eu )?sou (?:muito )?alérgic[oa] (?:aos |às |ao |à |a ){allergen}
{kin} (?:o |a )?(?:meu|minha) {kin} (?:se chama|chama-se) {name}
"""
_DUTCH = """
name (?:ik )?heet {name} ; name mijn naam is {name}
home (?:ik )?woon(?: al \\w+ jaar)? in {place}(?: met mijn gezin)?
from (?:ik )?kom(?: oorspronkelijk)? uit {place} ; employer (?:ik )?werk bij {firm}
job (?:ik )?werk als {job} ; age (?:ik )?ben {age} jaar(?: oud)?
birthday mijn verjaardag is(?: op)? {date} ; birthday ik ben jarig op {date}
birthday ik ben op {date} jarig ; diet ik ben (?P<value>vegetariër|vegetarisch|veganist|vegan)
allergy (?:ik )?ben (?:erg |zwaar )?allergisch voor {allergen} ; {kin} mijn {kin} heet {name}
"""
_POLISH = """
name (?:ja )?(?:mam na imię|nazywam się) {name}
home (?:ja )?mieszkam we? {place}(?: od [\\w ]{2,20}| z rodziną)?
from (?:ja )?(?:pochodzę|jestem) ze? {place} ; employer pracuję w firmie {firm}
job pracuję jako {job} ; age mam {age} lat[a]?
birthday (?:moje )?urodziny (?:mam|obchodzę) {date}
diet jestem (?P<value>wegetarianin|wegetarianką|weganin|weganką)
allergy (?:mam (?:silną )?alergię|jestem uczulon[ya]) na {allergen}
{kin} m(?:ój|oja) {kin} (?:ma na imię|nazywa się|wabi się) {name}
"""
_RUSSIAN = """
name меня зовут {name} ; name мо[её] имя {name}
home (?:я )?живу во? {place}(?: с \\d{4} года| с семь[её]й)? ; from я (?:родом )?из {place}
employer (?:я )?работаю в компании {firm} ; age мне {age} (?:лет|года?)
birthday (?:у меня день рождения|мой день рождения) {date} ; birthday у меня {date} день рождения
diet я (?P<value>вегетарианец|вегетарианка|веган|веганка)
allergy у меня (?:сильная )?аллергия на {allergen}
{kin} (?:мою|моего|нашу|нашего) {kin} зовут {name}
"""
_TURKISH = """
name (?:benim )?(?:adım|ismim) {name}
home (?:ben )?{place}['’](?:[dt][ea]) (?:yaşıyorum|oturuyorum)
job (?:ben )?{job} olarak çalışıyorum ; age (?:ben )?{age} yaşındayım
birthday (?:benim )?doğum günüm {date} ; diet (?:ben )?(?P<value>vejetaryen|vegan)[ıi]m
allergy (?:benim )?{allergen} (?:karşı )?alerjim var ; {kin} (?:benim )?{kin} (?:adı|ismi) {name}
"""
_ARABIC = """
name (?:انا اسمي|اسمي هو) {bare_name} ; name اسمي {one_name}
home (?:انا )?(?:اسكن|اعيش|ساكن|ساكنه) في (?:مدينه )?{city}
employer (?:انا )?(?:اعمل|اشتغل) (?:في|لدي) شركه {bare_name} ; age عمري {age} (?:سنه|عاما?|سنوات)
diet (?:انا )?(?P<value>نباتيه?) ; allergy (?:انا )?(?:عندي|لدي) حساسيه (?:من|تجاه) {allergen}
{kin} {kin} اسمه?ا? {one_name}
"""
_CHINESE = """
name 我叫{han_name} ; name 我的名字(?:叫|是){one_name} ; home 我(?:现在)?(?:住在|家在|住){city}
from 我是{city}人 ; from 我来自{city} ; age 我(?:今年)?{age}岁(?:了)? ; birthday 我的?生日是{date}
diet 我(?:是|吃)(?P<value>素食者|素食主义者|纯素者|素) ; allergy 我对{allergen}(?:严重)?过敏
{kin} (?:我的|我家的?|我){kin}(?:的名字)?叫(?:做)?{one_name}
"""
_JAPANESE = """
name (?:私|僕|俺)の名前は{one_name}です
name (?:私は)?{one_name}(?:と申します|といいます|と言います)
home (?:(?:私|僕|俺)は)?{city}に住んで(?:います|いる|ます|る)
from (?:(?:私|僕|俺)は)?{city}(?:出身です|の出身です)
employer (?:私は|僕は)?{one_name}(?:に勤めています|に勤務しています)
age (?:私|僕|俺)は(?:今年)?{age}歳です ; birthday (?:私の|僕の)?誕生日は{date}です
diet (?:私|僕)は(?P<value>ベジタリアン|ヴィーガン|菜食主義者)です
allergy (?:私は|僕は)?{allergen}(?:の)?アレルギー(?:があります|がある|です|持ちです)
{kin} (?:うちの|私の|僕の)?{kin}の名前は{one_name}です
"""
_KOREAN = """
name (?:제|내) 이름은 {one_name}(?:이에요|예요|입니다|이야|야)
name (?:저는 )?{one_name}이?라고 (?:해요|합니다|불러 ?주세요)
home (?:저는 |나는 |난 )?{city}에(?:서)? (?:살아요|삽니다|살고 있어요|살고 있습니다|살아|산다)
age (?:저는 |나는 |난 )?(?:올해 )?{age}살(?:이에요|입니다|이야)
birthday (?:제|내) 생일은 {date}(?:이에요|입니다|이야)
diet (?:저는 |나는 )?(?P<value>채식주의자|비건)(?:예요|이에요|입니다)
allergy (?:저는 |나는 |난 )?{allergen} ?알레르기가 (?:있어요|있습니다|있어)
{kin} (?:우리 |제 |내 )?{kin} 이름은 {one_name}(?:이에요|예요|입니다|이야|야)
"""
STATEMENTS = {
    "german": _GERMAN,
    "french": _FRENCH,
    "spanish": _SPANISH,
    "italian": _ITALIAN,
    "portuguese": _PORTUGUESE,
    "dutch": _DUTCH,
    "polish": _POLISH,
    "russian": _RUSSIAN,
    "turkish": _TURKISH,
    "arabic": _ARABIC,
    "chinese": _CHINESE,
    "japanese": _JAPANESE,
    "korean": _KOREAN,
}

# What joins two statements; after a comma also "but".
JOINTS = {
    "german": "und",
    "french": "et",
    "spanish": "y|e",
    "italian": "ed?",
    "portuguese": "e",
    "dutch": "en",
    "polish": "i|a",
    "russian": "и",
    "turkish": "ve",
}
BUT = "aber|mais|pero|ma|mas|maar|ale|но|а|ama"

# Who has a name, by the word for them in the key.
_KIN = {
    "dog": (
        "hund perro perra cane cachorro cachorra cão hond pies собаку пса köpeğimin كلبي كلبتي "
        "狗 小狗 犬 愛犬 강아지 개 chien chienne"
    ),
    "cat": (
        "katze kater gato gata gatto gatta kat kot kotka кошку кота kedimin قطي قطتي 猫 小猫 "
        "愛猫 고양이 chat chatte"
    ),
    "wife": (
        "frau ehefrau femme mujer esposa moglie vrouw żona жену karımın eşimin زوجتي 妻子 老婆 "
        "妻 아내"
    ),
    "husband": "mann ehemann mari marido esposo marito man mąż мужа kocamın زوجي 丈夫 老公 夫 남편",
    "son": "sohn fils hijo figlio filho zoon syn сына oğlumun ابني 儿子 息子 아들",
    "daughter": (
        "tochter fille hija figlia filha dochter córka дочь дочку kızımın ابنتي بنتي 女儿 娘 딸"
    ),
    "brother": (
        "bruder frère hermano fratello irmão broer brat брата erkek_kardeşimin اخي 哥哥 弟弟 兄 "
        "弟 형 오빠 남동생"
    ),
    "sister": (
        "schwester soeur sœur hermana sorella irmã zus siostra сестру kız_kardeşimin اختي 姐姐 "
        "妹妹 姉 妹 누나 언니 여동생"
    ),
}
KIN = {word.replace("_", " "): kin for kin, words in _KIN.items() for word in words.split()}

# What people are allergic to, by how the words begin: a person may also be "allergic to Mondays".
_ALLERGENS = """
nuss nüss erdn haseln waln mandel cashew milch laktos gluten weizen eier fisch meeresfr garnel
schalent soja sellerie senf sesam erdbeer apfel äpfel kiwi tomate gräser birke hausstaub staub
milben katzen hund pferd bienen wespen penicillin latex nickel aspirin ibuprofen noix noisette
arachide cacahu cacah amande lait lactose blé oeuf œuf poisson crevette crustac fruits_de_mer
céleri moutarde sésame fraise pomme pollen gramin acarien poussi chat chien cheval abeille guêpe
pénicilline nuez nueces cacahuete maní avellana almendra leche lactosa trigo huevo pescado
marisco camar gamba soya fresa manzana polen polvo ácaro gato perro abeja avispa penicilina látex
níquel noci nocciol arachid mandorl latte lattosio grano uov pesce crostac gamber fragol pomodor
polline pollini graminac polvere acari gatti cani vespe penicillina lattice nichel amendoim noz
nozes castanha amêndo leite peixe frutos_do_mar morango maçã pólen poeira ácaros gatos cães
cachorro abelha vespa dipirona noten pinda hazeln amandel melk tarwe schaal stuifmeel garnal
aardbei appel tomat graspol hooi huisstof katten honden paarden bijen orzech orzesz migda mlek
laktoz pszenic jaj ryb owoce_morza krewet truskaw jabł pomidor pyłk kurz roztocz sierść pszczo
penicylin орех арахис миндал молок лактоз глютен пшениц яйц рыб морепродукт кревет клубник яблок
помидор пыльц пыль кошек кошк собак шерсть пчел пчёл пенициллин мёд мед цитрус fıstı yer_fıst
cevi badem süt buğday yumurta balı deniz_ürün karides çile elma domates kedi köpe penisilin الفول
المكسرات الجوز اللوز الحليب اللاكتوز الغلوتين القمح البيض السمك الماكولات الجمبري الروبيان السمسم
الفراوله الغبار القطط الكلاب النحل البنسلين حبوب
"""
_WHOLE = """
花生 坚果 核桃 杏仁 牛奶 乳糖 麸质 小麦 鸡蛋 鱼 海鲜 虾 蟹 大豆 芝麻 草莓 芒果 桃 花粉 尘螨 灰尘
猫毛 狗毛 猫 狗 青霉素 卵 牛乳 乳製品 そば 蕎麦 えび エビ 海老 かに カニ 落花生 ピーナッツ ナッツ
くるみ 魚 甲殻類 りんご キウイ スギ花粉 ハウスダスト 犬 金属 ペニシリン 땅콩 견과류 호두 아몬드
우유 유당 글루텐 밀 밀가루 달걀 계란 생선 해산물 새우 게 갑각류 대두 복숭아 사과 꽃가루 먼지 진드기
개 고양이 벌 페니실린 ei eier ovo vis psy osy mele mela api toz arı kot kota lait leche uova polen
"""
ALLERGENS = tuple(word.replace("_", " ") for word in _ALLERGENS.split())
WHOLE_ALLERGENS = frozenset(_WHOLE.split())

# Towns and countries of scripts without capitals.
_CITIES = """
القاهره الاسكندريه الرياض جده مكه الدمام دبي ابوظبي الشارقه الدوحه الكويت مسقط المنامه عمان بيروت
دمشق حلب بغداد البصره اربيل القدس غزه رام_الله طرابلس تونس الجزائر وهران الرباط مراكش فاس طنجه
الخرطوم صنعاء عدن اسطنبول باريس لندن برلين مصر السعوديه المغرب الاردن لبنان 北京 上海 广州 深圳
成都 重庆 杭州 南京 武汉 西安 天津 苏州 长沙 郑州 青岛 大连 厦门 宁波 沈阳 哈尔滨 昆明 福州 济南
合肥 南昌 贵阳 南宁 太原 石家庄 长春 兰州 海口 三亚 香港 台北 高雄 台中 台南 新竹 澳门 新加坡 东京
纽约 伦敦 巴黎 柏林 四川 广东 湖南 湖北 浙江 江苏 山东 云南 台湾 東京 大阪 京都 横浜 名古屋 札幌
福岡 神戸 仙台 広島 川崎 さいたま 千葉 北九州 堺 新潟 浜松 熊本 岡山 静岡 鹿児島 長崎 金沢 那覇
奈良 北海道 沖縄 埼玉 長野 愛知 兵庫 青森 秋田 山形 福島 宮城 岩手 群馬 栃木 茨城 神奈川 富山 石川
福井 岐阜 三重 滋賀 和歌山 鳥取 島根 山口 徳島 香川 愛媛 高知 佐賀 大分 宮崎 서울 부산 대구 인천
광주 대전 울산 세종 수원 성남 고양 용인 창원 청주 전주 천안 제주 제주도 포항 강릉 춘천 원주 여수
목포 안양 부천 일산 분당 경기도 도쿄 오사카 뉴욕 런던 파리 베를린
"""
CITIES = frozenset(word.replace("_", " ") for word in _CITIES.split())
NOT_LAST = frozenset("了吗呢吧的你他她车")
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁"
    "任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武"
    "戴莫孔向汤欧小阿"
)

# What stands in the place of a name and is none.
_NOT_NAMES = """
sie programm hase ihnen euch ist miete untermiete angst frieden scheidung trennung armut sünde
saus zelten hotels wohngemeinschaft überzeugung neugier liebe spaß regen tageslicht nacht licht
kälte hitze musik freunden bedarf mama papa oma opa mutter vater gott bett haus navidad dios
casa dieu maman chef bureau monsieur madame gedanken erinnerungen wohlstand ehe hektik stress
sorge einklang luxus quarantäne teilzeit vollzeit kunden bekannten gewitter wind sonne
sonnenschein schnee problemen gelegenheit kaffee letras ciencias humanas exatas boca river
aries áries tauro touro géminis gêmeos cáncer câncer leo virgo virgem libra escorpio escorpião
sagitario sagitário capricornio capricórnio acuario aquário piscis peixes tobą ciebie wami
panem panią 有名 普通 簡単 平凡 まだ 大事 大切 本当 흔한 아직 مشهور نادر قديم عربي مختلف سهل
بسيط لا لم لن bed huis nachtdienst nadziei domu богу доме маме школе طويل قصير صعب غريب
جميل_جدا معروف مكتوب موجود ليس مثل كما على في من هو هي 什么 啥 谁 何 なん 何か 秘密 内緒 本名
仮名 뭐 무엇 비밀 뭘까 뭐지
"""
_NOT_JOBS = """
erstes erster letzte letzter letztes nächstes team gruppe ersatz immer jamais toujours prévu
avant habitude fou dingue siempre nunca loco burro antes noche día voluntad todo sempre solito
prima matto pazzo pazza mulo louco groep eerste laatste paard zawsze pierwszy ostatni ekip
takım ilk son gönüllü te voi lui vous toi moi tú ustedes ella você eles mim gek hier ontem ayer
tako convenu toute todos lunes pie verdad mula un una une um uma een ein eine il lo la los las
el le les o a der die das mi mon ma
"""
NOT_NAMES = frozenset(_NOT_NAMES.split())
NOT_JOBS = frozenset(_NOT_JOBS.split())

GREETING = re.compile(
    r"(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|bonjour|salut|coucou|bonsoir|hola"
    r"|buen[oa]s(?: \w+)?|ciao|buongiorno|salve|olá|oi|bom dia|boa (?:tarde|noite)|hoi|goede\w+"
    r"|cześć|dzień dobry|hej|привет|здравствуйте|добрый день|merhaba|selam"
    r"|مرحبا|السلام عليكم|اهلا|你好|您好|大家好|嗨|こんにちは|はじめまして|初めまして"
    r"|안녕하세요|안녕|übrigens|au fait|por cierto|a prop[oó]sito|trouwens|кстати|bu arada"
    r"|顺便说一下|ちなみに|참고로)(?: \w+)?",
    re.I,
)
# Laughter, and words that somebody wants worked on, invented or dreamt.
NOT_MEANT = re.compile(
    r"(?:\bha){2,}|\bja(?:ja)+\b|\bje(?:je)+\b|\b(?:lol|mdr|ptdr|xd|rsrs|kkk+)\b|хаха|\){3}|ههه"
    r"|哈哈|呵呵|笑|ㅋㅋ|ㅎㅎ|[😂🤣😉🙃😜]"
    r"|übersetz|tradu[isczç]|vertaal|przetłumacz|перевед|çevir|ترجم|翻译|翻譯|訳し|翻訳|번역"
    r"|korrigier|corrig|correg|popraw|исправ|düzelt|صحح|改写|修改|添削|고쳐"
    r"|geschichte|histoire|historia|storia|história|verhaal|histori|истори|hikaye|قصة|故事|物語|이야기"
    r"|소설|小说|小説"
    r"|rollenspiel|jeu de r|juego de rol|gioco di ruolo|stell dir vor|imagin|immagina"
    r"|stel je voor|wyobraź|представь|hayal|تخيل|想象|假设|想像|상상"
    r"|ejemplo|beispiel|exemple|esempio|exemplo|voorbeeld|przykład|например|örne[kğ]|مثال|例如"
    r"|例えば|예를|\b(?:satz|phrase|frase|zin|zdanie|cümle)\b|предложени|جملة|句子|문장"
    r"|traum|\brêve|sueñ|sogn|sonh|droom|rüya|梦|夢|꿈",
    re.I,
)
