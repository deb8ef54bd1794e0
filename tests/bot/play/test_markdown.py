"""Discord's markdown as HTML: what it shows, and that nobody can write HTML through it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.play.markdown import as_of, inline_html, to_html


def name_of(kind: str, identifier: int) -> str | None:
    return {("user", 1): "Ada", ("channel", 2): "game", ("role", 3): "Host"}.get((kind, identifier))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**b** *i* _j_ __u__ ~~s~~", "<p><strong>b</strong> <em>i</em> <em>j</em> <u>u</u> <s>s</s></p>"),
        ("***both***", "<p><strong><em>both</em></strong></p>"),
        ("`A *PAR* - BUR`", "<p><code>A *PAR* - BUR</code></p>"),
        ("one\ntwo", "<p>one<br>two</p>"),
        ("# Big\n## Less\n-# small", "<h3>Big</h3><h4>Less</h4><p class='small'>small</p>"),
        ("- a\n  - b", "<ul><li class='level0'>a</li><li class='level1'>b</li></ul>"),
        ("3. a\n4. b", "<ol><li class='level0' value=3>a</li><li class='level0' value=4>b</li></ol>"),
        ("> said\n> so\nnot", "<blockquote><p>said<br>so</p></blockquote><p>not</p>"),
        (">>> all\nof it", "<blockquote><p>all<br>of it</p></blockquote>"),
        ("```\nA PAR - BUR\n  x\n```", "<pre><code>A PAR - BUR\n  x</code></pre>"),
        ("see\n```py\nx\n```after", "<p>see</p><pre><code>x</code></pre><p>after</p>"),
        (r"\*not\*", "<p>*not*</p>"),
        ("snake_case_name 2*3*4", "<p>snake_case_name 2<em>3</em>4</p>"),
        ("</orders enter:99>", "<p><span class='mention'>/orders enter</span></p>"),
        ("||who||", "<p><span class='spoiler' tabindex='0'>who</span></p>"),
    ],
)
def test_marks_become_tags(text: str, html: str) -> None:
    assert to_html(text, name_of) == html


def test_mentions_are_names() -> None:
    html = inline_html("<@1> <#2> <@&3> <@4>", name_of)
    assert [name in html for name in ("@Ada", "#game", "@Host", "@unknown")] == [True] * 4


def test_a_new_name_is_shown_where_the_old_one_was() -> None:
    text = "> so says <@1>"
    assert "@Ada" in to_html(text, name_of)
    assert "@Bert" in to_html(text, lambda kind, identifier: "Bert")


def test_a_time_is_left_to_the_reader_s_clock() -> None:
    html = inline_html("<t:86400:R>", name_of)
    assert "datetime='1970-01-02T00:00:00+00:00'" in html
    assert "data-style='R'" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "**<img src=x onerror=alert(1)>**",
        "`<b>`",
        "```\n<b>\n```",
        "[x](javascript:alert(1))",
        "https://example.org/'onmouseover='alert(1)",
        "</<b>:1>",
        "<t:99999999999999:F>",
    ],
)
def test_no_html_comes_through(text: str) -> None:
    html = to_html(text, name_of)
    assert not any(tag in html for tag in ("<script", "<img", "<b>", "javascript:alert(1)'", "'onmouseover='"))


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (timedelta(days=3, hours=1), "in 3 days"),
        (timedelta(hours=47), "in 2 days"),
        (timedelta(minutes=61), "in 1 hour"),
        (timedelta(seconds=-90), "2 minutes ago"),
        (timedelta(0), "in 0 seconds"),
    ],
)
def test_a_page_to_keep_tells_relative_times_as_they_were(later: timedelta, words: str) -> None:
    moment = datetime(2026, 11, 1, 12, tzinfo=UTC)
    stamp = int((moment + later).timestamp())
    html = to_html(f"Orders lock <t:{stamp}:R>, on <t:{stamp}:F>.", lambda kind, identifier: None)
    told = as_of(html, moment)
    assert f">{words}</time>, on" in told
    assert told.count((moment + later).strftime("%a %d %b %Y %H:%M UTC")) == html.count("UTC") - 1
