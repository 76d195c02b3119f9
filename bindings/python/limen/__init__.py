# SPDX-License-Identifier: Apache-2.0
"""limen: may a request pass?

    from limen import Engine

    with Engine("/etc/limen/conf.d") as engine:
        decision = engine.decide(task, hints={"requester": "192.0.2.1"})
        if not decision:
            print(decision.reason)

A pScheduler host imports LimitProcessor from here instead of its own.  Senders
of Kubernetes events find their client in limen.events.  docs/python.md is the
guide.
"""

from ._library import VERSION as LIBRARY_VERSION
from .decision import Decision, Quota, Violation
from .engine import Engine
from .errors import (Error, LibraryError, NoPolicyError, PolicyError, Problem, RequestError)
from .modules import (SKIP, Module, Option, Request, admission, identifier, limit, option,
                      prioritizer, rewriter)
from .processor import LimitProcessor

__version__ = "1.0.0"

__all__ = ["Decision", "Engine", "Error", "LIBRARY_VERSION", "LibraryError", "LimitProcessor",
           "Module", "NoPolicyError", "Option", "PolicyError", "Problem", "Quota", "Request",
           "RequestError", "SKIP", "Violation", "admission", "identifier", "limit", "option",
           "prioritizer", "rewriter"]
