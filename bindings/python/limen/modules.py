# SPDX-License-Identifier: Apache-2.0
"""Functions of the program as modules, which a policy names as it names those of files.

    def office(request, options):
        if options["from"] <= request.now.hour < options["to"]:
            return True
        return "only from %d to %d o'clock" % (options["from"], options["to"])

    Engine("limits.yaml", modules=[limit("office", check=office, options=[
        option("from", int, default=8), option("to", int, default=18)])])

A function returns True (pass, identified), False or a text (fail, and why), or SKIP
(no opinion).  An exception means that it cannot tell, and so does None.  Functions run
on any thread, and must not use an engine.
"""

from __future__ import annotations

import datetime
import json
import logging
import math
import traceback
from ctypes import Structure, addressof, c_char_p, sizeof
from types import MappingProxyType
from typing import Any, Callable, Final, Iterable, Mapping, Optional, Sequence, Union

from . import _library
from ._handle import call_module
from ._library import (EINVAL, ERROR, FAIL, FIELDS, OK, OPTION_TYPES, PASS, Choice, OptionRow,
                       Value, give_any, give_text, library, read_text, read_value)
from ._request import EPOCH, MICROSECOND, to_iso, to_microseconds
from .decision import CLASSES, Violation
from .errors import Error

MAXIMUM = 2 ** 63 - 1

logger = logging.getLogger("limen")

# Descriptors stay as they are until the process ends, because the library keeps them.
_kept: list[Module] = []


class _Skip:
    """The type of SKIP."""

    def __repr__(self) -> str:
        return "limen.SKIP"


#: What a function returns that has no opinion.
SKIP: Final = _Skip()

Options = Mapping[str, Any]
Verdict = Union[bool, str, _Skip]


def _part(function: Any, what: str, doc: str) -> Any:
    return property(lambda request: request._value(function, what), doc=doc)


class Request:
    """What is decided, as a function of a module sees it: for the time of the call."""

    def __init__(self, pointer: int) -> None:
        self._pointer: Optional[int] = pointer
        self._values: dict[str, Any] = {}

    def _alive(self) -> int:
        if self._pointer is None:
            raise Error("the call is over: the request can no longer be read")
        return self._pointer

    @property
    def subject(self) -> str:
        """"task", "object" or "http"."""
        return _library.SUBJECT_NAMES[library.limen_request_subject(self._alive())]

    def _value(self, function: Any, what: str) -> Any:
        # Before Python 3.12 cached_property has a lock, which all requests share.
        if what not in self._values:
            self._values[what] = read_value(function(self._alive()), what)
        return self._values[what]

    document: Any = _part(library.limen_request_document, "the document",
                          "The newest task, object or HTTP request, a value of its own.")
    original: Any = _part(library.limen_request_original, "the original document",
                          "The document as it was received.")
    old: Any = _part(library.limen_request_old, "the old object",
                     "The object as it was before the operation, or None.")
    hints: Any = _part(library.limen_request_hints, "the hints",
                       "A dictionary: requester, server and others.")

    @property
    def now(self) -> datetime.datetime:
        """The time of the decision, in UTC; never ask the clock, so that replays work."""
        return EPOCH + library.limen_request_now(self._alive()) * MICROSECOND

    @property
    def time_left(self) -> float:
        """How many seconds the decision may take yet; inf if there is no bound."""
        left: int = library.limen_request_time_left(self._alive())
        return math.inf if left == MAXIMUM else left / 1e6

    @property
    def dry_run(self) -> bool:
        """Is nothing to be charged?"""
        return bool(library.limen_request_is_dry_run(self._alive()))

    def field(self, name: str) -> Optional[str]:
        """Return a text of the envelope, such as "user" or "namespace", or None."""
        return read_text(library.limen_request_field(self._alive(), FIELDS.index(name)))

    def has_classifier(self, name: str) -> bool:
        """Is the request in this class?  Not known yet to identifiers."""
        return bool(library.limen_request_has_classifier(self._alive(), give_text(name)))


