# SPDX-License-Identifier: Apache-2.0
"""The shared library as ctypes sees it.  Private.

Finds liblimen, checks that it is one this package knows, and declares the
functions and structs of the public headers; tests/python/layout.py compares the
structs with what a C compiler makes of the headers.
"""

from __future__ import annotations

import ctypes
import datetime
import json
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int,
                    c_int64, c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Optional

from .errors import Error, LibraryError

SONAME = "liblimen.so.1"

# The ABI this package is written for (docs/abi.md): this major number, and this
# minor number or a later one.
ABI_MAJOR, ABI_MINOR = 1, 0

OK, EINVAL, ENOMEM, ENOPOLICY = 0, -1, -2, -7
WITHOUT_POLICY, PASSIVE, WATCH, MEMORY_STORES = 1, 2, 4, 8
FOREIGN_TEXTS, FOREIGN_POLICIES = 16, 32
TASK, OBJECT, HTTP = 0, 1, 2
SUBJECT_NAMES = ("task", "object", "http")

LOG_LEVELS = ("error", "warning", "info", "debug")
PHASES = {None: 0, "mutate": 1, "validate": 2, "workload": 3}
FIELDS = ("uid", "user", "operation", "namespace", "name", "generate_name", "group", "version",
          "kind", "requested_group", "requested_version", "requested_kind", "resource_group",
          "resource_version", "resource", "subresource")

LogFunction: Any = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
ReloadedFunction: Any = CFUNCTYPE(None, c_void_p, c_int, c_void_p)


class EngineOptions(Structure):
    _fields_ = [("size", c_size_t), ("module_path", c_char_p), ("cache_dir", c_char_p),
                ("flags", c_uint), ("log", LogFunction), ("log_data", c_void_p),
                ("reloaded", ReloadedFunction), ("reloaded_data", c_void_p),
                ("manifest_namespace", c_char_p)]


class DecideOptions(Structure):
    _fields_ = [("size", c_size_t), ("rewrite", c_int), ("prioritize", c_int),
                ("diagnostics", c_bool), ("trace", c_bool), ("origins", c_bool),
                ("phase", c_int), ("timeout", c_int64), ("since", c_int64),
                ("describe", c_void_p), ("describe_data", c_void_p)]


class QuestionOptions(Structure):
    _fields_ = [("size", c_size_t), ("requester", c_char_p), ("server", c_char_p),
                ("trusted", c_bool), ("dry_run", c_bool), ("incomplete", c_bool),
                ("subject", c_int), ("timeout", c_int64), ("default_namespace", c_char_p),
                ("more_members", c_void_p)]


class Value(Structure):
    _fields_ = [("document", c_void_p), ("node", c_void_p)]


class ProblemRecord(Structure):
    _fields_ = [("severity", c_int), ("file", c_char_p), ("line", c_uint), ("column", c_uint),
                ("pointer", c_char_p), ("text", c_char_p), ("hint", c_char_p)]


class ViolationRecord(Structure):
    _fields_ = [("violation_class", c_int), ("field", c_char_p), ("message", c_char_p),
                ("detail", c_char_p)]


class QuotaRecord(Structure):
    _fields_ = [("name", c_char_p), ("quota", c_int64), ("window", c_int64),
                ("remaining", c_int64), ("reset", c_int64), ("kind", c_int), ("unit", c_int)]


# ---- modules (limen/module.h, limen/option.h) ----

class Strings(Structure):
    _fields_ = [("items", POINTER(c_char_p)), ("count", c_size_t)]


class OptionRow(Structure):
    _fields_ = [("type", c_uint32), ("offset", c_uint32), ("rows", c_void_p),
                ("row_size", c_uint32), ("key", c_char_p), ("required", c_bool),
                ("minimum_count", c_uint32), ("minimum", c_int64), ("maximum", c_int64),
                ("pattern", c_char_p), ("fallback", c_char_p), ("choices", POINTER(c_char_p)),
                ("help", c_char_p), ("note", c_char_p), ("secret", c_bool),
                ("reserved", c_uint8 * 7)]


class Choice(str):
    """Stands for a word of a list in OPTION_TYPES."""


# What a Python type is to the library: its limen_option_type and the field that it fills.
OPTION_TYPES: dict[Any, tuple[int, Any]] = {
    str: (1, c_char_p), list: (2, Strings), int: (3, c_int64), float: (6, c_double),
    bool: (7, c_bool), datetime.timedelta: (8, c_int64), Choice: (12, c_int), object: (16, Value)}

OpenFunction = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
CloseFunction = CFUNCTYPE(None, c_void_p)
MethodFunction = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
PrioritizeFunction = CFUNCTYPE(c_int, c_void_p, c_void_p, c_double, c_void_p)

