# SPDX-License-Identifier: Apache-2.0
"""Who uses an engine of the library, so that it is freed when nobody does.  Private.

limen_engine_free() must not run while anything else uses the engine, nor on one
of its own threads, nor in a process that was forked from the one that made it,
which does not have these threads.
"""

from __future__ import annotations

import os
import threading
from typing import Any, Callable, Optional

from ._library import EINVAL, library
from .errors import Error

_thread = threading.local()

# How long the end of the interpreter waits for threads that still decide.  Then
# the engine is left alone: the process ends anyway.
LAST_WAIT = 10.0


# Stands for all engines: several may share a module.
EVERY = object()


def call_back(handle: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the user, which must not use the engine."""
    before = getattr(_thread, "handle", None)
    _thread.handle = handle
    try:
        return function(*arguments)
    finally:
        _thread.handle = before


def call_module(function: Callable[[], int], fail: Callable[[BaseException], int]) -> int:
    """Call a function of a module; return what it returns, or for an exception fail(exception).

    If fail() fails, too, that is EINVAL, which is no verdict either: an error.
    KeyboardInterrupt and the like are raised again where Python called the engine, if
    that was on this thread.
    """
    try:
        return int(call_back(EVERY, function))
    except BaseException as error:
        if not isinstance(error, Exception):
            _thread.raised = error
        try:
            return fail(error)
        except BaseException as another:
            # ctypes would return whatever is on the stack.
            if not isinstance(another, Exception):
                _thread.raised = another
            return EINVAL


class Handle:
    """The pointer, for "with handle as pointer" by any number of threads."""

    def __init__(self, pointer: int, options: Any) -> None:
        self.options = options
        self._pointer: Optional[int] = pointer
        self._process = os.getpid()
        self._users = 0
        self._condition = threading.Condition()

    def __enter__(self) -> int:
        if getattr(_thread, "handle", None) is EVERY:
            raise Error("a function of a module must not use an engine")
        if getattr(_thread, "handle", None) is self:
            raise Error("a callback of an engine must not use it")
        if os.getpid() != self._process:
            raise Error("the engine was made by process %d, before a fork" % self._process)
        with self._condition:
            if self._pointer is None:
                raise Error("the engine is closed")
            self._users += 1
            return self._pointer

    def __exit__(self, *_: Any) -> None:
        with self._condition:
            self._users -= 1
            if self._users == 0:
                self._condition.notify_all()
        raised = _thread.__dict__.pop("raised", None)
        if raised is not None:
            raise raised

    def close(self, timeout: Optional[float] = None) -> None:
        """Free the engine as soon as nobody uses it; nobody can begin to any more."""
        if os.getpid() != self._process:
            return
        if getattr(_thread, "handle", None) is EVERY:
            # The call that this thread is in may use the engine.
            threading.Thread(target=self.close, args=(timeout,)).start()
            return
        with self._condition:
            pointer, self._pointer = self._pointer, None
            if pointer is None or not self._condition.wait_for(lambda: not self._users, timeout):
                return
        if getattr(_thread, "handle", None) is self:
            # The garbage collector came by on a thread that we would wait for.
            threading.Thread(target=self._free, args=(pointer,)).start()
        else:
            self._free(pointer)

    # A method, since the library calls into the options until it is done.
    def _free(self, pointer: int) -> None:
        library.limen_engine_free(pointer)
        self.options = None

    def finish(self) -> None:
        """As close(), when the engine is garbage or the interpreter ends."""
        self.close(LAST_WAIT)
