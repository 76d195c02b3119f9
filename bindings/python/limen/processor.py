# SPDX-License-Identifier: Apache-2.0
"""The interface of pScheduler's own limit processor, decided by limen."""

from __future__ import annotations

import logging
import os
import re
import traceback
from typing import Any, Optional

from .engine import Engine
from .errors import PolicyError, Problem

# Lists that a policy downloads are there when pScheduler's processor is made.  It
# waits for ever; this long is enough for servers that answer.
READY_WAIT = 60

NO_LIMITS = "No limits were applied"
# So many problems are told to requesters, who see the text of a broken configuration.
PROBLEMS_MAX = 10
URL = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:\S+\s*\Z")

FAILED = ("Failed to process limits: processor threw an exception.\n\n%s\n\n"
          "Please report this as a bug.")


class LimitProcessor:
    """Takes the place of the class of that name in pScheduler 5.2.

    source      the limit configuration: an open file, its text, the name of a
                file or directory; None: there are no limits
    timeout     how many seconds a decision may take; None: as long as it does
    options     are those of Engine

    A configuration with problems raises ValueError, as pScheduler expects it; the
    PolicyError with all that was found is its __cause__.  Notes and warnings of one
    that loads are in 'notes', and are logged by the logger "limen".
    """

    def __init__(self, source: Any = None, *, timeout: Any = None, **options: Any) -> None:
        self._timeout = timeout
        self._engine: Optional[Engine] = None
        #: The notes and warnings of the load.
        self.notes: list[Problem] = []
        if source is None:
            return
        engine = Engine(**options)
        try:
            self.notes = _load(engine, source)
            _log(self.notes)
            engine.wait_ready(READY_WAIT)
        except PolicyError as error:
            engine.close()
            raise ValueError(_summary(error)) from error
        except BaseException:
            engine.close()
            raise
        self._engine = engine

    @property
    def inert(self) -> bool:
        """Are there no limits?"""
        return self._engine is None

    def process(self, task: Any, hints: Any, rewrite: bool = True, prioritize: bool = False
                ) -> tuple[bool, Optional[str], Any, Optional[float]]:
        """Decide about a task.

        Return whether it passes; the diagnostics; the task that the rewriter made,
        or None; the priority, or None.
        """
        if self._engine is None:
            return True, NO_LIMITS, None, None
        try:
            decision = self._engine.decide(task, hints=hints, rewrite=bool(rewrite),
                                           prioritize=bool(prioritize), timeout=self._timeout)
            return (decision.admitted, decision.diagnostics, decision.rewritten,
                    decision.priority)
        except Exception:
            return False, FAILED % traceback.format_exc(), task, None

    def close(self) -> None:
        """Free what the processor holds; garbage is freed too."""
        if self._engine is not None:
            self._engine.close()


def _load(engine: Engine, source: Any) -> list[Problem]:
    if hasattr(source, "read"):
        # The name of a file that was opened by its number is that number.
        name = getattr(source, "name", None)
        text = source.read()
        _refuse_url(text)
        return engine.load_text(text, name if isinstance(name, str) else None)
    if isinstance(source, str) and source.lstrip()[:1] == "{":
        return engine.load_text(source)
    if isinstance(source, str):
        _refuse_url(source)
    path = os.fspath(source)
    try:
        with open(path, "rb") as file:
            _refuse_url(file.read(4096))
    except OSError:
        pass  # a directory, or a file that the engine reports
    return engine.load(path)


def _refuse_url(text: Any) -> None:
    if isinstance(text, (bytes, bytearray, memoryview)):
        text = bytes(text).decode("utf-8", "replace")
    if isinstance(text, str) and URL.match(text):
        raise ValueError("Invalid limit configuration: it is a URL, which only the programs of "
                         "limen fetch, such as limend --policy URL: fetch it first")


def _summary(error: PolicyError) -> str:
    """Say what is wrong in words for requesters: no files, notes or warnings."""
    found = ["At %s: %s" % (problem.pointer or "/", problem.text)
             if problem.pointer is not None else problem.text
             for problem in error.problems if problem.severity == "error"]
    if not found:
        found = [str(error.args[0])]
    if len(found) > PROBLEMS_MAX:
        found[PROBLEMS_MAX:] = ["and %d more" % (len(found) - PROBLEMS_MAX)]
    text = "\n".join(found)
    prefix = "Invalid limit configuration: "
    return text if prefix in text else prefix + text


def _log(notes: list[Problem]) -> None:
    logger = logging.getLogger("limen")
    for note in notes:
        missing = note.severity == "note" and "no task can pass" in note.text
        logger.log(logging.WARNING if missing or note.severity == "warning" else logging.INFO,
                   "%s", note)
