"""A hand of cards as a message, for its holder alone: a picture, the same in words, and buttons for what can be
done with it."""

from __future__ import annotations

from bot.model import Game
from bot.services.cards import CardsView
from bot.text.buttons import buttons
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import Action
from bot.text.discord_limits import ALT, fit, shorten
from bot.text.message import Button, Embed, Message, ScenePicture
from engine.core.scene import Hand
from engine.core.specialities import CardDeed

_ACTIONS = {CardDeed.CAST: Action.CAST, CardDeed.GIVE: Action.GIVE}


def hand_message(view: CardsView) -> tuple[Message, ...]:
    """The answer to who looks at their cards."""
    words = words_of(view.game)
    heading = words.say("cards.heading", game=view.game.name, title=view.title, power=view.power)
    pictures = (hand_picture(words, view.hand),) if view.hand.cards else ()
    text = "\n".join(
        words.say("cards.line", number=card.number, name=card.name, text=card.text) for card in view.hand.cards
    )
    return fit(
        Message(
            content=heading,
            embeds=(Embed(description=text or words.say("cards.none")),),
            pictures=pictures,
            buttons=card_buttons(words, view.game, view.phase_no, view.deeds),
        )
    )


def hand_picture(words: Words, hand: Hand) -> ScenePicture:
    """The cards drawn; the alt text is their names and effects."""
    lines = [
        words.plainly("cards.line_plain", number=card.number, name=card.name, text=card.text) for card in hand.cards
    ]
    alt = words.plainly("cards.alt", cards="; ".join(lines))
    return ScenePicture(hand, "cards.png", shorten(alt, ALT))


def card_buttons(words: Words, game: Game, phase_no: int, deeds: tuple[CardDeed, ...]) -> tuple[Button, ...]:
    """A button for each deed that is possible, and the ones that every private message has."""
    actions = [_ACTIONS[deed] for deed in deeds]
    return buttons(words, game.id, phase_no, *actions, Action.ORDERS, Action.MAP)
