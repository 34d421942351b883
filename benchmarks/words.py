"""Sentences made from a number, for measuring with many different texts."""

import random

_WHO = "Anna Bruno Chen Dora Emil Fatma Goran Hana Igor Jana Kofi Lena Miro Nora Oskar Petra".split()  # noqa: SIM905
_DID = "painted repaired bought sold lost found cleaned measured ordered returned drew packed".split()  # noqa: SIM905
_WHICH = "green heavy broken wooden cheap silent narrow golden square paper iron frozen".split()  # noqa: SIM905
_WHAT = "lamp boat table clock bicycle ladder piano bridge kettle mirror basket window camera".split()  # noqa: SIM905
_WHERE = "Oslo Porto Riga Split Turku Varna Bergen Cadiz Dresden Ghent Krakow Lyon".split()  # noqa: SIM905


def sentence(number: int) -> str:
    """The sentence of that number; like numbers give the same one."""
    chance = random.Random(number)
    parts = [chance.choice(words) for words in (_WHO, _DID, _WHICH, _WHAT, _WHERE)]
    return "{} {} a {} {} in {} on day {}".format(*parts, number % 100_000)
