"""Sentences made from a number, for measuring with many different texts."""

import random

_WHO = ["Anna", "Bruno", "Chen", "Dora", "Emil", "Fatma", "Goran", "Hana", "Igor", "Jana", "Kofi", "Lena", "Miro", "Nora", "Oskar", "Petra"]
_DID = ["painted", "repaired", "bought", "sold", "lost", "found", "cleaned", "measured", "ordered", "returned", "drew", "packed"]
_WHICH = ["green", "heavy", "broken", "wooden", "cheap", "silent", "narrow", "golden", "square", "paper", "iron", "frozen"]
_WHAT = ["lamp", "boat", "table", "clock", "bicycle", "ladder", "piano", "bridge", "kettle", "mirror", "basket", "window", "camera"]
_WHERE = ["Oslo", "Porto", "Riga", "Split", "Turku", "Varna", "Bergen", "Cadiz", "Dresden", "Ghent", "Krakow", "Lyon"]


def sentence(number: int) -> str:
    """The sentence of that number; like numbers give the same one."""
    chance = random.Random(number)
    parts = [chance.choice(words) for words in (_WHO, _DID, _WHICH, _WHAT, _WHERE)]
    return "{} {} a {} {} in {} on day {}".format(*parts, number % 100_000)
