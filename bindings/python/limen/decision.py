# SPDX-License-Identifier: Apache-2.0
"""What an engine found."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from functools import cached_property
from typing import Any, NamedTuple, Optional

from ._library import library, load_json, read_text, take_text

# A module may give a class that is none; it counts as the first.
CLASSES = {0: "forbidden", 1: "too_many", 2: "invalid"}


class Violation(NamedTuple):
    """What is wrong with an object."""

    violation_class: str      # "forbidden", "too_many" or "invalid"
    field: Optional[str]
    message: str
    detail: Optional[str] = None  # what explains it; its words may change


class Quota(NamedTuple):
    """What is left of a rate."""

    name: str        # of the limit
    quota: int       # the most that may be left
    window: int      # seconds in which an empty bucket fills
    remaining: int
    reset: int       # seconds until more is left; 0: all is


class Decision:
    """A decision.  It depends on neither the engine nor the request.

    It is true if the request is admitted, so "if engine.decide(task):" is enough.
    """

    def __init__(self, pointer: c_void_p) -> None:
        """Copy what the library found; 'pointer' stays the caller's."""
        length = c_size_t()
        #: May the request pass?
        self.admitted: bool = library.limen_decision_admitted(pointer)
        #: 200 admitted, 403 refused, 422 invalid, 429 too many, 500 could not tell.
        self.code: int = library.limen_decision_code(pointer)
        #: One line.
        self.reason: str = read_text(library.limen_decision_reason(pointer)) or ""
        #: The name in the policy of whoever refused, or None.
        self.entry = read_text(library.limen_decision_entry(pointer))
        #: pScheduler's account of a task, or None.
        self.diagnostics = read_text(library.limen_decision_diagnostics(pointer))
        #: What is wrong with an object, in the order found.
        self.violations = _read_violations(pointer)
        #: The rates of an HTTP request, with the least remaining first.
        self.quotas = _read_quotas(pointer)
        self._text = take_text(library.limen_decision_to_json(pointer, 0, byref(length)), length)

    @cached_property
    def _object(self) -> dict[str, Any]:
        return load_json(self._text, "the decision")

    def as_dict(self) -> dict[str, Any]:
        """Return the decision object that the programs of limen print."""
        return dict(self._object)

    @property
    def identifiers(self) -> list[str]:
        """The names of those who the requester is, in the order of the policy."""
        return self._object["identifiers"]

    @property
    def classifiers(self) -> list[str]:
        """The names of the classes of the request."""
        return self._object["classifiers"]

    @property
    def messages(self) -> list[str]:
        """The text of each violation, once."""
        return self._object["messages"]

    @property
    def priority(self) -> Optional[float]:
        """The priority, or None if it was not determined."""
        return self._object["priority"]

    @property
    def rewritten(self) -> Any:
        """The document that the policy made, or None if there was no such stage.

        It is there for refused requests too, to show what was refused.
        """
        return self._object["rewritten"]

    @property
    def patch(self) -> Optional[list[dict[str, Any]]]:
        """The RFC 6902 patch from the document received to that one, or None."""
        return self._object["patch"]

    @property
    def warnings(self) -> list[str]:
        """What the requester should be told besides."""
        return self._object["warnings"]

    @property
    def retry_after(self) -> Optional[float]:
        """After how many seconds to try again, or None."""
        return self._object["retry_after"]

    @property
    def details(self) -> Optional[dict[str, Any]]:
        """Of a refusal with violations: the details of a Kubernetes Status, or None."""
        return self._object.get("details")

    @property
    def annotations(self) -> dict[str, str]:
        """The audit annotations."""
        return self._object.get("annotations", {})

    @property
    def trace(self) -> list[dict[str, Any]]:
        """Every module that ran, if that was asked for."""
        return self._object.get("trace", [])

    @property
    def origins(self) -> list[dict[str, Any]]:
        """Where changed values come from, if that was asked for."""
        return self._object.get("origins", [])

    def __bool__(self) -> bool:
        return self.admitted

    def __repr__(self) -> str:
        return "<limen.Decision %d %r>" % (self.code, self.reason)


def _read_quotas(pointer: c_void_p) -> list[Quota]:
    found: list[Quota] = []
    entry = library.limen_decision_quota(pointer, 0)
    while entry:
        record = entry.contents
        found.append(Quota(read_text(record.name) or "", record.quota, record.window,
                           record.remaining, record.reset))
        entry = library.limen_decision_quota(pointer, len(found))
    return found


def _read_violations(pointer: c_void_p) -> list[Violation]:
    found: list[Violation] = []
    entry = library.limen_decision_violation(pointer, 0)
    while entry:
        record = entry.contents
        word = CLASSES.get(record.violation_class, CLASSES[0])
        found.append(Violation(word, read_text(record.field), read_text(record.message) or "",
                               read_text(record.detail)))
        entry = library.limen_decision_violation(pointer, len(found))
    return found
