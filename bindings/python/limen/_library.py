# SPDX-License-Identifier: Apache-2.0
"""The shared library as ctypes sees it.  Private.

Finds liblimen, checks that it is one this package knows, and declares the
functions and structs of the public headers; tests/python/layout.py compares the
structs with what a C compiler makes of the headers.
"""

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char_p, c_int, c_int64,
                    c_size_t, c_uint, c_void_p)
from pathlib import Path

from .errors import LibraryError

SONAME = "liblimen.so.1"

# The ABI this package is written for (docs/abi.md): this major number, and this
# minor number or a later one.
ABI_MAJOR, ABI_MINOR = 1, 0

OK, EINVAL, ENOMEM, ENOPOLICY = 0, -1, -2, -7
WITHOUT_POLICY, PASSIVE, WATCH, MEMORY_STORES = 1, 2, 4, 8
FOREIGN_TEXTS, FOREIGN_POLICIES = 16, 32
TASK, OBJECT, HTTP = 0, 1, 2

LOG_LEVELS = ("error", "warning", "info", "debug")
PHASES = {None: 0, "mutate": 1, "validate": 2, "workload": 3}
FIELDS = ("uid", "user", "operation", "namespace", "name", "generate_name", "group", "version",
          "kind", "requested_group", "requested_version", "requested_kind", "resource_group",
          "resource_version", "resource", "subresource")

LogFunction = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
ReloadedFunction = CFUNCTYPE(None, c_void_p, c_int, c_void_p)


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


# Texts that the caller frees are pointers here: ctypes would lose their address.
FUNCTIONS = {
    "limen_version": (c_char_p, POINTER(c_uint), POINTER(c_uint)),
    "limen_result_text": (c_char_p, c_int),
    "limen_diag_new": (c_void_p,),
    "limen_diag_free": (None, c_void_p),
    "limen_diag_get": (POINTER(ProblemRecord), c_void_p, c_size_t),
    "limen_documents_parse": (c_int, c_char_p, c_char_p, c_size_t, c_uint, POINTER(c_void_p),
                              c_void_p),
    "limen_documents_get": (Value, c_void_p, c_size_t),
    "limen_documents_free": (None, c_void_p),
    "limen_engine_new": (c_void_p, POINTER(EngineOptions)),
    "limen_engine_free": (None, c_void_p),
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


def find_names():
    """Return what to try to load: $LIMEN_LIBRARY alone, or first what is installed beside us."""
    told = os.environ.get("LIMEN_LIBRARY")
    if told:
        return [told]
    # This file is PREFIX/lib/pythonX.Y/site-packages/limen/_library.py.
    beside = Path(__file__).resolve().parents[3] / SONAME
    return [str(beside), SONAME] if beside.is_file() else [SONAME]


def open_library(names):
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


def declare(loaded):
    """Give every function its types."""
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise LibraryError("%s has no %s: it is another liblimen than this package is for"
                               % (loaded._name, name)) from None
        function.restype, function.argtypes = result, arguments


def check_version(loaded):
    """Return the version of the library, whose ABI must be one we know."""
    major, minor = c_uint(), c_uint()
    version = loaded.limen_version(byref(major), byref(minor)).decode()
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


def take_text(pointer, length):
    """Copy a text that is ours to free, and free it."""
    if not pointer:
        raise MemoryError
    try:
        return ctypes.string_at(pointer, length.value)
    finally:
        _free(pointer)


def read_text(data):
    """Return a text of the library, or None."""
    return None if data is None else data.decode("utf-8", "replace")


def give_text(text):
    """Return a text for the library, which would take a NUL for its end."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError("a str is needed, not %s" % type(text).__name__)
    data = text.encode("utf-8")
    if b"\0" in data:
        raise ValueError("a NUL in %r" % text)
    return data
