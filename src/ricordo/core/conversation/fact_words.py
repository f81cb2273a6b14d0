"""Fact words: the nouns that plain statements are read for, in English.

Patterns that take any noun read nonsense as readily as facts ("my head is killing me"). These lists
say what a person has, does and is that stays so for longer than a conversation.
"""


def split_words(listed: str) -> frozenset[str]:
    """The words and phrases of a list that commas part."""
    return frozenset(" ".join(word.split()) for word in listed.split(",") if word.strip())


KIN = split_words(
    """wife, husband, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee,
    mother, mom, mum, mama, father, dad, papa, parents, sister, brother, twin, sibling,
    siblings, son, daughter, child, kid, kids, children, sons, daughters, baby, grandmother,
    grandma, granny, grandfather, grandpa, grandson, granddaughter, aunt, uncle, cousin,
    niece, nephew, mother-in-law, father-in-law, sister-in-law, brother-in-law, stepmother,
    stepfather, stepson, stepdaughter, stepsister, stepbrother, godmother, godfather,
    goddaughter, godson, best friend, roommate, flatmate, housemate, neighbour, neighbor,
    sisters, brothers, twins"""
)
PEOPLE = KIN | split_words(
    """boss, manager, supervisor, team lead, teacher, tutor, coach, trainer, mentor, advisor,
    adviser, professor, doctor, gp, dentist, therapist, psychologist, physio,
    physiotherapist, optician, hairdresser, barber, vet, lawyer, solicitor, accountant,
    landlord, landlady, banker, nanny, babysitter, cleaner, gardener, plumber, electrician,
    mechanic, colleague, coworker, co-worker, assistant, secretary, editor-in-chief, agent,
    midwife, cardiologist, dermatologist, paediatrician, pediatrician, ceo, cto, cfo, coo,
    founder, co-founder, product     owner, product manager, scrum master, project manager,
    tech lead, designer, chairman, chairwoman, chair, treasurer, director, headmaster,
    principal, captain, instructor, team     leader, engineering manager, account manager,
    contact person"""
)
PETS = split_words(
    """dog, dogs, cat, cats, puppy, kitten, rabbit, rabbits, bunny, hamster, hamsters, guinea
    pig, guinea pigs, parrot, budgie, canary, tortoise, turtle, fish, goldfish, horse,
    horses, pony, donkey, goat, goats, hen, hens, chicken, chickens, duck, ducks, snake,
    lizard, gecko, ferret, rat, rats, mouse, parakeet, cockatiel, pig, sheep, cow, cows,
    labrador, retriever, golden retriever, poodle, beagle, husky, collie, border collie,
    terrier, spaniel, dachshund, corgi, shepherd, german shepherd, greyhound, whippet,
    boxer, bulldog, pug, rottweiler, dalmatian, chihuahua, schnauzer, cockapoo, labradoodle,
    axolotl, chinchilla, hedgehog, pet"""
)
BREEDS = split_words(
    """labrador, retriever, poodle, beagle, husky, collie, terrier, spaniel, dachshund, corgi,
    shepherd, greyhound, whippet, boxer, bulldog, pug, rottweiler, dalmatian, chihuahua,
    schnauzer, cockapoo, labradoodle, siamese, persian, bengal, ragdoll, sphynx, tabby,
    mongrel, shorthair, setter, pointer, mastiff, malamute, samoyed, whippet, lurcher,
    vizsla, weimaraner"""
)
THINGS = split_words(
    """car, van, motorbike, motorcycle, scooter, bike, bicycle, e-bike, boat, laptop, computer,
    desktop, pc, phone, tablet, camera, tv, printer, router, keyboard, monitor, watch,
    guitar, piano, bass, violin, synth, console, nas, server, drone, e-reader, headphones,
    truck, workstation, mobile, smartphone, soldering iron, sewing machine, oven, espresso
    machine"""
)
NAMED_VALUES = split_words(
    """name, full name, first name, last name, middle name, surname, family name, maiden name,
    nickname, stage name, hometown, home town, birthplace, place of birth, home city, city,
    home     country, country, nationality, citizenship, native language, mother tongue,
    first language, second language, native tongue, employer, company, school, university,
    college, bank, insurer, health insurer, insurance company, star sign, zodiac sign,
    religion, church, gym, football club, football team, home airport, local airport,
    nearest airport, publisher, timezone, time zone, home office, alma mater, department,
    blood type, blood group, birth     city, internet provider, mobile provider, energy
    provider, electricity provider, pension     fund, home station, nearest station,
    district, neighbourhood, neighborhood, street, home, initials, hospital, clinic, main
    client, biggest client, supplier, cloud provider, hosting     provider"""
)
CODES = split_words(
    """username, user name, login, handle, github handle, github username, twitter handle,
    slack     handle, discord handle, discord tag, gamertag, callsign, call sign, license
    plate, licence     plate, number plate, registration number, passport number, membership
    number, customer     number, client number, member number, employee number, employee id,
    student number, student     id, staff number, vat number, shoe size, dress size, shirt
    size, hat size, ring size, trouser size, t-shirt size, height, postcode, post code, zip
    code, zip, website, blog, homepage, domain, extension, room number, flat number, house
    number, desk number, locker     number, meter number, prescription, user id, account id,
    github, instagram, instagram     handle, mastodon handle, telegram handle, telegram,
    skype, max heart rate, resting heart     rate"""
)
TOOL_HEADS = split_words(
    """editor, ide, text editor, code editor, shell, terminal, browser, os, operating system,
    distro, linux distro, database, framework, web framework, search engine, password
    manager, email client, mail client, window manager, note app, calendar app, cloud, ci,
    ci system, issue tracker, bug tracker, message broker, message queue, cache, orm,
    backend, frontend, stack, tech stack, package manager, build tool, build system, version
    control, test     framework, test runner, linter, monitoring, production database,
    staging database, programming language, language, queue, web server, reverse proxy, load
    balancer, data     warehouse, container registry, registry, design tool, crm, wiki, chat
    tool, mail server"""
)
PRIVATE = split_words(
    """password, pin, passcode, passphrase, token, secret, key, cvv, ssn, card number"""
)
PROFESSIONS = split_words(
    """nurse, doctor, surgeon, dentist, vet, veterinarian, pharmacist, paramedic, midwife,
    physiotherapist, therapist, psychologist, psychiatrist, teacher, professor, lecturer,
    tutor, librarian, engineer, developer, programmer, designer, architect, analyst,
    scientist, researcher, physicist, chemist, biologist, mathematician, statistician,
    economist, historian, geologist, astronomer, archaeologist, linguist, translator,
    interpreter, writer, author, journalist, editor, photographer, filmmaker, musician,
    singer, pianist, violinist, cellist, drummer, guitarist, composer, conductor, actor,
    actress, dancer, painter, sculptor, illustrator, animator, potter, carpenter,
    electrician, plumber, mechanic, welder, bricklayer, roofer, mason, joiner, tailor,
    baker, chef, cook, butcher, barista, bartender, waiter, waitress, farmer, gardener,
    florist, beekeeper, fisherman, sailor, pilot, captain, driver, courier, firefighter,
    policeman, policewoman, detective, soldier, officer, lawyer, solicitor, barrister,
    judge, notary, paralegal, accountant, auditor, banker, broker, actuary, consultant,
    manager, director, administrator, sysadmin, secretary, receptionist, recruiter,
    salesman, saleswoman, cashier, shopkeeper, hairdresser, barber, cleaner, caretaker,
    janitor, nanny, childminder, coach, trainer, instructor, freelancer, contractor,
    entrepreneur, copywriter, proofreader, bookkeeper, surveyor, optician, optometrist,
    radiographer, radiologist, cardiologist, anaesthetist, paediatrician, pediatrician,
    neurologist, oncologist, gp, dietitian, nutritionist, student, postdoc, tester,
    technician, machinist, locksmith, jeweller, upholsterer, archivist, curator, diver,
    ranger, forester, priest, pastor, rabbi, vicar, nun, monk, imam, plasterer, glazier,
    blacksmith, postman, conservator, planner, estimator, toxicologist, cartographer,
    geographer, biochemist, bioinformatician, epidemiologist, meteorologist, seamstress,
    luthier, sommelier, brewer, referee, stuntman, magician, dj, producer, sound engineer,
    lifeguard, flight attendant, miner"""
)
ALLERGENS = split_words(
    """nut, nuts, peanut, peanuts, tree nuts, hazelnuts, hazelnut, walnuts, almonds, cashews,
    pistachios, shellfish, seafood, fish, shrimp, shrimps, prawns, crab, lobster, mussels,
    oysters, egg, eggs, milk, dairy, lactose, gluten, wheat, rye, soy, soya, sesame,
    mustard, celery, lupin, strawberries, strawberry, kiwi, kiwis, apples, pears, peaches,
    cherries, bananas, avocado, avocados, mango, mangoes, pineapple, citrus, tomatoes,
    garlic, onion, onions, chocolate, pollen, grass pollen, birch pollen, grass, ragweed,
    dust, dust mites, house dust, mould, mold, cats, dogs, horses, animals, cat hair, dog
    hair, fur, feathers, wool, latex, nickel, perfume, penicillin, amoxicillin, aspirin,
    ibuprofen, antibiotics, sulfa, codeine, morphine, iodine, bee stings, bees, wasps, wasp
    stings, insect bites, insect     stings, sulfites, sulphites, aspartame, msg, coconut,
    corn, oats, legumes, lentils, chickpeas, buckwheat, paracetamol, hamsters, rabbits,
    birch, hazel, detergent, plasters, adhesive, paraben, parabens, lanolin, carrots, melon,
    aubergine, peppers, red wine, wine, alcohol, caffeine, cinnamon, mushrooms"""
)
CONDITIONS = {
    "diet": split_words(
        """vegan, vegetarian, pescatarian, pescetarian, flexitarian, teetotal, teetotaller,
    lacto-vegetarian, ovo-vegetarian, kosher, halal, omnivore"""
    ),
    "health": split_words(
        """diabetic, type 1 diabetic, type 2 diabetic, coeliac, celiac, asthmatic, epileptic,
    lactose     intolerant, lactose-intolerant, gluten intolerant, gluten-intolerant,
    dyslexic, colour-blind, colorblind, color-blind, colourblind, colour blind, color blind,
    short-sighted, near-sighted, deaf, blind, hard of hearing, autistic, anaemic, anemic"""
    ),
    "handedness": split_words(
        """left-handed, right-handed, ambidextrous, left handed, right handed"""
    ),
}
TOOLS = split_words(
    """vim, neovim, nvim, emacs, nano, helix, bash, zsh, fish, tmux, firefox, chrome, git,
    docker, postgres, postgresql, mysql, sqlite, redis, mongodb, python, rust, go, java,
    kotlin, typescript, javascript, linux, ubuntu, debian, fedora, arch, nixos, macos,
    windows, kubernetes, slack, teams, zoom, discord, spotify, notion, obsidian, jira,
    linear, terraform, ansible, nginx, react, vue, svelte, django, flask, rails, aws, gcp,
    azure, vscode, intellij, pycharm, helm, github, gitlab, jenkins, signal, whatsapp,
    telegram, safari, brave, swift, elixir, haskell, powershell, alacritty, kitty, wezterm,
    i3, sway, kafka, rabbitmq, sublime, zed, podman, pnpm, excel, outlook, figma, gmail, vs
    code, npm, yarn, poetry, uv, pip, bun, deno, node, caddy, traefik, argocd, buildkite,
    circleci"""
)
INSTRUMENTS = split_words(
    """piano, guitar, bass, violin, viola, cello, double bass, harp, flute, clarinet, oboe,
    bassoon, saxophone, sax, trumpet, trombone, tuba, horn, french horn, drums, organ,
    accordion, ukulele, banjo, mandolin, harmonica, recorder, bagpipes, electric guitar,
    bass     guitar, keyboard, keyboards, synthesizer, marimba, percussion, sitar, lute,
    fiddle, harpsichord, acoustic guitar, classical guitar, upright bass, concertina,
    euphonium, cornet, tin whistle"""
)
SPORTS = split_words(
    """football, soccer, tennis, badminton, squash, volleyball, basketball, handball, hockey,
    rugby, cricket, golf, baseball, chess, go, bridge, poker, table tennis, padel, darts,
    water     polo, lacrosse, ice hockey, field hockey, pool, snooker, netball, korfball,
    floorball"""
)
MONTHS = split_words(
    """january, february, march, april, may, june, july, august, september, october, november,
    december, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec"""
)
DAYS = split_words("""monday, tuesday, wednesday, thursday, friday, saturday, sunday""")
NUMBERS = split_words(
    """two, three, four, five, six, seven, eight, nine, ten, 2, 3, 4, 5, 6, 7, 8, 9, 10"""
)
DEMONYMS = split_words(
    """american, british, english, scottish, welsh, irish, french, german, dutch, belgian,
    flemish, swiss, austrian, italian, spanish, portuguese, catalan, basque, greek, turkish,
    polish, czech, slovak, slovenian, croatian, serbian, bosnian, hungarian, romanian,
    bulgarian, albanian, danish, swedish, norwegian, finnish, icelandic, estonian, latvian,
    lithuanian, russian, ukrainian, belarusian, georgian, armenian, israeli, jewish, arab,
    lebanese, syrian, egyptian, moroccan, algerian, tunisian, nigerian, ghanaian, kenyan,
    ethiopian, somali, south     african, indian, pakistani, bangladeshi, nepalese, chinese,
    japanese, korean, vietnamese, thai, filipino, indonesian, malaysian, australian,
    canadian, mexican, brazilian, argentinian, chilean, peruvian, colombian, cuban,
    european, african, asian, catholic, christian, muslim, buddhist, hindu, iranian,
    arabian, mormon, protestant, atheist, hispanic, latino, latina, persian, afghan,
    kurdish, maltese, cypriot, luxembourgish, kiwi, aussie, scouse, bavarian"""
)
LANGUAGES = DEMONYMS | split_words(
    """mandarin, cantonese, hindi, urdu, bengali, tamil, telugu, punjabi, swahili, yoruba,
    igbo, amharic, tagalog, malay, farsi, hebrew, arabic, afrikaans, galician, latin,
    esperanto, gaelic, frisian, yiddish, breton, quechua, zulu, xhosa, khmer, lao,
    mongolian, kazakh, uzbek, azerbaijani, macedonian, slovene, castilian, sign language,
    luxembourgish"""
)
# Words that refer to what was just talked about: a taste for them lasts as long as the talk.
REFERRING = split_words(
    """too, it, its, this, that, these, those, you, your, yours, him, her, his, them, their, he,
    she, they, me, us, one, ones, option, version, variant, choice, first, second, third,
    latter, former, other, another, same, here, there, now, idea, way, how, what, where,
    when, why, who, which, whatever, everything, nothing, something, anything, everyone,
    someone, myself, proposal, suggestion, approach, draft, answer, solution, plan, design,
    result, more, better, most, best, both, either, neither, all, so, very, being,
    getting, having, seeing, hearing, paying"""
)
# What bears a name of its own.
NAMED = (
    KIN
    | PEOPLE
    | PETS
    | THINGS
    | split_words(
        """company, startup, start-up, business, band, ship, yacht, caravan, house, cottage,
    village, town, street, school, team, project, product, app, cluster, repo, repository,
    branch, service, database, shop, bakery, restaurant, café, cafe, pub, farm, choir, club,
    podcast, blog, channel, newsletter, foundation, charity, studio, office, wifi, wi-fi,
    network, bot, library, package, department, host, bucket, namespace, registry,
    environment, website, orchestra, brewery, agency, label, magazine, scout group, book
    club, parakeet, robot vacuum, vacuum cleaner, hotel, gallery, firm, nonprofit, practice"""
    )
)
NOT_PERSONS = DEMONYMS | DAYS | MONTHS | PROFESSIONS | frozenset().union(*CONDITIONS.values())
NOT_PLACES = (
    TOOLS
    | DEMONYMS
    | DAYS
    | MONTHS
    | split_words(
        """hr, it, sales, marketing, accounting, finance, legal, support, engineering, product,
    ops, mars, venus, earth, hell, krypton, heaven, narnia, hogwarts, the future, the
    matrix, the     shire, mordor, gotham"""
    )
)
JOB_HEADS = split_words("""job, job title, profession, occupation, trade, day job, role, title""")
HOBBY_HEADS = split_words("""hobby, hobbies, sport, instrument, main hobby""")
STUDY_HEADS = split_words("""major, degree, field, field of study, subject""")
COLOUR_HEADS = split_words("""eye colour, eye color, hair colour, hair color, eyes, hair""")
COLOURS = split_words(
    """red, orange, yellow, green, blue, teal, turquoise, indigo, violet, purple, pink, brown,
    black, white, grey, gray, silver, gold, beige, blond, blonde, ginger, auburn, hazel,
    dark, navy"""
)
# Kinds of things of which a favourite may be any word at all.
KINDS = split_words(
    """colour, color, food, drink, animal, number, season, genre, sport, hobby, subject, fruit,
    vegetable, dish, cuisine, dessert, snack, flavour, flavor, topping, music, ice cream,
    cheese, meal, month, day, tea, coffee, beer, wine, cocktail, cake, soup, pasta, sauce,
    spice, herb, flower, tree, bird, instrument, holiday, pastime, activity, exercise,
    breakfast, pizza, juice, fish, berry, bread, sweet, sandwich, salad, smell, weather,
    shape, font, letter, metal, gemstone, stone, fabric, distance, swimming stroke, time of
    day, kind     of music, board game"""
)
FIELDS = split_words(
    """insurance, finance, marketing, healthcare, health care, education, tech, it, hr, human
    resources, sales, logistics, construction, hospitality, publishing, advertising,
    banking, law, retail, tourism, agriculture, research, consulting, software, robotics,
    aerospace, aviation, biotech, pharma, real estate, public health, public relations,
    journalism, academia, fashion, forestry, shipping, transport, manufacturing,
    cybersecurity, data     science, machine learning, fintech, catering, procurement,
    renewable energy, energy, telecoms, film, television, theatre, social work, the public
    sector, the civil service, mental health, palliative care, customer service, local
    government, quality assurance, accounting, wealth management, archaeology, architecture"""
)
SUBJECTS = (
    FIELDS
    | split_words(
        """physics, chemistry, biology, mathematics, maths, math, history, geography, philosophy,
    psychology, sociology, economics, engineering, medicine, nursing, dentistry,
    linguistics, literature, music, art, fine art, art history, theology, politics,
    political science, computer science, informatics, statistics, geology, astronomy, marine
    biology, biochemistry, anthropology, pharmacy, business, business administration,
    management, civil engineering, mechanical engineering, electrical engineering, software
    engineering, veterinary medicine, environmental science, design, graphic design,
    industrial design, pedagogy, physical     education, drama, dance, yoga, pilates,
    ceramics, pottery, photography, swimming, international relations, materials science,
    neuroscience, genetics, botany, zoology, meteorology, musicology, classics, media
    studies, gender studies, translation studies, urban     planning, interior design, pe,
    french     literature, english literature, applied     mathematics, molecular biology,
    astrophysics, acoustics"""
    )
    | LANGUAGES
)
HOUSEHOLD = (
    KIN
    | PETS
    | THINGS
    | split_words(
        """anniversary, address, vet, landlord, landlady, nanny, pediatrician, paediatrician"""
    )
)
NOT_JOBS = split_words(
    """anger, better, buffer, corner, error, favor, filler, former, hunger, later, layer,
    loser, matter, mirror, monster, newcomer, number, other, paper, stranger, summer,
    winner, winter"""
)
NOT_WORK = split_words(
    """bad, better, big, bit, future, good, great, huge, lousy, not, real, terrible, worse"""
)
NOT_NAMES = split_words(
    """after, away, back, for, home, into, names, off, out, something, that, this, upon"""
)
MOVING = split_words(
    """bus, deadline, dinner, event, flight, game, lunch, match, meeting, party, train"""
)
UNREAL = split_words(
    """dream, ex, fake, favorite, favourite, first, former, future, ideal, imaginary, last,
    late, next, old, other, perfect, possible, potential, previous, second, temporary"""
)
NOT_FAVOURITES = split_words(
    """changing, closed, cold, coming, gone, hot, missing, sold-out, spoiled, unknown"""
)
JOINTS = split_words(
    """of, de, del, della, di, da, van, von, der, den, la, le, les, du, dos, das, al, el, bin,
    ibn, y"""
)
