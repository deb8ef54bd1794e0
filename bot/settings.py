"""What the host of the bot decides, from the environment or a `.env` file. Read once, at the edge."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ENV_FILE = ".env"


class LogLevel(StrEnum):
    """How much is logged. Orders and tokens never are."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class BadSettings(ValueError):
    """Settings that can't be used; one line for each, without what may be a secret."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def usual_workers() -> int:
    """How many worker processes there are unless the host decides: one more than processors, from 2 to 4.

    One of several is reserved for people waiting at the screen.
    """
    return min(4, (os.cpu_count() or 1) + 1)


class Settings(BaseSettings):
    """Every setting; its description is what `python -m bot --help` says."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8-sig",
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    discord_token: SecretStr | None = Field(
        default=None, description="the bot's token, from https://discord.com/developers/applications"
    )
    database_url: SecretStr = Field(
        default=SecretStr("sqlite:///data/sealed_orders.sqlite"),
        description="where games are kept: sqlite:///path/to/file or postgresql://user:password@host/name",
    )
    workers: int = Field(
        default_factory=usual_workers,
        ge=0,
        le=64,
        description="processes that draw maps and carry out phases, so that answers don't wait for it; 0: none",
    )
    games_per_person: int = Field(
        default=10,
        ge=0,
        description="unfinished games that one person, if no manager, may have set up on a server; 0: any number",
    )
    log_level: LogLevel = Field(default=LogLevel.INFO, description="DEBUG, INFO, WARNING or ERROR")

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.strip().upper() if isinstance(value, str) else value


def read_settings() -> Settings:
    """The settings of this process.

    Raises:
        BadSettings: a value can't be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, line['loc'])).upper()}: {line['msg']}" for line in error.errors()]
        raise BadSettings(problems) from None
    except UnicodeDecodeError:
        raise BadSettings([f"{ENV_FILE}: this is not text in UTF-8; save it as that"]) from None
    except OSError as error:
        raise BadSettings([f"{ENV_FILE}: {error.strerror}"]) from None


def describe_settings() -> str:
    """All settings with their defaults, one paragraph each."""
    lines = []
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        default = default.get_secret_value() if isinstance(default, SecretStr) else default
        lines += [f"  {name.upper()}", f"      {field.description}", f"      default: {default or 'none'}"]
    return "\n".join(lines)


def is_like_token(text: str) -> bool:
    """Whether a text has the form of a token: three parts with dots between them."""
    return re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", text) is not None


_TALKATIVE = ("discord", "aiohttp", "asyncio")


def silence_libraries() -> None:
    """Let no library write to standard error: we report what is wrong ourselves."""
    for library in (*_TALKATIVE, "alembic", "apscheduler"):
        logging.getLogger(library).setLevel(logging.CRITICAL)


def set_up_logging(level: LogLevel) -> None:
    """Log to standard error."""
    logging.basicConfig(level=level.value, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # At DEBUG these would write out whole requests and events, which hold orders and the token.
    for library in _TALKATIVE:
        logging.getLogger(library).setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    for chatterbox in ("alembic", "apscheduler"):
        logging.getLogger(chatterbox).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