class Option:
    """A row of the options of a module, which the library checks when a policy loads.

    type     str, int, float, bool, list (of str), datetime.timedelta, or object (any JSON
             value)
    default  the value if the policy has none; without it that is None, 0, False or []
    minimum, maximum  bounds of numbers, which are whole, and of durations
    pattern  a regular expression for the whole of a str, or of each in a list
    choices  the words that a str may be; the first is the default
    secret   messages never show the value
    help     one sentence, for "limen explain" and for messages
    """

    def __init__(self, key: str, type: Any = str, *, required: bool = False, default: Any = None,
                 minimum: Any = None, maximum: Any = None, pattern: Optional[str] = None,
                 choices: Sequence[str] = (), secret: bool = False, help: str = "") -> None:
        self.key, self.kind = key, Choice if choices else type
        if self.kind not in OPTION_TYPES:
            raise TypeError("the type of an option is str, int, float, bool, list, "
                            "datetime.timedelta or object, not %r" % (type,))
        self._required, self._default, self._bounds = required, default, [minimum, maximum]
        self._pattern, self._choices, self._secret, self._help = pattern, choices, secret, help

    def fill(self, to: OptionRow, offset: int) -> None:
        """Write the row as the library reads it."""
        default, bounds = self._default, self._bounds
        if self.kind is datetime.timedelta:
            bounds = [bound if bound is None else to_microseconds(bound, self.key)
                      for bound in bounds]
            default = to_iso(default)
        elif self.kind is Choice and default is None and not self._required:
            default = self._choices[0]
        elif self.kind not in (str, Choice) and default is not None:
            default = json.dumps(default)
        to.type, to.offset, to.key = OPTION_TYPES[self.kind][0], offset, give_text(self.key)
        to.required, to.secret = self._required, self._secret
        to.pattern, to.fallback = give_text(self._pattern), give_text(default)
        to.help = give_text(self._help)
        if bounds != [None, None]:
            to.minimum = -MAXIMUM if bounds[0] is None else bounds[0]
            to.maximum = MAXIMUM if bounds[1] is None else bounds[1]
        if self.kind is Choice:
            words = [give_text(word) for word in self._choices] + [None]
            to.choices = (c_char_p * len(words))(*words)

    def read(self, field: Any) -> Any:
        """Return the value of a field that the library has filled."""
        if self.kind is Choice:
            return self._choices[field]
        if self.kind is datetime.timedelta:
            return field * MICROSECOND
        if self.kind is object:
            return read_value(field, self.key)
        if self.kind is list:
            return [read_text(field.items[i]) for i in range(field.count)]
        return read_text(field) if self.kind is str else field


option = Option


class Module:
    """A module for Engine(modules=[...]); made by limit() and its siblings."""

    def __init__(self, kind: str, name: str, methods: Mapping[str, Any], *,
                 options: Iterable[Option], open: Optional[Callable[[Options], Any]],
                 blocking: bool, version: str, summary: Optional[str]) -> None:
        functions = {key: call for key, call in methods.items() if call is not None}
        if not functions or not all(map(callable, functions.values())):
            raise TypeError("%s must be a function" % " or ".join(methods))
        self.kind, self.name = kind, name
        self._states: dict[int, Any] = {}
        self._options, self._user_open = list(options), open
        self._layout: Any = type("Instance", (Structure,), {"_fields_": [
            ("f%d" % i, OPTION_TYPES[row.kind][1]) for i, row in enumerate(self._options)]})
        rows = (OptionRow * (len(self._options) + 1))()
        for i, row in enumerate(self._options):
            row.fill(rows[i], getattr(self._layout, "f%d" % i).offset)
        number, struct = _library.DESCRIPTORS[kind]
        self.descriptor = struct(
            abi_major=_library.ABI_MAJOR, abi_minor=_library.ABI_MINOR, kind=number,
            size=sizeof(struct), name=give_text(name), option_size=sizeof(OptionRow),
            instance_size=sizeof(self._layout),
            flags=_library.MODULE_BLOCKING if blocking else 0, version=give_text(version),
            summary=give_text(summary or _first_line(*functions.values())), options=rows,
            open=_library.OpenFunction(self._open), close=_library.CloseFunction(self._close))
        for key, call in functions.items():
            setattr(self.descriptor, key, self._method(key, call))

    def keep(self) -> int:
        """Return the address of the descriptor, which stays until the process ends."""
        if self not in _kept:
            _kept.append(self)
        return addressof(self.descriptor)

    def _open(self, instance: int, _opening: int, diag: int) -> int:
        def run() -> int:
            fields = self._layout.from_address(instance)
            values = MappingProxyType({row.key: row.read(getattr(fields, "f%d" % i))
                                       for i, row in enumerate(self._options)})
            self._states[instance] = self._user_open(values) if self._user_open else values
            return OK

        def fail(error: BaseException) -> int:
            text = give_any(str(error)) if isinstance(error, ValueError) else _explain(error)
            library.limen_diag_add(diag, _library.SEVERITY_PROBLEM, Value(), b"%s", text)
            return EINVAL

        return call_module(run, fail)

    def _close(self, instance: int) -> None:
        self._states.pop(instance, None)

    def _method(self, key: str, call: Callable[..., Any]) -> Any:
        def decide(instance: int, pointer: int, reply: int, *initial: float) -> int:
            request = Request(pointer)

            def run() -> int:
                return FINISHES[key](reply, call(request, self._states[instance], *initial))

            def fail(error: BaseException) -> int:
                library.limen_reply_reason(reply, b"%s", _explain(error))
                return ERROR

            try:
                return call_module(run, fail)
            finally:
                request._pointer = None

        if key != "prioritize":
            return _library.MethodFunction(decide)
        return _library.PrioritizeFunction(lambda instance, pointer, initial, reply:
                                           decide(instance, pointer, reply, initial))


def _explain(error: BaseException) -> bytes:
    """Log where an exception comes from, and return its last line."""
    logger.error("a function of a module failed", exc_info=error)
    return give_any(traceback.format_exception_only(type(error), error)[-1].strip())


