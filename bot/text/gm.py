"""Answers to a game master's commands, and the findings of `/gm check`."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Game, GameStatus, Seat, Target, UserId
from bot.services.channel import Checked, Failing, MovedGame
from bot.services.gm import Edited
from bot.services.rollback import NewDice
from bot.services.secret_choice import ChoiceView
from bot.text.catalogue import Words, common_words, words_of
from bot.text.discord_limits import fit
from bot.text.markdown import Markup, channel_mention, full_time, mention, relative_time
from bot.text.message import Message


def master_message(code: str, game: Game, *, has_dice_seen: bool | None = None) -> Message:
    """One of the catalogue's `[gm]` texts about a game as it is now.

    Args:
        has_dice_seen: after a rollback, whether dice may fall again that players have seen; else `None`.
    """
    words = words_of(game)
    deadline, left = (
        ("", "") if game.deadline_at is None else (full_time(game.deadline_at), relative_time(game.deadline_at))
    )
    lines = [words.say(f"gm.{code}", game=game.name, title=game.phase_title or "", deadline=deadline, left=left)]
    if code == "rolled_back_no_deadline" and game.status is GameStatus.PAUSED:
        lines.append(words.say("gm.rolled_back_paused"))
    if has_dice_seen is not None:
        lines.append(words.say("gm.dice_seen", code=game.phase_code) if has_dice_seen else words.say("gm.dice_new"))
    return Message("\n".join(lines))


def new_dice_message(dice: NewDice, *, is_undone: bool = False) -> Message:
    """Public, before a rollback with new dice: what their seed is made of; the number of this message is part of it.

    Args:
        is_undone: the rollback was not made.
    """
    words = words_of(dice.game)
    if is_undone:
        return Message(words.say("gm.new_dice_undone", game=dice.game.name, title=dice.title))
    code = "gm.next_dice" if dice.seal is None else "gm.new_dice"
    return Message(words.say(code, game=dice.game.name, title=dice.title, seal=dice.seal or ""))


def edited_message(edited: Edited) -> Message:
    """The position was changed, and what the game master should know of that."""
    game, advice = edited.game, edited.advice
    message = master_message("ruled" if edited.is_secret else "edited", game)
    return message if advice is None else Message(f"{message.content}\n{words_of(game).render(advice)}")


def replaced_message(game: Game, seat: Seat) -> Message:
    """A seat changed hands, or is open."""
    words = words_of(game)
    if seat.computer is not None:
        return Message(words.say("gm.computer_plays", power=seat.power, game=game.name, level=seat.computer))
    if seat.user_id is None:
        code = "gm.vacated" if seat.is_open else "gm.vacated_asked"
        return Message(words.say(code, power=seat.power, game=game.name))
    return Message(words.say("gm.replaced", power=seat.power, game=game.name, player=mention(seat.user_id)))


def choice_message(seen: ChoiceView) -> Message:
    """What was just chosen in secret, and what is left to choose."""
    made = () if seen.made is None else (seen.made,)
    return Message("\n".join(map(words_of(seen.game).render, (*made, *seen.left))))


def permissions_message(channel_id: int, missing: Sequence[str]) -> Message:
    """What the bot may not do in a channel but needs to."""
    return Message(
        common_words().say("gm.check_missing", channel=channel_mention(channel_id), permissions=tuple(missing))
    )


def check_messages(checked: Checked, missing: Sequence[str], *, is_here: bool) -> tuple[Message, ...]:
    """What the check found.

    Args:
        missing: permissions that the bot lacks here.
        is_here: whether the check was made in the game's channel; permissions are known of that one alone.
    """
    words, game = common_words(), checked.game
    channel = channel_mention(game.channel_id)
    if missing:
        lines = [Markup(permissions_message(game.channel_id, missing).content)]
    elif not is_here:
        lines = [words.say("gm.check_elsewhere", channel=channel)]
    else:
        lines = [
            words.say("gm.check_permissions" if checked.failing or game.failures else "gm.check_good", channel=channel)
        ]
    if game.failures:
        again = "" if game.retry_at is None else relative_time(game.retry_at)
        code = "gm.check_stuck" if again else "gm.check_was_stuck"
        lines.append(
            words_of(game).say(code, game=game.name, title=game.phase_title or "", count=game.failures, again=again)
        )
    lines += [_failing_line(words_of(game), failing) for failing in checked.failing]
    if any(failing.target is Target.CHANNEL and not failing.is_fault for failing in checked.failing):
        lines.append(words.say("gm.check_move"))
    return fit(Message("\n".join(lines)))


def _failing_line(words: Words, failing: Failing) -> Markup:
    is_channel = failing.target is Target.CHANNEL
    if failing.power is not None:
        where = words.say("message.player_of", power=failing.power)
    else:
        where = channel_mention(failing.target_id) if is_channel else mention(UserId(failing.target_id))
    why = words.say(f"gm.check_why.{_reason(failing, is_channel=is_channel)}")
    counts = {"given_up": failing.given_up, "waiting": failing.waiting}
    code = "both" if all(counts.values()) else next(name for name, count in counts.items() if count)
    return words.say(f"gm.check_mail.{code}", where=where, why=why, **counts)


def _reason(failing: Failing, *, is_channel: bool) -> str:
    """Which of the catalogue's reasons explains the error."""
    if failing.is_fault:
        return "fault"
    status, _, code = failing.error.partition(" ")
    if code in REASONS:
        return REASONS[code]
    if status in ("403", "404"):
        return "channel_gone" if is_channel else "dms_closed"
    return "discord"


REASONS = {
    "10003": "channel_gone",
    "10013": "person_gone",
    "50007": "dms_closed",
    "50278": "no_server",
    "50001": "permission",
    "50013": "permission",
    "50083": "thread",
    "160005": "thread",
}
"""Discord's error codes."""


def moved_message(moved: MovedGame) -> Message:
    """A game has another channel."""
    words = words_of(moved.game)
    code = "gm.moved_with_posts" if moved.held_back else "gm.moved"
    return Message(words.say(code, game=moved.game.name, count=moved.held_back))
