# SPDX-License-Identifier: Apache-2.0
"""Requests of the library, made from Python values.  Private."""

from __future__ import annotations

import datetime
import json
from ctypes import byref, c_void_p, sizeof
from typing import Any, Callable, Iterable, Mapping

from ._library import (EINVAL, ENOMEM, FIELDS, HTTP, OBJECT, OK, TASK, QuestionOptions, give_text,
                       library)
from ._problems import Diag
from .errors import RequestError

SUBJECTS = {"task": TASK, "object": OBJECT, "http": HTTP}
FIELD_NUMBERS = {name: number for number, name in enumerate(FIELDS)}
MICROSECONDS = 1000000
MICROSECOND = datetime.timedelta(microseconds=1)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def to_json(value: Any) -> bytes:
    """Return JSON text of a value; bytes are JSON text already."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    try:
        return json.dumps(value).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError("this is no JSON value: %s" % error) from error


def to_microseconds(seconds: Any, name: str) -> int:
    """Return a number of seconds, a timedelta or a datetime in microseconds."""
    if isinstance(seconds, datetime.datetime):
        if seconds.tzinfo is None:
            raise ValueError("%s: a datetime without a time zone" % name)
        seconds = seconds - EPOCH
    if isinstance(seconds, (str, bytes)) or seconds is None:
        raise TypeError("%s is a number of seconds, a timedelta or an aware datetime, not %r" %
                        (name, seconds))
    if isinstance(seconds, datetime.timedelta):
        count = seconds // MICROSECOND
    else:
        try:
            count = round(seconds * MICROSECONDS)
        except OverflowError as error:
            raise ValueError("%s: %s" % (name, error)) from error
    if not -2 ** 63 <= count < 2 ** 63:
        raise ValueError("%s is out of range" % name)
    return count


def to_iso(value: Any) -> Any:
    """Return a time or a duration as ISO 8601 text."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        whole, part = divmod(value // MICROSECOND, MICROSECONDS)
        return "PT%d.%06dS" % (whole, part)
    return value


def check(result: int, what: str) -> None:
    """Raise what a result other than LIMEN_OK stands for."""
    if result == ENOMEM:
        raise MemoryError
    if result != OK:
        raise RequestError("%s: %s" % (what, library.limen_result_text(result).decode()))


def read(function: Callable[..., int], pointer: int, value: Any, what: str) -> None:
    """Let a function of the library read a document."""
    text = to_json(value)
    with Diag() as diag:
        result = function(pointer, text, len(text), diag)
        if result == EINVAL:
            raise RequestError("%s cannot be read" % what, diag.read())
    check(result, what)


def read_value(text: bytes, name: bytes, what: str, take: Callable[..., int]) -> None:
    """Let 'take', which gets a Value and a list of problems, read JSON text."""
    documents = c_void_p()
    with Diag() as diag:
        result = library.limen_documents_parse(name, text, len(text), 0, byref(documents), diag)
        if result == OK:
            result = take(library.limen_documents_get(documents, 0), diag)
            library.limen_documents_free(documents)
        if result == EINVAL:
            raise RequestError("%s cannot be read" % what, diag.read())
    check(result, what)


class Request:
    """A limen_request for one decision: "with Request(subject) as request"."""

    def __init__(self, subject: str) -> None:
        if subject not in SUBJECTS:
            raise ValueError("the subject is 'task', 'object' or 'http', not %r" % (subject,))
        self._subject = SUBJECTS[subject]

    def __enter__(self) -> Request:
        self.pointer = library.limen_request_new(self._subject)
        if not self.pointer:
            raise MemoryError
        return self

    def __exit__(self, *_: Any) -> None:
        library.limen_request_free(self.pointer)

    def set_document(self, document: Any) -> None:
        """Set the task, the object or the HTTP request."""
        if self._subject != HTTP:
            read(library.limen_request_parse, self.pointer, document, "the document")
            return
        options = QuestionOptions(size=sizeof(QuestionOptions), trusted=True)
        read_value(to_json(document), b"http.json", "the HTTP request", lambda value, diag:
                   library.limen_http_fill(self.pointer, value, byref(options), diag))

    def set_old(self, document: Any) -> None:
        """Set the object as it was."""
        read(library.limen_request_parse_old, self.pointer, document, "the old object")

    def set_hints(self, hints: Mapping[str, Any]) -> None:
        """Set hints, replacing those of the same names; values may be of any type."""
        read_value(to_json(dict(hints)), b"hints.json", "the hints", lambda value, _:
                   library.limen_request_set_hints(self.pointer, value))

    def set_fields(self, fields: Mapping[str, str]) -> None:
        """Set the texts of the envelope."""
        for name, text in fields.items():
            if name not in FIELD_NUMBERS:
                raise ValueError("there is no field %r" % (name,))
            check(library.limen_request_set_field(self.pointer, FIELD_NUMBERS[name],
                                                  give_text(text)), name)

    def add_groups(self, groups: Iterable[str]) -> None:
        """Add the groups of the user."""
        if isinstance(groups, str):
            raise TypeError("groups: a list of str is needed, not one str")
        for group in groups:
            check(library.limen_request_add_group(self.pointer, give_text(group)), "groups")

    def set_run(self, start: Any, duration: Any) -> None:
        """Make the task a run."""
        check(library.limen_request_set_run(self.pointer, give_text(to_iso(start)),
                                            give_text(to_iso(duration))), "run")

    def set_times(self, time: Any, timeout: Any) -> None:
        """Set the decision time and how long the decision may take."""
        if time is not None:
            library.limen_request_set_now(self.pointer, to_microseconds(time, "time"))
        if timeout is not None:
            library.limen_request_set_timeout(self.pointer, to_microseconds(timeout, "timeout"))

    def set_switches(self, dry_run: bool, manifest: bool) -> None:
        """Set what is yes or no."""
        library.limen_request_set_dry_run(self.pointer, bool(dry_run))
        library.limen_request_set_manifest(self.pointer, bool(manifest))