def _first_line(function: Callable[..., Any], *_: Any) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0] if lines else "A function in Python"


# ---- what a function returned ----

def _finish(reply: int, answer: Any) -> int:
    if answer is SKIP:
        return _library.SKIP
    if isinstance(answer, str):
        if answer:
            library.limen_reply_reason(reply, b"%s", give_any(answer))
        return FAIL
    if isinstance(answer, bool):
        return PASS if answer else FAIL
    raise TypeError("the function returned %r, not True, False, a text or SKIP" % (answer,))


def _finish_change(reply: int, answer: Any) -> int:
    if not isinstance(answer, dict):
        return _finish(reply, answer)
    text = json.dumps(answer).encode("ascii")
    library.limen_reply_replace(reply, text, len(text))
    library.limen_reply_changed(reply, None)
    return PASS


CLASS_NUMBERS = {word: number for number, word in CLASSES.items()}


def _finish_validation(reply: int, answer: Any) -> int:
    if isinstance(answer, str):
        answer = [Violation("forbidden", None, answer, None)]
    if not isinstance(answer, list):
        return _finish(reply, answer)
    for violation in answer:
        number = CLASS_NUMBERS.get(violation.violation_class)
        if number is None:
            raise ValueError("violation_class cannot be %r" % (violation.violation_class,))
        field = None if violation.field is None else give_any(violation.field)
        library.limen_reply_violation(reply, number, field, b"%s", give_any(violation.message))
        if violation.detail is not None:
            library.limen_reply_detail(reply, b"%s", give_any(violation.detail))
    return FAIL if answer else PASS


def _finish_priority(reply: int, answer: Any) -> int:
    if isinstance(answer, bool) or not isinstance(answer, (int, float)):
        raise TypeError("the function returned %r, not a number" % (answer,))
    library.limen_reply_priority(reply, float(answer))
    return PASS


FINISHES: dict[str, Callable[[int, Any], int]] = {
    "identify": _finish, "check": _finish, "rewrite": _finish_change, "mutate": _finish_change,
    "validate": _finish_validation, "prioritize": _finish_priority}


# ---- one of each kind ----

Check = Callable[[Request, Any], Verdict]
Change = Callable[[Request, Any], Union[Verdict, "dict[str, Any]"]]


def identifier(name: str, identify: Check, *, options: Iterable[Option] = (),
               open: Optional[Callable[[Options], Any]] = None, blocking: bool = False,
               version: str = "1.0", summary: Optional[str] = None) -> Module:
    """Return an identifier: does the requester belong to a category?

    identify  called with a Request and the options, a read-only dictionary
    options   rows made by option()
    open      called with the options when a policy loads; what it returns takes their place,
              and a ValueError is a problem of the policy
    blocking  it waits for a network or a disk
    summary   one line for "limen module list"; by default the first of the function's doc
    """
    return Module("identifier", name, {"identify": identify}, options=options, open=open,
                  blocking=blocking, version=version, summary=summary)


def limit(name: str, check: Check, *, options: Iterable[Option] = (),
          open: Optional[Callable[[Options], Any]] = None, blocking: bool = False,
          version: str = "1.0", summary: Optional[str] = None) -> Module:
    """Return a limit: is the request within it?  The arguments are those of identifier()."""
    return Module("limit", name, {"check": check}, options=options, open=open,
                  blocking=blocking, version=version, summary=summary)


def rewriter(name: str, rewrite: Change, *, options: Iterable[Option] = (),
             open: Optional[Callable[[Options], Any]] = None, blocking: bool = False,
             version: str = "1.0", summary: Optional[str] = None) -> Module:
    """Return a rewriter, whose function returns the changed task, or True if it may stay."""
    return Module("rewriter", name, {"rewrite": rewrite}, options=options, open=open,
                  blocking=blocking, version=version, summary=summary)


def admission(name: str, *, mutate: Optional[Change] = None,
              validate: Optional[Callable[[Request, Any], Union[Verdict, list[Violation]]]] = None,
              options: Iterable[Option] = (), open: Optional[Callable[[Options], Any]] = None,
              blocking: bool = False, version: str = "1.0",
              summary: Optional[str] = None) -> Module:
    """Return an admission plugin: 'mutate' returns the changed object, or True if it may stay;
    'validate' True, a text, or a list of Violation, empty if nothing is wrong."""
    return Module("admission", name, {"mutate": mutate, "validate": validate}, options=options,
                  open=open, blocking=blocking, version=version, summary=summary)


def prioritizer(name: str, prioritize: Callable[[Request, Any, float], float], *,
                options: Iterable[Option] = (),
                open: Optional[Callable[[Options], Any]] = None, blocking: bool = False,
                version: str = "1.0", summary: Optional[str] = None) -> Module:
    """Return a prioritizer, whose function also gets the priority so far, and returns one."""
    return Module("prioritizer", name, {"prioritize": prioritize}, options=options, open=open,
                  blocking=blocking, version=version, summary=summary)
