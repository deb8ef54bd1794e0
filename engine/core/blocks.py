"""Sheets with blocks: a line that opens one, the lines in it, and `END`.

    BATTLE 2D+5
      TAKE 38 3L
      FIRE 12
    END

Every line is answered by itself, so each is an order of its own, whose canonical text names its block in front of it:
`BATTLE 2D+5: TAKE 38 3L`. That reads back by itself, wherever single orders go; `in_blocks` puts such lines together
again. An invalid block (never ended, or inside another one) makes its own lines invalid, but no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.core.errors import OrderError

END = "END"
Opens = Callable[[str], bool]
"""Whether a line, without its comment, opens a block."""
_COLON = re.compile(r":(?=\s|$)")
_COMMENT = re.compile(r'(?:"[^"]*"|[^#"]|"(?![^"]*"))*')


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of a sheet that isn't empty.

    Args:
        number: in the sheet, from 1.
        column: of the first character of `content`, from 1; `end` is the column after its last.
        text: the line as written.
        content: what it says, without comment, blanks around it, and the head of its block; empty: nothing but the
            head, as in the line that opens a block.
        head: of the block that it is in, as the block was opened; `None`: it is in none.
    """

    number: int
    column: int
    end: int
    text: str
    content: str
    head: str | None = None

    def error(self, code: str, /, **args: object) -> OrderError:
        """The line refused."""
        return OrderError(self.number, self.column, self.end, self.text, code, args)


@dataclass(slots=True)
class _Block:
    """A block while it is read. `is_refused`: all of its lines are refused."""

    opening: SheetLine
    head: str
    lines: list[SheetLine]
    is_refused: bool = False


def read_lines(text: str, opens: Opens) -> tuple[tuple[SheetLine, ...], tuple[OrderError, ...]]:
    """The lines of a sheet, each with its block, and what is wrong with the blocks; both in the order of the lines."""
    reader = _Reader(opens)
    for line in lines_of(text):
        reader.take(line)
    reader.finish()
    reader.lines.sort(key=lambda line: line.number)
    reader.errors.sort(key=lambda error: error.line)
    return tuple(reader.lines), tuple(reader.errors)


def lines_of(text: str) -> Iterator[SheetLine]:
    """The lines of a sheet that hold more than a comment, none of them in a block."""
    for number, line in enumerate(text.splitlines(), start=1):
        bare = without_comment(line)
        content = bare.strip()
        if content:
            column = len(bare) - len(bare.lstrip()) + 1
            yield SheetLine(number, column, column + len(content), line, content)


class _Reader:
    def __init__(self, opens: Opens) -> None:
        self.opens = opens
        self.lines: list[SheetLine] = []
        self.errors: list[OrderError] = []
        self.open: list[_Block] = []

    def take(self, line: SheetLine) -> None:
        """Put a line where it belongs."""
        if line.content.upper() == END:
            self._end(line)
        elif _opens(line.content, self.opens):
            self._begin(line)
        elif self.open:
            block = self.open[-1]
            if block.is_refused:
                self.errors.append(line.error("in_refused_block", line=block.opening.number))
            else:
                block.lines.append(_within(line, block.head))
        else:
            self.lines.append(self._alone(line))

    def finish(self) -> None:
        """Handle the blocks that are still open at the end of the sheet."""
        for block in self.open:
            if block.is_refused:
                self._keep(block)
            else:
                self.errors.append(block.opening.error("block_not_ended", head=block.head))
                self.errors += [line.error("in_refused_block", line=block.opening.number) for line in block.lines]

    def _begin(self, line: SheetLine) -> None:
        outer = self.open[-1] if self.open else None
        block = _Block(line, line.content, [], is_refused=outer is not None)
        if outer is not None:
            self.errors.append(line.error("block_in_block", head=outer.head, line=outer.opening.number))
        self.open.append(block)

    def _end(self, line: SheetLine) -> None:
        if self.open:
            self._keep(self.open.pop())
        else:
            self.errors.append(line.error("no_block_to_end"))

    def _keep(self, block: _Block) -> None:
        if not block.is_refused:
            self.lines += (_opening(block.opening), *block.lines)

    def _alone(self, line: SheetLine) -> SheetLine:
        """A line outside blocks, unless it begins with the name of one."""
        head = _named_block(line.content, self.opens)
        if head is None:
            return line
        content = line.content[len(head) :].lstrip(" \t:")
        column = line.end - len(content) if content else line.column
        return SheetLine(line.number, column, line.end, line.text, content, head)


def _named_block(content: str, opens: Opens) -> str | None:
    """The head of the block that a line names at its beginning; `None`: it names none."""
    colon = _COLON.search(content)
    head = "" if colon is None else content[: colon.start()].rstrip()
    return head if head and opens(head) else None


def _opens(content: str, opens: Opens) -> bool:
    return _named_block(content, opens) is None and opens(content)


def _opening(line: SheetLine) -> SheetLine:
    return SheetLine(line.number, line.column, line.end, line.text, "", line.content)


def _within(line: SheetLine, head: str) -> SheetLine:
    return SheetLine(line.number, line.column, line.end, line.text, line.content, head)


def without_comment(line: str) -> str:
    """The line up to a `#` that is not within quotation marks."""
    found = _COMMENT.match(line)
    return line if found is None else found[0]


def in_block(head: str, content: str = "") -> str:
    """The canonical text of a line in a block; without content, that of the block alone: `DEFEND 2D+5:`."""
    return f"{head}: {content}".rstrip()


def in_blocks(lines: Iterable[str], opens: Opens) -> Iterator[str]:
    """Canonical lines as a sheet has them: those of one block that follow each other between its head and `END`."""
    read, _ = read_lines("\n".join(lines), opens)
    for head, group in groupby(read, key=lambda line: line.head):
        if head is None:
            yield from (line.content for line in group)
        else:
            yield from (head, *(f"  {line.content}" for line in group if line.content), END)


def spans(lines: Sequence[str], opens: Opens | None) -> list[range]:
    """The parts of a sheet that read the same without the others: single lines, and blocks as a whole."""
    if opens is None:
        return [range(number, number + 1) for number in range(len(lines))]
    found: list[range] = []
    first, depth = 0, 0
    for number, line in enumerate(lines):
        content = without_comment(line).strip()
        if not depth:
            first = number
        if content and _opens(content, opens):
            depth += 1
        elif content.upper() == END and depth:
            depth -= 1
        if not depth:
            found.append(range(first, number + 1))
    return found if not depth else [*found, range(first, len(lines))]
