"""Settings: from the environment or a .env file, told plainly when wrong, and without secrets in any output."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import (
    BadSettings,
    LogLevel,
    Settings,
    describe_settings,
    read_settings,
    set_up_logging,
)


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_without_anything_games_are_in_a_file_and_there_is_no_token() -> None:
    settings = read_settings()
    assert settings.discord_token is None
    assert settings.database_url.get_secret_value() == "sqlite:///data/sealed_orders.sqlite"
    assert settings.log_level is LogLevel.INFO


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("LOG_LEVEL", "debug")
    settings = read_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "a.b.c"
    assert settings.database_url.get_secret_value() == "postgresql://h/d"
    assert settings.log_level is LogLevel.DEBUG


def test_a_file_is_read_and_the_environment_goes_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from.the.file\nLOG_LEVEL=ERROR\nOTHER=thing\n")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    settings = read_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "from.the.file"
    assert settings.log_level is LogLevel.WARNING


def test_a_file_as_editors_on_windows_save_it_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=ERROR\n", encoding="utf-8-sig")
    assert read_settings().log_level is LogLevel.ERROR
    (tmp_path / ".env").write_text("DISCORD_TOKEN=hunter2\n", encoding="utf-16")
    with pytest.raises(BadSettings, match=r"^\.env: this is not text in UTF-8; save it as that$"):
        read_settings()


def test_an_empty_value_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert read_settings().discord_token is None


def test_a_wrong_value_is_named() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOG_LEVEL", "LOUD")
        with pytest.raises(BadSettings, match=r"LOG_LEVEL: .*'DEBUG', 'INFO', 'WARNING' or 'ERROR'"):
            read_settings()


def test_secrets_do_not_show_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "hunter2")
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:hunter2@h/d")
    settings = read_settings()
    assert "hunter2" not in f"{settings!r} {settings}"


def test_help_lists_every_setting_with_its_default() -> None:
    text = describe_settings()
    for name in Settings.model_fields:
        assert name.upper() in text
    assert "default: sqlite:///data/sealed_orders.sqlite" in text
    assert "default: INFO" in text


@pytest.fixture
def _loggers() -> Iterator[None]:
    names = ("discord", "aiohttp", "asyncio", "alembic", "apscheduler")
    levels = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("_loggers")
@pytest.mark.parametrize("name", ["discord.http", "discord.gateway", "aiohttp.client", "asyncio"])
def test_libraries_that_log_whole_messages_are_never_at_debug(name: str) -> None:
    set_up_logging(LogLevel.DEBUG)
    assert not logging.getLogger(name).isEnabledFor(logging.DEBUG)