HEAD: list[Any] = [
    ("abi_major", c_uint32), ("abi_minor", c_uint32), ("kind", c_uint32), ("size", c_uint32),
    ("name", c_char_p), ("option_size", c_uint32), ("instance_size", c_uint32),
    ("flags", c_uint64), ("version", c_char_p), ("summary", c_char_p),
    ("options", POINTER(OptionRow)), ("init", c_void_p), ("open", OpenFunction),
    ("close", CloseFunction), ("status", c_void_p), ("reserved", c_void_p * 4)]


# The number of a kind, and the functions of its descriptor.
METHODS: dict[str, tuple[int, dict[str, Any]]] = {
    "identifier": (1, {"identify": MethodFunction, "identify_now": c_void_p}),
    "rewriter": (2, {"rewrite": MethodFunction}),
    "limit": (3, {"check": MethodFunction}),
    "admission": (4, {"mutate": MethodFunction, "validate": MethodFunction, "ready": c_void_p}),
    "prioritizer": (5, {"prioritize": PrioritizeFunction})}

# The number of a kind, and its descriptor.
DESCRIPTORS: dict[str, tuple[int, Any]] = {
    kind: (number, type(kind, (Structure,), {"_fields_": HEAD + list(methods.items())}))
    for kind, (number, methods) in METHODS.items()}

ERROR, PASS, FAIL, SKIP = 0, 1, 2, 3
MODULE_BLOCKING = 2
SEVERITY_PROBLEM = 2

# Texts that the caller frees are pointers here: ctypes would lose their address.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "limen_version": (c_char_p, POINTER(c_uint), POINTER(c_uint)),
    "limen_result_text": (c_char_p, c_int),
    "limen_diag_new": (c_void_p,),
    "limen_diag_free": (None, c_void_p),
    "limen_diag_get": (POINTER(ProblemRecord), c_void_p, c_size_t),
    "limen_diag_add": (None, c_void_p, c_int, Value, c_char_p),
    "limen_documents_parse": (c_int, c_char_p, c_char_p, c_size_t, c_uint, POINTER(c_void_p),
                              c_void_p),
    "limen_documents_get": (Value, c_void_p, c_size_t),
    "limen_documents_free": (None, c_void_p),
    "limen_engine_new": (c_void_p, POINTER(EngineOptions)),
    "limen_engine_free": (None, c_void_p),
    "limen_engine_add_module": (c_int, c_void_p, c_void_p, c_void_p),
    "limen_engine_load": (c_int, c_void_p, c_char_p, c_void_p),
    "limen_engine_load_files": (c_int, c_void_p, POINTER(c_char_p), c_size_t, c_void_p),
    "limen_engine_load_text": (c_int, c_void_p, c_char_p, c_char_p, c_size_t, c_void_p),
    "limen_engine_reload": (c_int, c_void_p, c_void_p),
    "limen_engine_wait_ready": (c_bool, c_void_p, c_int64),
    "limen_engine_may_block": (c_bool, c_void_p),
    "limen_engine_describe": (c_void_p, c_void_p, c_uint, POINTER(c_size_t)),
    "limen_engine_decide": (c_int, c_void_p, c_void_p, POINTER(DecideOptions),
                            POINTER(c_void_p)),
    "limen_request_new": (c_void_p, c_int),
    "limen_request_free": (None, c_void_p),
    "limen_request_parse": (c_int, c_void_p, c_char_p, c_size_t, c_void_p),
    "limen_request_parse_old": (c_int, c_void_p, c_char_p, c_size_t, c_void_p),
    "limen_http_fill": (c_int, c_void_p, Value, POINTER(QuestionOptions), c_void_p),
    "limen_request_set_run": (c_int, c_void_p, c_char_p, c_char_p),
    "limen_request_set_hints": (c_int, c_void_p, Value),
    "limen_request_set_field": (c_int, c_void_p, c_int, c_char_p),
    "limen_request_add_group": (c_int, c_void_p, c_char_p),
    "limen_request_set_now": (None, c_void_p, c_int64),
    "limen_request_set_timeout": (None, c_void_p, c_int64),
    "limen_request_set_dry_run": (None, c_void_p, c_bool),
    "limen_request_set_manifest": (None, c_void_p, c_bool),
    "limen_request_subject": (c_int, c_void_p),
    "limen_request_now": (c_int64, c_void_p),
    "limen_request_time_left": (c_int64, c_void_p),
    "limen_request_is_dry_run": (c_bool, c_void_p),
    "limen_request_hints": (Value, c_void_p),
    "limen_request_document": (Value, c_void_p),
    "limen_request_original": (Value, c_void_p),
    "limen_request_old": (Value, c_void_p),
    "limen_request_field": (c_char_p, c_void_p, c_int),
    "limen_request_has_classifier": (c_bool, c_void_p, c_char_p),
    "limen_value_to_json": (c_void_p, Value, c_uint, POINTER(c_size_t)),
    "limen_reply_reason": (None, c_void_p, c_char_p),
    "limen_reply_violation": (None, c_void_p, c_int, c_char_p, c_char_p),
    "limen_reply_detail": (None, c_void_p, c_char_p),
    "limen_reply_priority": (None, c_void_p, c_double),
    "limen_reply_replace": (None, c_void_p, c_char_p, c_size_t),
    "limen_reply_changed": (None, c_void_p, c_char_p),
    "limen_decision_free": (None, c_void_p),
    "limen_decision_admitted": (c_bool, c_void_p),
    "limen_decision_code": (c_int, c_void_p),
    "limen_decision_reason": (c_char_p, c_void_p),
    "limen_decision_entry": (c_char_p, c_void_p),
    "limen_decision_diagnostics": (c_char_p, c_void_p),
    "limen_decision_violation": (POINTER(ViolationRecord), c_void_p, c_size_t),
    "limen_decision_quota": (POINTER(QuotaRecord), c_void_p, c_size_t),
    "limen_decision_to_json": (c_void_p, c_void_p, c_uint, POINTER(c_size_t)),
}


