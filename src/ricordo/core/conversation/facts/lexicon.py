"""Lexicon: the nouns and verbs that constructions are read for, beyond those of plain facts."""

import re
from collections.abc import Iterable

from ricordo.core.conversation.fact_words import split_words


def join(listed: Iterable[str]) -> str:
    """An alternative of a pattern for every word, the longest first."""
    return "|".join(sorted(map(re.escape, listed), key=len, reverse=True))


BEARERS = split_words(
    """pi, company, firm, startup, band, team, choir, landlord, neighbours, neighbors,
    neighbour, grandad, granddad, nan, nana, gran, oldest, eldest, youngest, little one,
    toddler, teenager, boy, girl, little boy, little girl, boys, girls, foster son, foster
    daughter, godchild, husband-to-be, bride, in-laws, intern, apprentice, lead, tech lead,
    project lead, head of sales, cofounder, bandmate, pa, gp, au pair, dog walker, pet
    sitter, guide dog, kitten, tomcat, budgies, tortoises, parrots, gerbils, gerbil, mare,
    gelding, foal, bearded dragon, corn snake, stick insect, piano teacher, violin teacher,
    guitar teacher, physio, consultant, oncologist, stylist, builder, architect, publisher,
    editor, drummer, bassist, singer, guitarist, half-brother, half-sister, stepdad,
    stepmum, stepmom, step-daughter, step-son, grandkids, grandchildren, grandchild,
    granddaughters, grandsons, nephews, nieces, cousins, aunts, friend, colleague, better
    half, fiancé, fiancée, ward, carer, key worker, social worker, supervisor, thesis
    supervisor, line manager, team lead, deputy, coach, village, town, street, school,
    caretaker, conductor, choirmaster, client, product, project, boat, van, campervan"""
)
NAMEABLE = split_words(
    """shop, bike shop, clinic, bakery, cafe, café, pub, restaurant, company, agency, studio,
    farm, band, choir, orchestra, club, podcast, blog, channel, newsletter, zine, magazine,
    charity, nonprofit, ngo, startup, app, tool, library, package, service, server, cluster,
    repo, branch, database, bucket, robot, boat, ship, yacht, van, campervan, house,
    cottage, street, village, town, school, nursery, team, league, side, gym, practice,
    firm, hotel, gallery, brewery, vineyard, label, game studio, bookshop, store, salon,
    barbershop, foodtruck, food truck, stall, ranch, stable, kennel, cattery, theatre,
    troupe, quartet, trio, duo, group, society, guild, collective, co-op, cooperative,
    plant, sourdough, starter, network, wifi, office, room, project, product, host, machine,
    laptop, bot, kindergarten, parish, church, community, forum, discord, subreddit, place,
    venue, bar"""
)
HOME_BEARERS = split_words(
    """baby, kids, twins, neighbours, neighbors, landlord, landlady, boss, cleaner, nanny,
    in-laws, vet, oldest, youngest, eldest, toddler, boat, van, car, wife, husband, missus,
    little one"""
)
TITLES = split_words(
    """Uncle, Aunt, Auntie, Aunty, Cousin, Grandma, Grandpa, Grandad, Granddad, Granny, Nana,
    Nan, Gran, uncle, aunt, auntie, cousin, grandma, grandpa, grandad, granddad, granny,
    nana"""
)
HOLDING = (
    "have|own|run|opened|started|founded|manage|got|have got|work at"
    "|work for|live in|adopted|play in"
    "|sing in|host|write|publish|teach at|coach|volunteer at|co-own"
    "|co-run|joined|lead|built|maintain"
    "|belong to|captain|drum in|bought|produce|edit|curate|am building|am writing|train at|rent"
)
# What stands before a colon, or before a number, and names what it is.
LABELS = split_words(
    """address, ship-to address, shipping address, home address, billing address, delivery
    address, email, e-mail, mail, phone, mobile, cell, tel, telephone, whatsapp, telegram,
    signal, skype, contact, emergency contact, next of kin, allergy, allergies,
    intolerances, intolerance, diet, dietary needs, dietary requirements, medication,
    medications, meds, blood type, blood group, insurer, insurance, gp, doctor, dentist,
    vet, school, university, employer, company, job, role, occupation, title, hometown,
    city, location, based in, country, timezone, time zone, tz, languages, language,
    pronouns, name, full name, nickname, age, birthday, dob, date of birth, born,
    anniversary, height, weight, shoe size, size, shirt size, jeans size, ring size, wifi,
    wi-fi, ssid, network, router, gate code, door code, alarm code, locker, locker code,
    code, room, meeting room, desk, extension, office, plate, number plate, licence plate,
    license plate, registration, car, bike, laptop, phone model, os, operating system,
    editor, shell, browser, frontend, front end, backend, back end, front-end, back-end,
    hosting, host, database, db, cache, queue, ci, ci/cd, stack, framework, orm, server,
    repo, repository, branch, default branch, domain, url, website, port, staging,
    production, prod, region, cluster, namespace, bucket, registry, cdn, deadline, due date,
    launch, launch date, release date, go-live, kickoff, budget, rent, salary, day rate,
    hourly rate, rate, currency, vat number, vat, iban, account number, member number,
    membership number, membership, customer number, passport, passport number, policy
    number, flight, hotel, hobbies, hobby, interests, instrument, favourite colour,
    favourite food, favorite color, favorite food, favourite team, team, client, manager,
    boss, supervisor, lead, pm, product owner, owner, on-call, standup, stand-up, retro,
    sprint length, sprint, version, python version, node version, python, node, java, go,
    postgres, package manager, linter, formatter, indentation, line length, font, theme,
    units, spelling, date format, style, house style, code style, tone, format, preferred
    language, pets, pet, dog, cat, kids, children, wife, husband, partner, landlord,
    accountant, lawyer, bank, gym, handle, github, twitter, instagram, mastodon, username,
    user, opening hours, hours, working hours, office hours, office days, sort code, class,
    course, major, minor, degree, supervisor, thesis, coffee order, coffee, tea, drink,
    order, usual order, seat, seats, frequent flyer number, tax id, employee id, student id,
    staff number, badge number, blood pressure, resting heart rate, shirt, shoes, jeans,
    dress size, hat size, pinned dependency, dependency, printer, camera, monitor, keyboard,
    car model, mileage, meter number, nhs number"""
)
NOT_LABELS = split_words(
    "password, passwords, pin, passcode, secret, token, api key, cvv, card number"
)
# Things with a date, a place or a number that stays so.
DATED = split_words(
    "expires, closes, ends, starts, begins, opens, renews, is due, runs out, falls on, is set for,"
    "'s set for, is on, is, are due, finishes, launches, goes live, ships, is "
    "up, comes up, is booked"
    "for, is scheduled for, starts on, lapses, is valid until, runs until, takes place, 's on, 's"
)
