"""`python -m bot`: reads the command line and hands over to `bot.commands` or `bot.play`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.settings import BadSettings, describe_settings, read_settings, set_up_logging

OK, FAILED, MISUSED = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Run a command; the exit status: 0, 1 if something is wrong, 2 for a command or a setting that can't be used."""
    if argv[:1] == ["play"]:
        from bot.play import main as play

        return play(argv[1:])
    arguments = make_parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The name and texts of a game may contain characters that the shell's encoding can't represent.
        sys.stdout.reconfigure(errors="backslashreplace")
    if arguments.version:
        from bot.version import describe_version

        print(describe_version())
        return OK
    try:
        settings = read_settings()
    except BadSettings as error:
        print(error, file=sys.stderr)
        return MISUSED
    set_up_logging(settings.log_level)
    # What a command needs (Discord, the rules, the database) is loaded after the command line has been understood.
    from bot import commands

    try:
        match arguments.command:
            case None:
                return commands.run(settings)
            case "check":
                return commands.check(settings)
            case "games":
                return commands.list_games(settings)
            case "export":
                return commands.export_game(settings, arguments.game, arguments.output)
            case "import":
                ids = (arguments.guild, arguments.channel, arguments.user)
                return commands.import_game(settings, arguments.file, *ids)
            case "render":
                looks = commands.Looks(with_key=arguments.key, of_realm=arguments.realm)
                return commands.render(arguments.file, arguments.viewer, arguments.orders, arguments.output, looks)
            case _:
                return commands.report(arguments.file, arguments.viewer)
    except commands.Unreachable as error:
        print(error, file=sys.stderr)
        return FAILED
    except commands.Unusable as error:
        print(error, file=sys.stderr)
        return MISUSED


def make_parser() -> argparse.ArgumentParser:
    """The command line, without `play`, which has its own."""
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="The game master of strategy games on Discord. Without a command: run the bot.",
        epilog=f"Settings, from the environment or a .env file:\n\n{describe_settings()}\n\n"
        "To play without a Discord account: python -m bot play --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the versions of the bot, Python and discord.py")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("play", help="play without a Discord account, in a simulated Discord", add_help=False)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")

    add("check", "say what is wrong with settings, database or permissions, and what to do; changes nothing")
    add("games", "list the games with their numbers, and until when each phase runs; changes nothing")

    export = add("export", "write a whole game, with its secrets, as one JSON document")
    export.add_argument("game", metavar="GAME", help="the game's number or name (python -m bot games lists them)")
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="instead of standard output; only its owner may read it"
    )

    import_ = add("import", "store an exported game as a new one")
    import_.add_argument("file", metavar="FILE", help="what export wrote; - for standard input")
    for name, what in (("guild", "server"), ("channel", "channel"), ("user", "game master")):
        text = f"another {what} than the exported game's"
        import_.add_argument(f"--{name}", type=_discord_id, metavar="ID", help=text)

    render = add("render", "draw the map of a game.json")
    render.add_argument("file", metavar="FILE", help="a game.json; - for standard input")
    render.add_argument("--viewer", metavar="POWER", help="as this power may see it (default: as everybody may)")
    render.add_argument("--orders", metavar="ORDERS", help="a file of orders to draw: [power] headings, or JSON")
    render.add_argument("--key", action="store_true", help="add a key: who is who, and what the symbols mean")
    render.add_argument("--realm", action="store_true", help="the viewer's own part close up, as players get it")
    render.add_argument(
        "-o", "--output", type=Path, metavar="FILE", required=True, help="the PNG file to write; - for standard output"
    )

    report = add("report", "print the last phase of a game.json in words")
    report.add_argument("file", metavar="FILE", help="a game.json, a result of adjudicate --json, or an exported game")
    report.add_argument("--viewer", metavar="POWER", help="as this power may know it (default: as everybody may)")
    return parser


def _discord_id(text: str) -> int:
    if not (text.isdecimal() and len(text) < 20 and 0 < int(text) < 2**63):
        raise argparse.ArgumentTypeError(f"{text[:40]} is not a Discord ID")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
