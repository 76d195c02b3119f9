# SPDX-License-Identifier: Apache-2.0
"""The library's lists of problems.  Private."""

from __future__ import annotations

import os
from typing import Any

from ._library import library, read_text
from .errors import SEVERITIES, Problem


def read_problems(diag: Any) -> list[Problem]:
    """Return the entries of a limen_diag."""
    problems: list[Problem] = []
    entry = library.limen_diag_get(diag, 0)
    while entry:
        record = entry.contents
        problems.append(Problem(SEVERITIES[record.severity],
                                None if record.file is None else os.fsdecode(record.file),
                                record.line, record.column, read_text(record.pointer),
                                read_text(record.text) or "", read_text(record.hint)))
        entry = library.limen_diag_get(diag, len(problems))
    return problems


class Diag:
    """A list for one call: "with Diag() as diag"."""

    def __enter__(self) -> Diag:
        self._pointer = library.limen_diag_new()
        if not self._pointer:
            raise MemoryError
        self._as_parameter_ = self._pointer
        return self

    def __exit__(self, *_: Any) -> None:
        library.limen_diag_free(self._pointer)

    def read(self) -> list[Problem]:
        """Return what the call found."""
        return read_problems(self._pointer)
