# SPDX-License-Identifier: Apache-2.0
"""Load a policy, and decide requests under it."""

from __future__ import annotations

import json
import os
import weakref
from ctypes import byref, c_char_p, c_size_t, c_void_p, sizeof
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Union

from ._handle import Handle, call_back
from ._library import (EINVAL, ENOMEM, ENOPOLICY, FOREIGN_POLICIES, FOREIGN_TEXTS, LOG_LEVELS,
                       MEMORY_STORES, OK, PASSIVE, PHASES, WATCH, WITHOUT_POLICY, DecideOptions,
                       EngineOptions, LogFunction, ReloadedFunction, give_text, library,
                       read_text, take_text)
from ._problems import Diag, read_problems
from ._request import Request, check, to_microseconds
from .decision import Decision
from .errors import NoPolicyError, PolicyError, Problem
from .modules import Module

if TYPE_CHECKING:
    import datetime

    Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
    Duration = Union[int, float, datetime.timedelta]
    Time = Union[int, float, datetime.datetime]

SWITCHES = {None: 0, True: 1, False: 2}


def _number(numbers: Mapping[Any, int], word: Any, name: str) -> int:
    if word not in numbers:
        raise ValueError("%s cannot be %r" % (name, word))
    return numbers[word]


def _path(path: Path) -> bytes:
    data = os.fsencode(path)
    if b"\0" in data:
        raise ValueError("a NUL in %r" % (path,))
    return data


def _result_text(result: int) -> str:
    return str(library.limen_result_text(result).decode())


def _finish_load(result: int, diag: Diag) -> list[Problem]:
    """Return what a load found, or raise why it failed."""
    if result == ENOMEM:
        raise MemoryError
    if result == ENOPOLICY:
        raise NoPolicyError(_result_text(result))
    if result != OK:
        raise PolicyError(_result_text(result), diag.read())
    return diag.read()


