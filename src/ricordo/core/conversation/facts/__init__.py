"""Constructions that state a fact: names, labels, equations and lasting verbs, one room each."""