def find_names() -> list[str]:
    """Return what to try to load: $LIMEN_LIBRARY alone, or first what is installed beside us."""
    told = os.environ.get("LIMEN_LIBRARY")
    if told:
        return [told]
    # This file is PREFIX/lib/pythonX.Y/site-packages/limen/_library.py.
    beside = Path(__file__).resolve().parents[3] / SONAME
    return [str(beside), SONAME] if beside.is_file() else [SONAME]


def open_library(names: list[str]) -> ctypes.CDLL:
    """Load the first library that is there."""
    reasons = []
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            reasons.append(str(error))
    raise LibraryError(
        "liblimen cannot be loaded: %s.  Is limen installed (on Debian: liblimen1), and did "
        "ldconfig run?  LIMEN_LIBRARY names a library elsewhere." % "; ".join(reasons))


def declare(loaded: ctypes.CDLL) -> None:
    """Give every function its types."""
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise LibraryError("%s has no %s: it is another liblimen than this package is for"
                               % (loaded._name, name)) from None
        function.restype, function.argtypes = result, arguments


def check_version(loaded: ctypes.CDLL) -> str:
    """Return the version of the library, whose ABI must be one we know."""
    major, minor = c_uint(), c_uint()
    version: str = loaded.limen_version(byref(major), byref(minor)).decode()
    if major.value != ABI_MAJOR or minor.value < ABI_MINOR:
        raise LibraryError("%s is liblimen %s with ABI %d.%d; this package needs ABI %d.%d"
                           % (loaded._name, version, major.value, minor.value, ABI_MAJOR,
                              ABI_MINOR))
    return version


library = open_library(find_names())
declare(library)
VERSION = check_version(library)

_free = ctypes.CDLL(None).free
_free.restype, _free.argtypes = None, [c_void_p]


def take_text(pointer: Optional[int], length: c_size_t) -> bytes:
    """Copy a text that is ours to free, and free it."""
    if not pointer:
        raise MemoryError
    try:
        return ctypes.string_at(pointer, length.value)
    finally:
        _free(pointer)


def read_text(data: Optional[bytes]) -> Optional[str]:
    """Return a text of the library, or None."""
    return None if data is None else data.decode("utf-8", "replace")


def give_text(text: Optional[str]) -> Optional[bytes]:
    """Return a text for the library, which would take a NUL for its end."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError("a str is needed, not %s" % type(text).__name__)
    data = text.encode("utf-8")
    if b"\0" in data:
        raise ValueError("a NUL in %r" % text)
    return data


def give_any(text: str) -> bytes:
    """Return a text for the library that may have anything in it, such as that of an error."""
    return text.replace("\0", "?").encode("utf-8", "replace")


def load_json(text: bytes, what: str) -> Any:
    """Return the value of JSON text of the library.

    Documents may hold what Python does not read: numbers of more than 4300 digits, or
    more levels than it recurses.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Error("%s cannot be read: %s" % (what, error)) from error


def read_value(value: Value, what: str) -> Any:
    """Return a limen_value as a Python value; None for none."""
    length = c_size_t()
    if not value.document:
        return None
    return load_json(take_text(library.limen_value_to_json(value, 0, byref(length)), length), what)
