"""The present position as a message: the map, its board in words, and until when orders are taken."""

from __future__ import annotations

from dataclasses import replace

from bot.services.inspect import BoardView, PhaseView
from bot.text.board import board_file, board_picture, report_text, results_picture
from bot.text.buttons import buttons
from bot.text.catalogue import words_of
from bot.text.custom_ids import Action
from bot.text.discord_limits import fit
from bot.text.markdown import full_time, relative_time
from bot.text.message import Embed, Message


def board_messages(view: BoardView, *, as_text: bool, is_unasked: bool = False) -> tuple[Message, ...]:
    """The position as a picture, or (`as_text`) in words alone; the words go with the picture as a file too.

    Args:
        is_unasked: nobody named a part of the map; if one is shown all the same, it is said how to see the whole.
    """
    game = view.game
    words = words_of(game)
    lines = [words.say("inspect.map", game=game.name, title=view.title)]
    if game.deadline_at is not None:
        lines.append(
            words.say("inspect.locks", left=relative_time(game.deadline_at), deadline=full_time(game.deadline_at))
        )
    if is_unasked and view.scene.is_close_up and not as_text:
        lines.append(words.say("message.own_map"))
    file = board_file(words, game, view.title, view.text)
    content = "\n".join(lines)
    if as_text:
        return fit(Message(content, embeds=(Embed(description=report_text(words, view.text)),), files=(file,)))
    picture = board_picture(words, game, view.scene, view.text, deadline_at=game.deadline_at)
    more = buttons(words, game, game.phase_no, Action.KEY, Action.BOARD)
    return fit(Message(content, pictures=(picture,), files=(file,), buttons=more))


def key_messages(view: BoardView) -> tuple[Message, ...]:
    """The position with who is who on the map and what its signs mean."""
    words = words_of(view.game)
    picture = board_picture(words, view.game, view.scene, view.text, deadline_at=view.game.deadline_at)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(replace(picture, with_key=True),)))


def phase_key_messages(view: PhaseView) -> tuple[Message, ...]:
    """The same of a closed phase with its orders."""
    words = words_of(view.game)
    picture = results_picture(words, view.game, view.scene_of_results, view.report)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(replace(picture, with_key=True),)))