class Engine:
    """Decides requests under a policy; any number of threads may use one.

    policy       load this file or directory at once
    module_path  look for modules in these directories first, ":" between them;
                 by default what LIMEN_MODULE_PATH says
    cache_dir    where modules keep what they download
    watch        load again when files of the policy change
    passive      never work in the background: to look at a policy only
    without_policy  admit everything until a policy is to be loaded; if that fails,
                 decide nothing
    memory_stores   count in memory whatever stores the policy names
    foreign_texts   refuse texts that name directories of modules ("modules"), whose
                 code would be run: for texts that others write
    foreign_policies  so with files
    namespace    of LimitRange manifests that name none
    modules      functions of this program that a policy may name: limit() and its siblings
    log          called as log(level, source, text); the level is "error",
                 "warning", "info" or "debug"
    reloaded     called after each reload that 'watch' did, with None or with the
                 PolicyError why the old policy stays

    Callbacks run on threads of the engine, and must not use it.
    """

    def __init__(self, policy: Optional[Path] = None, *, module_path: Optional[Path] = None,
                 cache_dir: Optional[Path] = None, watch: bool = False, passive: bool = False,
                 without_policy: bool = False, memory_stores: bool = False,
                 foreign_texts: bool = False, foreign_policies: bool = False,
                 namespace: Optional[str] = None, modules: Iterable[Module] = (),
                 log: Optional[Callable[[str, Optional[str], str], Any]] = None,
                 reloaded: Optional[Callable[[Optional[PolicyError]], Any]] = None) -> None:
        if module_path is None:
            module_path = os.environ.get("LIMEN_MODULE_PATH") or None
        # The callbacks know the handle by this, as it is made after them, and
        # nothing that lives as long as the handle refers to the engine.
        handle: list[Handle] = []
        options = EngineOptions(
            size=sizeof(EngineOptions),
            module_path=None if module_path is None else _path(module_path),
            cache_dir=None if cache_dir is None else _path(cache_dir),
            flags=(WATCH if watch else 0) | (PASSIVE if passive else 0) |
                  (WITHOUT_POLICY if without_policy else 0) |
                  (MEMORY_STORES if memory_stores else 0) |
                  (FOREIGN_TEXTS if foreign_texts else 0) |
                  (FOREIGN_POLICIES if foreign_policies else 0),
            log=_log_callback(log, handle), reloaded=_reloaded_callback(reloaded, handle),
            manifest_namespace=give_text(namespace))
        pointer = library.limen_engine_new(byref(options))
        if not pointer:
            raise MemoryError
        self._handle = Handle(pointer, options)
        handle.append(self._handle)
        self._finalizer = weakref.finalize(self, self._handle.finish)
        #: The notes and warnings of the load that 'policy' asked for.
        self.notes: list[Problem] = []
        try:
            for module in modules:
                self._add_module(module)
            if policy is not None:
                self.notes = self.load(policy)
        except BaseException:
            self.close()
            raise

    def _add_module(self, module: Module) -> None:
        if not isinstance(module, Module):
            raise TypeError("a module is made by limen.limit() and its siblings, not %r" % module)
        with self._handle as pointer, Diag() as diag:
            result = library.limen_engine_add_module(pointer, module.keep(), diag)
            if result == EINVAL:
                raise ValueError("two modules are the %s %r" % (module.kind, module.name))
            _finish_load(result, diag)

    def load(self, *paths: Path) -> list[Problem]:
        """Load a file or directory, or several that are one policy together.

        Return the notes and warnings.  Raise PolicyError with all problems if it
        cannot be loaded; then the policy in force stays.
        """
        if not paths:
            raise TypeError("load() needs a path")
        names = [_path(path) for path in paths]
        with self._handle as pointer, Diag() as diag:
            if len(names) == 1:
                result = library.limen_engine_load(pointer, names[0], diag)
            else:
                array = (c_char_p * len(names))(*names)
                result = library.limen_engine_load_files(pointer, array, len(names), diag)
            return _finish_load(result, diag)

    def load_text(self, text: Union[str, bytes], name: Optional[str] = None) -> list[Problem]:
        """Load a policy from text; 'name' is for messages."""
        data = text.encode("utf-8") if isinstance(text, str) else bytes(memoryview(text))
        with self._handle as pointer, Diag() as diag:
            return _finish_load(library.limen_engine_load_text(
                pointer, give_text(name), data, len(data), diag), diag)

    def reload(self) -> list[Problem]:
        """Load again what was loaded last."""
        with self._handle as pointer, Diag() as diag:
            return _finish_load(library.limen_engine_reload(pointer, diag), diag)

    def wait_ready(self, timeout: Duration) -> bool:
        """Wait until modules have tried to download what they need, for some seconds at most.

        Return whether they have.
        """
        with self._handle as pointer:
            return bool(library.limen_engine_wait_ready(pointer,
                                                        to_microseconds(timeout, "timeout")))

    @property
    def may_block(self) -> bool:
        """May a decision wait for the network?"""
        with self._handle as pointer:
            return bool(library.limen_engine_may_block(pointer))

    def describe(self) -> Any:
        """Return what is loaded, with its places and the state of every instance."""
        length = c_size_t()
        with self._handle as pointer:
            return json.loads(take_text(
                library.limen_engine_describe(pointer, 0, byref(length)), length))

    def decide(self, document: Any, *, subject: str = "task",
               hints: Optional[Mapping[str, Any]] = None, rewrite: Optional[bool] = None,
               prioritize: Optional[bool] = None,
               run: Optional[tuple[Union[str, datetime.datetime],
                                   Union[str, datetime.timedelta]]] = None,
               time: Optional[Time] = None, timeout: Optional[Duration] = None,
               dry_run: bool = False, manifest: bool = False,
               fields: Optional[Mapping[str, str]] = None, groups: Iterable[str] = (),
               old: Any = None, phase: Optional[str] = None, diagnostics: bool = True,
               trace: bool = False, origins: bool = False) -> Decision:
        """Decide about a task, an object or an HTTP request, and return a Decision.

        document    the task, object or HTTP request (method, scheme, host, path, query,
                    headers, client): a value, or JSON text as bytes
        subject     "task", "object" or "http"; the document's content never says
        hints       a dictionary: requester, server and others
        rewrite     rewrite it?  None: unless it is a run
        prioritize  give a priority?  None: if it is a run
        run         (start, duration) makes the task a run: ISO 8601 texts, or a
                    datetime and a timedelta
        time        decide as of this time: an aware datetime, or seconds since 1970
        timeout     how many seconds the decision may take
        dry_run     charge no rate
        manifest    the object is as its author wrote it; no API server has seen it
        fields      texts of the envelope: user, operation, namespace, kind, ...
        groups      the groups of the user
        old         the object before the operation
        phase       "mutate" or "validate": that half of the admission chain only;
                    "workload": what becomes of the pods of a workload
        diagnostics make pScheduler's account
        trace       record every module that runs
        origins     record where changed values come from

        Refusing, and failing to tell, are decisions.  RequestError: the document
        or the hints cannot be read.  NoPolicyError: there is no policy.
        """
        options = DecideOptions(
            size=sizeof(DecideOptions), rewrite=_number(SWITCHES, rewrite, "rewrite"),
            prioritize=_number(SWITCHES, prioritize, "prioritize"),
            diagnostics=bool(diagnostics), trace=bool(trace), origins=bool(origins),
            phase=_number(PHASES, phase, "phase"))
        with Request(subject) as request:
            request.set_document(document)
            if hints:
                request.set_hints(hints)
            if run is not None:
                request.set_run(*run)
            if fields:
                request.set_fields(fields)
            request.add_groups(groups)
            if old is not None:
                request.set_old(old)
            request.set_times(time, timeout)
            request.set_switches(dry_run, manifest)
            return self._decide(request, options)

    def _decide(self, request: Request, options: DecideOptions) -> Decision:
        decision = c_void_p()
        try:
            with self._handle as pointer:
                result = library.limen_engine_decide(pointer, request.pointer, byref(options),
                                                     byref(decision))
            if result == ENOPOLICY:
                raise NoPolicyError(_result_text(result))
            check(result, "the request")
            return Decision(decision)
        finally:
            library.limen_decision_free(decision)

    def close(self) -> None:
        """Free the engine once no thread uses it.  Not in a callback of it."""
        self._handle.close()
        self._finalizer.detach()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _log_callback(log: Any, handle: list[Handle]) -> Any:
    if log is None:
        return LogFunction()

    def call(_data: Any, level: int, source: Optional[bytes], text: bytes) -> None:
        word = LOG_LEVELS[level] if 0 <= level < len(LOG_LEVELS) else LOG_LEVELS[-1]
        call_back(handle[0] if handle else None, log, word, read_text(source), read_text(text))

    return LogFunction(call)


def _reloaded_callback(reloaded: Any, handle: list[Handle]) -> Any:
    if reloaded is None:
        return ReloadedFunction()

    def call(_data: Any, result: int, diag: Any) -> None:
        error = None
        if result != OK:
            error = PolicyError(_result_text(result), read_problems(diag) if diag else [])
        call_back(handle[0] if handle else None, reloaded, error)

    return ReloadedFunction(call)
