# SPDX-License-Identifier: Apache-2.0
"""The interface of pScheduler's own limit processor, decided by limen."""

import os
import traceback

from .engine import Engine

# Lists that a policy downloads are there when pScheduler's processor is made.  It
# waits for ever; this long is enough for servers that answer.
READY_WAIT = 60

NO_LIMITS = "No limits were applied"
FAILED = ("Failed to process limits: processor threw an exception.\n\n%s\n\n"
          "Please report this as a bug.")


class LimitProcessor:
    """Takes the place of the class of that name in pScheduler 5.2.

    source      the limit configuration: an open file, its text, the name of a
                file or directory; None: there are no limits
    timeout     how many seconds a decision may take; None: as long as it does
    options     are those of Engine

    A configuration with problems raises PolicyError.
    """

    def __init__(self, source=None, *, timeout=None, **options):
        self._timeout = timeout
        self._engine = None
        if source is None:
            return
        engine = Engine(**options)
        try:
            _load(engine, source)
            engine.wait_ready(READY_WAIT)
        except BaseException:
            engine.close()
            raise
        self._engine = engine

    @property
    def inert(self):
        """Are there no limits?"""
        return self._engine is None

    def process(self, task, hints, rewrite=True, prioritize=False):
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

    def close(self):
        """Free what the processor holds; garbage is freed too."""
        if self._engine is not None:
            self._engine.close()


def _load(engine, source):
    if hasattr(source, "read"):
        # The name of a file that was opened by its number is that number.
        name = getattr(source, "name", None)
        engine.load_text(source.read(), name if isinstance(name, str) else None)
    elif isinstance(source, str) and source.lstrip()[:1] == "{":
        engine.load_text(source)
    else:
        engine.load(os.fspath(source))
