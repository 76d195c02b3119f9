# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, and the problems that a policy or a request has."""

from __future__ import annotations

from typing import Iterable, NamedTuple, Optional

SEVERITIES = ("note", "warning", "error")


class Problem(NamedTuple):
    """One thing found in a policy or a request, with its place."""

    severity: str           # "note", "warning" or "error"
    file: Optional[str]     # as it was named to the engine
    line: int               # from 1; 0: unknown
    column: int             # from 1, in characters; 0: unknown
    pointer: Optional[str]  # RFC 6901, in the file
    text: str               # one line
    hint: Optional[str]     # what to do about it

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        parts = [place, self.severity]
        if self.pointer is not None:
            parts.append("At " + (self.pointer or "/"))
        text = ": ".join(part for part in parts + [self.text] if part)
        return text if self.hint is None else "%s\n  hint: %s" % (text, self.hint)


class Error(Exception):
    """Anything this package raises, but for TypeError, ValueError and MemoryError."""


class LibraryError(Error, ImportError):
    """liblimen is not there, or not the one this package is for."""


class NoPolicyError(Error):
    """The engine has no policy."""


class _ProblemsError(Error):
    def __init__(self, summary: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(summary)
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join([str(self.args[0])] + [str(problem) for problem in self.problems])


class PolicyError(_ProblemsError):
    """A policy cannot be loaded; the one in force, if any, stays.

    'problems' has all that was found, notes and warnings too.
    """


class RequestError(_ProblemsError, ValueError):
    """A task, an object or hints cannot be read."""
