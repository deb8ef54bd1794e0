"""What is said when something can't be done: always to the one who asked, and never more than they may know."""

from __future__ import annotations

from functools import cache

from bot.services.errors import Refused
from bot.text.catalogue import Words, common_words
from bot.text.discord_limits import fit
from bot.text.message import Message
from engine.core.phrases import Catalogue
from engine.core.variant import load_phrases, load_variant, phrases_of
from engine.registry import systems


def refused_message(refusal: Refused) -> Message:
    """Why a request was not granted, and what to do instead."""
    words = all_words()
    if refusal.hint is None:
        return fit(Message(words.say("failure.refused", what=refusal.what)))[0]
    return fit(Message(words.say("failure.refused_hint", what=refusal.what, hint=refusal.hint)))[0]


def storage_message() -> Message:
    """The database is away."""
    return Message(common_words().say("failure.storage"))


def unexpected_message(reference: str) -> Message:
    """A fault of ours; the reference finds it in the log."""
    return Message(common_words().say("failure.unexpected", reference=reference))


def failure_message(code: str, **args: object) -> Message:
    """One of the catalogue's `[failure]` texts."""
    return Message(common_words().say(f"failure.{code}", **args))


@cache
def all_words() -> Words:
    """The words and names of every system: for refusals, which may come before it is known which game is meant."""
    catalogue = Catalogue({}, {})
    for info in systems.infos.values():
        for variant in info.variants:
            catalogue = catalogue.with_catalogue(phrases_of(load_variant(info.id, variant)))
    return Words(load_phrases().with_catalogue(catalogue))
