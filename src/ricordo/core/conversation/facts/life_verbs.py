"""Life verbs: where somebody lives and works, what they own, and how they are."""

import re

from ricordo.core.conversation import fact_shapes as shapes
from ricordo.core.conversation import fact_words as words
from ricordo.core.conversation.facts import objects, phrases
from ricordo.core.conversation.facts.doing_rules import make_doing

HEALTH = words.split_words(
    """asthma, adhd, add, autism, diabetes, type 1 diabetes, type 2 diabetes, coeliac disease,
    celiac disease, epilepsy, migraines, ibs, crohn's, arthritis, hay fever, eczema,
    psoriasis, tinnitus, dyslexia, dyscalculia, ocd, ptsd, anxiety, depression, high blood
    pressure, insomnia, gout, vertigo, endometriosis, fibromyalgia, lupus, ms, pcos, a
    pacemaker, pacemaker, a heart murmur, aphantasia, sleep apnoea, sleep apnea, a bad back,
    a bad knee, scoliosis, glaucoma, hypothyroidism, a prosthetic leg, a stammer, a stutter,
    hearing aids, low vision, an underactive thyroid, kidney disease, reflux, a latex
    allergy, a nut allergy, a peanut allergy, a shellfish allergy, nut allergy, peanut
    allergy, a pollen allergy, long covid, rosacea, anaemia, osteoporosis, cancer,
    parkinson's"""
)
LIFE = (
    make_doing(
        r"(?:live|lives|living|am living|are living|is living|am based"
        r"|are based|is based|reside|resides|have lived|have been living"
        r"|has lived)(?: alone| together)? in|based in|based out of",
        "home",
        objects.read_place,
        elidable=True,
    ),
    make_doing(r"(?:live|lives) (?:with|above|aboard|on an?)", "lives with", objects.read_soft),
    make_doing(
        r"(?:am|is|are|come|comes|hail|hails)(?: originally)? from", "from", objects.read_place
    ),
    make_doing(
        r"(?:was |were |is )?born(?: and raised)? (?:in|on)",
        "born",
        phrases.find_hard,
        elidable=True,
    ),
    make_doing(
        r"(?:was |were )?(?:raised|brought up) in|grew up in",
        "grew up in",
        objects.read_place,
        elidable=True,
    ),
    make_doing(
        r"grew up speaking|speak|speaks|am fluent in|fluent in|is fluent in",
        "languages",
        objects.read_listed(words.LANGUAGES),
        elidable=True,
    ),
    make_doing(
        r"(?:am learning|are learning|is learning|learning|started learning"
        r"|am studying)",
        "learning",
        objects.read_listed(words.LANGUAGES | words.INSTRUMENTS),
    ),
    make_doing(
        r"(?:work|works|am working|is working) (?:at|for)", "employer", objects.read_employer
    ),
    make_doing(
        r"(?:work|works|am working|is working|freelance|freelances|train"
        r"|volunteer|volunteers) as",
        "job",
        lambda rest: shapes.read_work(re.sub(r"^an? |^the ", "", rest)),
    ),
    make_doing(r"(?:work|works) in", "field of work", objects.read_listed(words.FIELDS)),
    make_doing(
        r"(?:work|works) (?=nights|shifts|part-time|part time|four days"
        r"|three days|from home|remotely|weekends|mornings|evenings|night shifts"
        r"|fully)",
        "works",
        objects.read_any,
    ),
    make_doing(
        r"(?:study|studies|studied|am studying|is studying|read|am reading"
        r"|is reading)(?= [\w ]+ at [A-Z])|study|studies|am studying|is studying"
        r"|majored in|major in|majors in|am majoring in|have a degree in"
        r"|have a phd in|did a phd in|studied",
        "studies",
        objects.read_soft,
        elidable=True,
    ),
    make_doing(r"(?:graduated|graduate) from", "university", objects.read_place, elidable=True),
    make_doing(r"(?:teach|teaches)", "teaches", objects.read_taught),
    make_doing(r"(?:volunteer|volunteers) (?:at|with|for|in)", "volunteers at", objects.read_any),
    make_doing(
        r"(?:coach|coaches|mentor|mentors|tutor|tutors|foster|fosters)",
        "coaches",
        objects.read_soft,
    ),
    make_doing(
        r"(?:play|plays|took up|have taken up|has taken up|have played"
        r"|has played|is played|have been playing)(?: the)?",
        "plays",
        objects.read_listed(words.INSTRUMENTS | words.SPORTS),
        elidable=True,
    ),
    make_doing(
        r"(?:play|plays) (?=goalkeeper|striker|defen[cs]e|midfield|centre"
        r"|center|wing|prop|bass|lead|drums|second)",
        "plays",
        objects.read_any,
    ),
    make_doing(
        r"(?:sing|sings|dance|dances|drum|drums|play|plays|act|acts|row"
        r"|rows|swim|swims|climb|climbs|train|trains|fence|box) (?:in"
        r"|with|for|at)",
        "member of",
        objects.read_any,
    ),
    make_doing(r"(?:drive|drives|ride|rides)", "drives", objects.read_named),
    make_doing(
        r"(?:own|owns|have got|have|has|bought|got) (?:an? |two |three )?(?=[\w -]*\b(?:[A"
        r"-Z]|\d{4}))",
        "owns",
        objects.read_make,
        elidable=True,
    ),
    make_doing(r"(?:own|owns)", "owns", objects.read_soft, elidable=True),
    make_doing(r"(?:rent|rents|am renting|are renting)", "rents", objects.read_soft),
    make_doing(
        r"(?:collect|collects|breed|breeds|grow|grows|brew|brews|restore"
        r"|restores|bake|bakes|knit|knits|build|builds|paint|paints|keep"
        r"|keeps|raise|raises|sell|sells|import|imports|forage|sew|sews)",
        "{verb}",
        objects.read_soft,
    ),
    make_doing(r"(?:have collected|have kept)", "keeps", objects.read_soft),
    make_doing(
        r"(?:avoid|avoids|steer clear of|stay away from|stays away from"
        r"|skip)",
        "avoids",
        objects.read_any,
    ),
    make_doing(r"(?:wear|wears)(?: an?)?", "wears", objects.read_soft),
    make_doing(r"(?:support|supports|root for|follow)", "supports", objects.read_place),
    make_doing(
        r"(?:bank|banks) with|(?:am|are|is) with(?= (?-i:[A-Z]))",
        "bank or provider",
        objects.read_place,
    ),
    make_doing(
        r"(?:am|are|is) (?:insured|signed|registered|enrolled) (?:with"
        r"|at)|signed with|have signed with",
        "signed with",
        objects.read_any,
    ),
    make_doing(
        r"(?:run|runs|am running|are running|is running|am on|are on|use"
        r"|uses|am using|are using|is using)",
        "uses",
        objects.read_used,
    ),
    make_doing(
        r"(?:run|runs|co-run|manage|manages|lead|leads|head|heads|chair"
        r"|chairs|edit|edits|co-own|captain|host|hosts|organise|organises"
        r"|organize|maintain|maintains|moderate|look after|looks after"
        r"|care for|am raising|are raising|am responsible for|handle|handles"
        r"|am in charge of|is in charge of)",
        "{verb}",
        objects.read_soft,
    ),
    make_doing(r"(?:carry|carries)", "carries", objects.read_soft),
    make_doing(
        r"(?:take|takes|am taking|am on|is on) (?=\d|[\w-]+ (?:\d|for"
        r"|every|daily|twice|once)|insulin|metformin|warfarin|sertraline"
        r"|levothyroxine|lithium|statins|antidepressants|blood thinners"
        r"|ibuprofen|methotrexate|beta blockers)",
        "takes",
        objects.read_any,
    ),
    make_doing(
        r"(?:have had|has had|have got|have|has|suffer from|suffers from"
        r"|was diagnosed with|live with|got diagnosed with|am living with)(?: an?"
        r"| mild| severe| chronic)*",
        "health",
        objects.read_listed(HEALTH),
    ),
    make_doing(
        r"(?:get|gets) migraines from|(?:am|is|are) (?:\w+ )?intolerant (?:to"
        r"|of)|react badly to|(?:am|is|are) (?:\w+ly |very |quite )?allergic to"
        r"|allergic to",
        "allergy",
        objects.read_any,
        elidable=True,
    ),
)
