"""What a game master is told after having done something, and what the check of a game's circumstances found."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Game, Seat
from bot.services.hiding import HidingView
from bot.text.catalogue import common_words, words_of
from bot.text.markdown import Markup, full_time, mention, relative_time
from bot.text.message import Message
from engine.core.phrases import Phrase


def master_message(code: str, game: Game, *, has_dice_seen: bool | None = None) -> Message:
    """One of the catalogue's `[gm]` texts about a game as it is now.

    Args:
        has_dice_seen: after a rollback, whether dice may fall again that players have seen; else `None`.
    """
    words = words_of(game)
    deadline, left = (
        ("", "") if game.deadline_at is None else (full_time(game.deadline_at), relative_time(game.deadline_at))
    )
    lines = [words.say(f"gm.{code}", game=game.name, code=game.phase_code, deadline=deadline, left=left)]
    if has_dice_seen is not None:
        lines.append(words.say("gm.dice_seen", code=game.phase_code) if has_dice_seen else words.say("gm.dice_new"))
    return Message("\n".join(lines))


def edited_message(game: Game, advice: Phrase | None) -> Message:
    """The position was changed, and what the game master should know of that."""
    told = master_message("edited", game)
    return told if advice is None else Message(f"{told.content}\n{words_of(game).render(advice)}")


def replaced_message(game: Game, seat: Seat) -> Message:
    """A seat changed hands, or is open."""
    words = words_of(game)
    if seat.user_id is None:
        return Message(words.say("gm.vacated", power=seat.power, game=game.name))
    return Message(words.say("gm.replaced", power=seat.power, game=game.name, player=mention(seat.user_id)))


def hiding_message(seen: HidingView) -> Message:
    """Which card was hidden where, which wait still, and where they may go."""
    words = words_of(seen.game)
    lines = []
    if seen.hidden is not None:
        lines.append(words.say("gm.card_hidden", card=seen.hidden[0], place=seen.hidden[1]))
    if seen.left:
        lines.append(words.say("gm.cards_aside", cards=tuple(map(str, seen.left)), places=seen.places))
    else:
        lines.append(words.say("gm.all_hidden"))
    return Message("\n".join(lines))


def permissions_message(channel_id: int, missing: Sequence[str]) -> Message:
    """What the bot may not do in a channel but needs to."""
    return Message(
        common_words().say("gm.check_missing", channel=Markup(f"<#{channel_id}>"), permissions=tuple(missing))
    )


def check_messages(game: Game, missing: Sequence[str], *, failed: int, is_here: bool) -> tuple[Message, ...]:
    """What the check found.

    Args:
        failed: messages of the game that could not be delivered.
        is_here: whether the check was made in the game's channel; permissions are known of that one alone.
    """
    words = common_words()
    if missing:
        lines = [permissions_message(game.channel_id, missing).content]
    else:
        code = "gm.check_good" if is_here else "gm.check_elsewhere"
        lines = [words.say(code, channel=Markup(f"<#{game.channel_id}>"))]
    if failed:
        lines.append(words.say("gm.check_mail", count=failed))
    return (Message("\n".join(lines)),)
