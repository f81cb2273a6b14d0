"""Verbs: which ones state something lasting; those of habit, taste and work, and refusals."""

from ricordo.core.conversation.facts import objects, phrases
from ricordo.core.conversation.facts.doing_rules import make_doing
from ricordo.core.conversation.facts.life_verbs import LIFE

STATED = (
    *LIFE,
    make_doing(r"(?:fast|fasts)", "fasts", objects.read_day),
    make_doing(
        r"(?=(?:cycles?|bikes?|walks?|commutes?|take the \w+) (?:to (?:work"
        r"|school|the office)|in|by|from)\b)",
        "commute",
        objects.read_any,
    ),
    make_doing(
        r"(?:sleep|sleeps|start work|starts work|start|starts|finish|finishes"
        r"|get up|gets up|wake up|wakes up|am up|go to bed|goes to bed"
        r"|clock off|log off|knock off|begin)",
        "{verb}",
        objects.read_clock,
    ),
    make_doing(
        r"(?:meet|meets|train|trains|rehearse|rehearses|practise|practice"
        r"|have rehearsal|have choir|work from home|am in the office|is in the office"
        r"|am off|are off|do the shopping|go to the office|have therapy"
        r"|have physio)",
        "{verb}",
        objects.read_day,
    ),
    make_doing(
        r"(?:train|trains|run|runs|swim|swims|go|goes|lift|work out|jog"
        r"|do yoga|practise|practice|meditate)(?: \w+)? (?=(?:once|twice"
        r"|\w+ times|every (?:day|morning|week)))",
        "{verb}",
        objects.read_any,
    ),
    make_doing(
        r"(?:pay|pays|charge|charges|earn|earns|bill|bills|invoice)", "{verb}", objects.read_sum
    ),
    make_doing(r"(?:married|got married)(?: in| on)?", "married", phrases.find_hard),
    make_doing(
        r"(?:am|is|are|been) (?:happily )?(?:married|engaged) to|married to",
        "spouse",
        objects.read_place,
        elidable=True,
    ),
    make_doing(
        r"(?:belong|belongs) to|(?:am|is|are) (?:an? )?(?:\w+ )?members? of"
        r"|member of",
        "member of",
        objects.read_any,
        elidable=True,
    ),
    make_doing(r"(?:report|reports) to", "reports to", objects.read_place),
    make_doing(
        r"(?:observe|observes|observing|celebrate|celebrates|practise"
        r"|practice)",
        "observes",
        objects.read_named,
        elidable=True,
    ),
    make_doing(
        r"(?:quit|gave up|have given up|stopped|am off) (?=smoking|drinking"
        r"|alcohol|sugar|caffeine|coffee|meat|dairy|gluten|wine|social media"
        r"|driving|flying)",
        "quit",
        objects.read_any,
    ),
    make_doing(
        r"(?:was named|am named|is named|were named) after", "named after", objects.read_any
    ),
    make_doing(
        r"(?:go|goes) to (?=(?-i:[A-Z])|church|mosque|synagogue|college)",
        "goes to",
        objects.read_any,
    ),
    make_doing(r"(?:go|goes) by", "goes by", objects.read_place),
    make_doing(
        r"(?:write|writes|code|codes|program|develop|type|write code)(?: \w+)? (?:in"
        r"|on|with)",
        "{verb} in",
        objects.read_tool,
    ),
    make_doing(r"(?:write|writes) (?:for|about)|blog about", "writes about", objects.read_soft),
    make_doing(
        r"(?:specialise|specialises|specialize|specializes) in",
        "specialises in",
        objects.read_any,
        elidable=True,
    ),
    make_doing(
        r"(?:hold|holds)(?: an?)?(?= [\w ]*(?:licen[cs]e|passport|belt"
        r"|degree|permit|visa|citizenship|certificate))",
        "holds",
        objects.read_any,
    ),
    make_doing(
        r"(?:weigh|weighs|stand|stands|measure|am|is)(?= \d+(?:\.\d+)? ?(?:kg"
        r"|cm|m|lbs?|pounds|stone|feet|ft)\b)",
        "{verb}",
        objects.read_any,
    ),
    make_doing(r"(?:am|are) (?:expecting|due)(?: in| on)?", "expecting", objects.read_any),
    make_doing(r"(?:joined|started at)", "joined", objects.read_place),
    make_doing(
        r"(?:started at|starts at|goes to|attends|attend|is at|go to|are at)(?= (?-i:[A-Z]"
        r"[\w' ]+(?:Primary|School|Academy|University|College|High|Nursery"
        r"|Kindergarten|Grammar)))",
        "school",
        objects.read_place,
    ),
    make_doing(
        r"(?:passed|have passed|has passed|got)(?: my| her| his| the| an?) (?=(?:[\w-]+ "
        r")*(?:exam|test|belt|licen[cs]e|degree|certificate|permit|grade)\b)",
        "passed",
        objects.read_any,
        elidable=True,
    ),
    make_doing(r"(?:identify|identifies) as", "identifies as", objects.read_soft),
    make_doing(
        r"(?:deploy|deploys|ship|ships|release|releases)(?: \w+)?(?: (?:to"
        r"|with|via|on|from|through|using))+",
        "deploys",
        objects.read_tool,
        "project",
    ),
    make_doing(
        r"(?:host|hosts|store|keep|track|manage|log|write|build|do|run"
        r"|code)(?: [\w ]{2,25})? (?:on|in|with|at|by)",
        "{verb}",
        objects.read_tool,
        "project",
    ),
    make_doing(
        r"(?:switched|have switched|has switched|migrated|have migrated"
        r"|upgraded|have upgraded|are switching)(?: over| back| everything)?(?: from "
        r"[\w ]+?)? to",
        "switched to",
        objects.read_named,
        elidable=True,
    ),
    make_doing(
        r"(?:moved|have moved|has moved|has relocated|have relocated|relocated)(?: "
        r"back| house)?(?: from [\w ]+?)? to",
        "home",
        objects.read_settled,
        elidable=True,
    ),
    make_doing(
        r"(?:dropped [\w ]+ and )?(?:went with|settled on|have chosen"
        r"|chose|picked|opted for|decided on|standardi[sz]ed on)",
        "chose",
        objects.read_named,
        "project",
    ),
    make_doing(
        r"(?:are|is) an? (?:team|family|company|household|band|group|department"
        r"|startup) of",
        "size",
        objects.read_any,
        "project",
    ),
    make_doing(
        r"(?:are|is) an? (?=[\w -]*(?:team|company|startup|firm|agency"
        r"|studio|cooperative|co-op|charity|band|shop|department|family)\b)",
        "we are",
        objects.read_any,
        "project",
    ),
    make_doing(
        r"(?:have got|have adopted|adopted|have|has) (?=(?:two|three|four"
        r"|five|six|seven|\d+|an?|one|twin) )",
        "has",
        objects.read_had,
    ),
    make_doing(
        r"(?:have|has|hold|holds|do)(?: an?| our| my| the)? [\w -]{3,30}?(?= (?:on "
        r"|every |each )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days"
        r"|every))",
        "{verb}",
        objects.read_day,
    ),
    make_doing(r"have been (?:at|with)(?= [\w ]+ (?:since|for)\b)", "employer", objects.read_place),
    make_doing(r"(?:am turning|turn|turns|is turning|turned)(?= \d)", "turns", objects.read_any),
    make_doing(
        r"(?:am doing|are doing|is doing|did|am in|is in|are in)(?: an?"
        r"| my| his| her| the)? (?=(?:phd|PhD|master|bachelor|apprenticeship"
        r"|degree|MBA|MSc|first year|second year|third year|fourth year"
        r"|final year|year \d+|grade \d+|sixth form))",
        "studies",
        objects.read_any,
    ),
    make_doing(r"(?:am|are|is) (?:named|called)", "name", objects.read_place),
    make_doing(
        r"(?:hold|have|has)(?: an?)? (?=(?:\w+ )?(?:degree|phd|masters?"
        r"|licen[cs]e|citizenship|passport|tattoo|mortgage|account|diploma) (?:in"
        r"|at|with|from|of))",
        "has",
        objects.read_any,
    ),
    make_doing(r"(?:have|has) (?=(?:\w+ )?(?:hair|eyes|skin)\b)", "has", objects.read_any),
    make_doing(r"(?:never|don't|do not) (?=work)", "works", objects.read_any),
    make_doing(
        r"have been (?P<state>married|together|engaged|vegan|vegetarian|sober"
        r"|self-employed|freelancing)(?: to [\w ]+?)? (?:since|for)",
        "{state} since",
        objects.read_any,
    ),
    make_doing(r"(?:serve|serves|served) (?:in|on|as)", "serves", objects.read_any),
    make_doing(r"(?:prefer|prefers)", "prefers", objects.read_taste, "preference"),
    make_doing(
        r"(?:love|loves|adore|adores|enjoy|enjoys|am into|is into|are into"
        r"|am obsessed with|is obsessed with|am big on|swear by|am (?:\w+ )?(?:fan"
        r"|fans) of|am (?:a )?(?:huge |big |massive |lifelong |diehard )?fan of"
        r"|is (?:a )?(?:huge |big )?fan of|am keen on|am passionate about"
        r"|am partial to|have a thing for|am hooked on|am addicted to"
        r"|am crazy about|am mad about|am a sucker for|am fond of"
        r"|(?:big|huge|massive) fan of)",
        "likes",
        objects.read_taste,
        "preference",
    ),
    make_doing(
        r"(?:hate|hates|loathe|loathes|detest|detests|despise|dislike"
        r"|dislikes|am scared of|is scared of|am afraid of|is afraid of"
        r"|am terrified of|is terrified of)",
        "dislikes",
        objects.read_taste,
        "preference",
    ),
)
REFUSED = (
    make_doing(
        r"(?:can't|cannot|can not|cant) (?:stand|bear|abide|stomach)|(?:don't"
        r"|do not|doesn't) (?:like|care for|enjoy)|(?:am |are |is )?not (?:an? (?:\w+ "
        r")?fan of|keen on|into)|am no fan of",
        "dislikes",
        objects.read_taste,
        "preference",
    ),
    make_doing(
        r"(?:can't|cannot|can not|cant|don't|do not|dont|doesn't|never"
        r"|does not) (?P<what>eat|drink|touch|tolerate|digest|wear|fly"
        r"|drive|smoke|cook with)",
        "does not {what}",
        objects.read_taste,
        "preference",
    ),
    make_doing(
        r"have never (?:liked|learned to|learnt to|been able to)|never learned to"
        r"|never learnt to",
        "never",
        objects.read_any,
    ),
)
