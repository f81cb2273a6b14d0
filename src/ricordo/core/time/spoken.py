"""How fourteen languages speak of times: the words, and what each of them means. Data only.

Each entry is a meaning and the ways to say it, as regular expressions of folded text. A meaning is
a unit ("hour"), a day ("tomorrow", "mon"), a month ("m3"), a part of a day ("morning"), "every",
"next", "next_week", "in", "later" (after a duration), "hour_of" (marks the hour of a clock), "at"
(comes before a clock), "half_to" (half an hour before), "and", a number ("n2"), several of these
("n30+minute"), or "-" for what adds nothing. What has two meanings is left out, such as most
plurals of weekdays.
"""

_GERMAN = """
- am|den|der|das|im|von ; and ,|und ; at um|gegen ; today heute
tomorrow (?<!tag )(?<!heute )morgen ; after_tomorrow [uü]bermorgen ; hour_of uhr
morning fr[uü]h|vormittags?|(?:am|(?<=tag)|(?<=heute)) morgens? ; noon mittags?|zu mittag
afternoon nachmittags? ; evening abends? ; midnight mitternacht ; every jede[nrsm]?|alle
weekdays werktags|an werktagen|werktag ; weekends (?:am )?wochenende ; day tage?n?
every+day t[aä]glich ; week wochen? ; hour stunden? ; minute minuten?
next n[aä]chste[nrsm]?|kommende[nrsm]?|diese[nrsm]?
next_week (?:in )?(?:der )?(?:n[aä]chsten?|kommenden?) woche ; in in ; mon montag ; tue dienstag
wed mittwoch ; thu donnerstag ; fri freitag ; sat samstag|sonnabend ; sun sonntag
m1 januar|j[aä]nner ; m2 februar ; m3 m[aä]rz ; m4 april ; m5 mai ; m6 juni ; m7 juli ; m8 august
m9 september ; m10 oktober ; m11 november ; m12 dezember ; n1 eine?[nrm]? ; n2 zwei ; n3 drei
n4 vier ; n5 f[uü]nf ; n6 sechs ; n7 sieben ; n8 acht ; n9 neun ; n10 zehn ; n11 elf ; n12 zwölf
half_to halb ; n30+minute (?:einer )?halben? stunde ; n15+minute (?:einer )?viertelstunde
n90+minute anderthalb stunden|eineinhalb stunden
"""
_SPANISH = """
- el|la|de|del|en punto|y ; and , ; at a las? ; today hoy ; tomorrow ma[nñ]ana
after_tomorrow pasado ma[nñ]ana ; hour_of h ; morning (?:por|de|en) la ma[nñ]ana
noon (?:al? )?mediod[ií]a ; afternoon (?:por|de|en) la tarde ; evening (?:por|de|en) la noche
today+evening esta noche ; today+afternoon esta tarde ; midnight (?:a )?medianoche
every cada|todos los|todas las|los(?= (?:lun|mar|mi|jue|vie|s[aá]b|dom))
weekdays (?:entre semana|d[ií]as (?:laborables|h[aá]biles)) ; weekends fines? de semana
day d[ií]as? ; every+day diariamente|a diario ; week semanas? ; hour horas? ; minute minutos?
next pr[oó]ximo|que viene|este ; next_week (?:de )?la (?:semana que viene|pr[oó]xima semana)
in en|dentro de ; mon lunes ; tue martes ; wed mi[eé]rcoles ; thu jueves ; fri viernes
sat s[aá]bados? ; sun domingos? ; m1 enero ; m2 febrero ; m3 marzo ; m4 abril ; m5 mayo ; m6 junio
m7 julio ; m8 agosto ; m9 sept?iembre ; m10 octubre ; m11 noviembre ; m12 diciembre ; n1 una?|uno
n2 dos ; n3 tres ; n4 cuatro ; n5 cinco ; n6 seis ; n7 siete ; n8 ocho ; n9 nueve ; n10 diez
n11 once ; n12 doce ; n30+minute media hora ; n15+minute (?:un )?cuarto de hora
n90+minute una hora y media ; half y media
"""
_FRENCH = """
- le(?! (?:lun|mar|mer|jeu|ven|sam|dim))|la|de|du ; and ,|et ; at [aà] ; today aujourd.?hui
tomorrow demain ; after_tomorrow apr[eè]s.demain ; hour_of h ; morning (?:le |du )?matins?
noon (?:[aà] )?midi ; afternoon (?:l.)?apr[eè]s.midi ; today+evening ce soir
today+afternoon cet apr[eè]s.midi ; today+morning ce matin ; evening (?:le |du )?soirs?
midnight (?:[aà] )?minuit ; every tous les|toutes les|chaque ; weekdays en semaine|jours ouvr[eé]s
weekends (?:le )?week.?ends? ; day jours? ; every+day quotidiennement ; week semaines?
hour heures? ; minute minutes? ; next prochaine?|ce(?= (?:lun|mar|mer|jeu|ven|sam|dim))
next_week (?:de )?la semaine prochaine ; in dans ; mon lundis? ; tue mardis? ; wed mercredis?
thu jeudis? ; fri vendredis? ; sat samedis? ; sun dimanches? ; m1 janvier ; m2 f[eé]vrier ; m3 mars
m4 avril ; m5 mai ; m6 juin ; m7 juillet ; m8 ao[uû]t ; m9 septembre ; m10 octobre ; m11 novembre
m12 d[eé]cembre ; n1 une? ; n2 deux ; n3 trois ; n4 quatre ; n5 cinq ; n6 six ; n7 sept ; n8 huit
n9 neuf ; n10 dix ; n11 onze ; n12 douze ; half et demie? ; n30+minute (?:une )?demi.heure
n15+minute (?:un )?quart d.heure ; n90+minute une heure et demie
"""
_PORTUGUESE = """
- a|o|os|as|de|da|do|na|no|em|e ; and , ; at [aà]s|à ; today hoje ; tomorrow amanh[aã]
after_tomorrow depois de amanh[aã] ; hour_of h ; morning (?:de|da|pela) manh[aã]
noon (?:ao )?meio.dia ; afternoon (?:[aà]|da|de) tarde ; evening (?:[aà]|da|de) noite
today+evening hoje [aà] noite ; midnight (?:[aà] )?meia.noite
every cada|todos os|todas as|toda|todo ; weekdays dias [uú]teis ; weekends fins? de semana
day dias? ; every+day diariamente ; week semanas? ; hour horas? ; minute minutos?
next pr[oó]xim[ao]|que vem|est[ea] ; next_week (?:da |na )?(?:pr[oó]xima semana|semana que vem)
in daqui a|dentro de|em ; mon segunda(?:.feira)? ; tue ter[cç]a(?:.feira)? ; wed quarta(?:.feira)?
thu quinta(?:.feira)? ; fri sexta(?:.feira)? ; sat s[aá]bado ; sun domingo ; m1 janeiro
m2 fevereiro ; m3 mar[cç]o ; m4 abril ; m5 maio ; m6 junho ; m7 julho ; m8 agosto ; m9 setembro
m10 outubro ; m11 novembro ; m12 dezembro ; n1 uma? ; n2 dois|duas ; n3 tr[eê]s ; n4 quatro
n5 cinco ; n6 seis ; n7 sete ; n8 oito ; n9 nove ; n10 dez ; n11 onze ; n12 doze ; half e meia
n30+minute meia hora ; n15+minute (?:um )?quarto de hora ; n90+minute uma hora e meia
"""
_ITALIAN = """
- a|il(?! (?:lun|mar|mer|gio|ven|sab))|la(?! dom)|di|del|e ; and , ; at alle|all. ; today oggi
tomorrow domani ; after_tomorrow dopodomani ; at+at ore(?= \\d)
morning (?:di |la )?mattina|mattino ; noon (?:a )?mezzogiorno ; afternoon (?:di |nel )?pomeriggio
evening (?:di |la )?sera ; today+evening stasera ; today+afternoon (?:questo|oggi) pomeriggio
today+morning stamattina|questa mattina ; midnight (?:a )?mezzanotte ; every ogni|tutti i|tutte le
weekdays giorni feriali ; weekends fine settimana|weekend ; day giorn[oi] ; every+day giornalmente
week settiman[ae] ; hour or[ae] ; minute minut[oi] ; next prossim[oa]|quest[oa]
next_week (?:della )?(?:la )?(?:prossima settimana|settimana prossima) ; in tra|fra ; mon luned[iì]
tue marted[iì] ; wed mercoled[iì] ; thu gioved[iì] ; fri venerd[iì] ; sat sabato ; sun domenica
m1 gennaio ; m2 febbraio ; m3 marzo ; m4 aprile ; m5 maggio ; m6 giugno ; m7 luglio ; m8 agosto
m9 settembre ; m10 ottobre ; m11 novembre ; m12 dicembre ; n1 una?|un.|uno ; n2 due ; n3 tre
n4 quattro ; n5 cinque ; n6 sei ; n7 sette ; n8 otto ; n9 nove ; n10 dieci ; n11 undici
n12 dodici ; half e mezz[oa] ; n30+minute mezz.?ora ; n15+minute (?:un )?quarto d.ora
n90+minute un.?ora e mezz[oa]
"""
_DUTCH = """
- op|de|het ; and ,|en ; at om ; today vandaag ; tomorrow (?<!dag )morgen
after_tomorrow overmorgen ; morning (?:'s )?ochtends?|vroeg|(?:'s )?morgens|(?<=dag )morgen
noon (?:tussen de )?middags? ; afternoon (?:'s )?(?:na)?middags? ; evening (?:'s )?avonds?
today+evening vanavond ; today+afternoon vanmiddag ; today+morning vanochtend|vanmorgen
midnight middernacht ; every elke|iedere?|alle ; weekdays doordeweeks|werkdag(?:en)?
weekends (?:in het )?weekend ; day dag(?:en)? ; every+day dagelijks ; week we(?:ek|ken)
hour uu?r(?:en)? ; minute minu(?:ut|ten) ; next volgende|komende|aanstaande|deze
next_week (?:in )?volgende week ; in over ; mon maandag ; tue dinsdag ; wed woensdag
thu donderdag ; fri vrijdag ; sat zaterdag ; sun zondag ; m1 januari ; m2 februari ; m3 maart
m4 april ; m5 mei ; m6 juni ; m7 juli ; m8 augustus ; m9 september ; m10 oktober ; m11 november
m12 december ; n1 een|één ; n2 twee ; n3 drie ; n4 vier ; n5 vijf ; n6 zes ; n7 zeven ; n8 acht
n9 negen ; n10 tien ; n11 elf ; n12 twaalf ; half_to half ; n30+minute (?:een )?half ?uur
n15+minute (?:een )?kwartier ; n90+minute anderhalf uur
"""
_RUSSIAN = """
at в(?= \\d) ; and ,|и ; - в|во|на|г\\.?|года ; today сегодня ; tomorrow завтра
after_tomorrow послезавтра ; morning утром|утра ; noon (?:в )?полдень ; afternoon дн[её]м|дня
evening вечером|вечера ; midnight (?:в )?полночь ; every кажд(?:ый|ую|ое|ые)|по(?= \\w+[ая]м)
every+day ежедневно ; weekdays по будням|будни(?:е дни)?|рабочие дни
weekends по выходным|выходные ; day день|дня|дней ; week недел[яюиь]|недель ; hour час(?:а|ов)?
minute минут[уы]? ; next следующ(?:ий|ую|ее)|этот|эту|это ; next_week на следующей неделе
in через ; mon понедельник(?:ам)? ; tue вторник(?:ам)? ; wed сред(?:[ау]|ам) ; thu четверг(?:ам)?
fri пятниц(?:[ау]|ам) ; sat суббот(?:[ау]|ам) ; sun воскресень(?:е|ям) ; m1 января ; m2 февраля
m3 марта ; m4 апреля ; m5 мая ; m6 июня ; m7 июля ; m8 августа ; m9 сентября ; m10 октября
m11 ноября ; m12 декабря ; n1 один|одну ; n2 два|две ; n3 три ; n4 четыре ; n5 пять ; n6 шесть
n7 семь ; n8 восемь ; n9 девять ; n10 десять ; n11 одиннадцать ; n12 двенадцать
n30+minute полчаса ; n15+minute четверть часа ; n90+minute полтора часа
"""
_POLISH = """
at o(?= \\d) ; and ,|i ; - o|w|we|na|r\\.?|roku ; today dzi(?:ś|siaj) ; tomorrow jutro
after_tomorrow pojutrze ; at+at godz(?:in[ay]e?|\\.)?(?= \\d) ; morning rano ; noon (?:w )?południe
afternoon po południu ; evening wieczorem ; midnight (?:o )?północy ; every każd(?:y|ą|e|ego)|co
every+day codziennie ; weekdays w dni robocze|dni robocze ; weekends weekendy? ; day dni|dzień|dnia
week tydzień|tygodni[ea]? ; hour godzin[ęya]? ; minute minut[ęya]?
next następn[yąe]|przyszł[yąe]|ten|tę|tą|to ; next_week w (?:przyszłym|następnym) tygodniu ; in za
mon poniedziałek ; every+mon (?:w )?poniedziałki ; tue wtorek ; every+tue (?:we )?wtorki
wed środ[aę] ; every+wed (?:w )?środy ; thu czwartek ; every+thu (?:w )?czwartki ; fri piątek
every+fri (?:w )?piątki ; sat sobot[aę] ; every+sat (?:w )?soboty ; sun niedziel[aę]
every+sun (?:w )?niedziele ; m1 stycznia ; m2 lutego ; m3 marca ; m4 kwietnia ; m5 maja
m6 czerwca ; m7 lipca ; m8 sierpnia ; m9 września ; m10 października ; m11 listopada ; m12 grudnia
n1 jedną|jeden|pierwszej ; n2 dwie|dwa|drugiej ; n3 trzy|trzeciej ; n4 cztery|czwartej
n5 pięć|piątej ; n6 sześć|szóstej ; n7 siedem|siódmej ; n8 osiem|ósmej ; n9 dziewięć|dziewiątej
n10 dziesięć|dziesiątej ; n11 jedenaście|jedenastej ; n12 dwanaście|dwunastej
n30+minute pół godziny ; n15+minute kwadrans ; n90+minute półtorej godziny
"""
_TURKISH = """
and ,|ve ; - günü|[’']?[dt][ae](?= |$)|tarihinde ; today bugün ; today+evening bu (?:akşam|gece)
today+morning bu sabah ; tomorrow yar[ıi]n ; after_tomorrow öbür gün
at+hour_of saat(?= (?:\\d|on|bir|iki|üç|d[öo]rt|beş|alt|yedi|sekiz|dokuz))
morning sabah(?:lar[ıi])? ; noon öğlen? ; afternoon öğleden sonra ; evening akşam(?:lar[ıi])?
midnight gece yarıs[ıi](?:nda)? ; every her ; weekdays hafta içi ; weekends hafta sonu ; day gün
week hafta ; hour saat(?:te)? ; minute dakika(?:da)? ; next gelecek|önümüzdeki|bu
next_week (?:gelecek|önümüzdeki|haftaya) hafta|haftaya ; later sonra|içinde ; mon pazartesi
tue sal[ıi] ; wed çarşamba ; thu perşembe ; fri cuma ; sat cumartesi ; sun pazar ; m1 ocak
m2 şubat ; m3 mart ; m4 nisan ; m5 may[ıi]s ; m6 haziran ; m7 temmuz ; m8 ağustos ; m9 eylül
m10 ekim ; m11 kas[ıi]m ; m12 aral[ıi]k ; n1 bir(?:de)? ; n2 iki(?:de)? ; n3 üç(?:te)?
n4 dört(?:te)? ; n5 beş(?:te)? ; n6 alt[ıi](?:da)? ; n7 yedi(?:de)? ; n8 sekiz(?:de)?
n9 dokuz(?:da)? ; n10 on(?:da)? ; n11 on bir(?:de)? ; n12 on iki(?:de)? ; half buçuk(?:ta)?
n30+minute yar[ıi]m saat ; n15+minute çeyrek saat ; n90+minute bir buçuk saat
"""
_ARABIC = """
- في|يوم(?= (?:ال)?(?:اثنين|ثلاثاء|اربعاء|خميس|جمع|سبت|احد)) ; and ،|,|و ; today اليوم
tomorrow غد[اً]* ; after_tomorrow بعد غد ; at+hour_of الساع[هة] ; morning صباحا?|في الصباح
noon ظهرا?|الظهر ; afternoon عصرا?|بعد الظهر ; evening مساء?
today+evening الليله|الليلة|هذا المساء ; midnight منتصف الليل ; every كل ; weekdays ايام العمل
n2+day يوم(?:ين|ان) ; n2+week اسبوع(?:ين|ان) ; n2+hour ساعت(?:ين|ان) ; n2+minute دقيقت(?:ين|ان)
day ايام|يوما?(?! (?:ال)?(?:اثنين|ثلاثاء|اربعاء|خميس|جمع|سبت|احد)) ; week اسابيع|اسبوعا?
hour ساعات|ساع[هة] ; minute دقائق|دقيق[هة] ; next القادم[هة]?|المقبل[هة]?|هذا|هذه
next_week (?:في |من )?الاسبوع (?:القادم|المقبل) ; in بعد|خلال ; mon (?:ال|(?<=كل )|(?<=يوم ))اثنين
tue (?:ال)?ثلاثاء ; wed (?:ال)?اربعاء ; thu (?:ال)?خميس ; fri (?:ال)?جمع[هة] ; sat (?:ال)?سبت
sun (?:ال)?احد ; m1 يناير|كانون الثاني ; m2 فبراير|شباط ; m3 مارس|اذار ; m4 ابريل|نيسان
m5 مايو|ايار ; m6 يونيو|حزيران ; m7 يوليو|تموز ; m8 اغسطس|اب ; m9 سبتمبر|ايلول
m10 اكتوبر|تشرين الاول ; m11 نوفمبر|تشرين الثاني ; m12 ديسمبر|كانون الاول ; n1 واحد[هة]?|الواحد[هة]
n2 اثن(?:ين|ان)|الثاني[هة] ; n3 ثلاث[هة]?|الثالث[هة] ; n4 اربع[هة]?|الرابع[هة]
n5 خمس[هة]?|الخامس[هة] ; n6 ست[هة]?|السادس[هة] ; n7 سبع[هة]?|السابع[هة] ; n8 ثماني?[هة]?|الثامن[هة]
n9 تسع[هة]?|التاسع[هة] ; n10 عشر[هة]?|العاشر[هة] ; n11 الحادي[هة] عشر[هة] ; n12 الثاني[هة] عشر[هة]
half والنصف ; n30+minute نصف ساع[هة] ; n15+minute ربع ساع[هة]
"""
_HINDI = """
and ,|और ; - को|के|में(?= |$) ; today आज ; tomorrow कल ; after_tomorrow परसों ; hour_of बजे
morning सुबह ; noon दोपहर ; afternoon दोपहर बाद ; evening शाम|रात ; midnight आधी रात
every हर|प्रत्येक ; every+day रोज़ाना|रोजाना|रोज़|रोज ; weekdays कामकाजी दिन ; day दिन
week हफ़?्ते|सप्ताह ; hour घंटे|घण्टे|घंटा ; minute मिनट ; next अगले|आने वाले|इस
next_week अगले हफ़?्ते|अगले सप्ताह ; later बाद|(?<=घंटे )में|(?<=मिनट )में ; mon सोमवार
tue मंगलवार ; wed बुधवार ; thu गुरुवार ; fri शुक्रवार ; sat शनिवार ; sun रविवार ; m1 जनवरी
m2 फ़?रवरी ; m3 मार्च ; m4 अप्रैल ; m5 मई ; m6 जून ; m7 जुलाई ; m8 अगस्त ; m9 सितंबर ; m10 अक्टूबर
m11 नवंबर ; m12 दिसंबर ; n1 एक ; n2 दो ; n3 तीन ; n4 चार ; n5 पांच|पाँच ; n6 छह ; n7 सात ; n8 आठ
n9 नौ ; n10 दस ; n11 ग्यारह ; n12 बारह ; n30+minute आधे? घंटे ; n90+minute डेढ़ घंटे
"""
_CHINESE = """
and ,|，|和|、 ; - 的|在 ; today 今天|今日 ; tomorrow 明天|明日 ; after_tomorrow 后天|後天
hour_of 点钟?|點鐘?|时(?!间) ; morning 早上|上午|早晨 ; noon 中午 ; afternoon 下午 ; evening 晚上
today+evening 今晚 ; midnight 午夜 ; every 每个?|每個 ; weekdays 工作日 ; weekends 周末|週末
day 天|日 ; week 星期(?![一二三四五六日天])|周(?![一二三四五六日末]) ; hour 小时|小時|个小时|個小時
minute 分钟|分鐘|分 ; later 后|後|之后|以后 ; n30+minute 半个?小时|半個?小時
next_week 下个?(?=星期|周|週|礼拜) ; mon (?:星期|周|週|礼拜)一 ; tue (?:星期|周|週|礼拜)二
wed (?:星期|周|週|礼拜)三 ; thu (?:星期|周|週|礼拜)四 ; fri (?:星期|周|週|礼拜)五
sat (?:星期|周|週|礼拜)六 ; sun (?:星期|周|週|礼拜)[日天] ; year_of 年 ; month_of 月
day_of [号號] ; half 半
"""
_JAPANESE = """
and 、|,|と ; - の|に|頃 ; today 今日|本日 ; tomorrow 明日|あした ; after_tomorrow 明後日|あさって
hour_of 時(?!間) ; morning 朝|午前 ; noon 正午|昼 ; afternoon 午後 ; evening 夜|夕方
today+evening 今夜|今晩 ; midnight 深夜 ; every 毎(?=日|朝|晩|週|時)|ごと|おき ; weekdays 平日
weekends 週末 ; next_week 来週 ; day 日間?(?!曜) ; week 週間?|週 ; hour 時間 ; minute 分間?
later 後 ; mon 月曜日? ; tue 火曜日? ; wed 水曜日? ; thu 木曜日? ; fri 金曜日? ; sat 土曜日?
sun 日曜日? ; year_of 年 ; month_of 月(?!曜) ; half 半
"""
_KOREAN = """
and ,|와|과 ; - 에|의 ; today 오늘 ; tomorrow 내일 ; after_tomorrow 모레 ; hour_of 시(?!간)
morning 아침|오전 ; noon 정오|낮 ; afternoon 오후 ; evening 저녁|밤 ; midnight 자정 ; every 매|마다
weekdays 평일 ; weekends 주말 ; day 일(?!요일) ; week 주(?!말) ; hour 시간 ; minute 분
later 후|뒤 ; next_week 다음 ?주 ; n30+minute 반 ?시간 ; mon 월요일 ; tue 화요일 ; wed 수요일
thu 목요일 ; fri 금요일 ; sat 토요일 ; sun 일요일 ; year_of 년 ; month_of 월(?!요일) ; half 반
n1 한 ; n2 두 ; n3 세 ; n4 네 ; n5 다섯 ; n6 여섯 ; n7 일곱 ; n8 여덟 ; n9 아홉 ; n10 열 ; n11 열한
n12 열두
"""

SPOKEN = {
    "German": _GERMAN,
    "Spanish": _SPANISH,
    "French": _FRENCH,
    "Portuguese": _PORTUGUESE,
    "Italian": _ITALIAN,
    "Dutch": _DUTCH,
    "Russian": _RUSSIAN,
    "Polish": _POLISH,
    "Turkish": _TURKISH,
    "Arabic": _ARABIC,
    "Hindi": _HINDI,
    "Chinese": _CHINESE,
    "Japanese": _JAPANESE,
    "Korean": _KOREAN,
}
UNSPACED = frozenset(("Chinese", "Japanese", "Korean"))
