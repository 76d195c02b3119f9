# SPDX-License-Identifier: Apache-2.0
"""What the tests of the gate share: a policy, raw questions, and a parser of structured fields."""
import re

from kit import *

TYPE = "https://iana.org/assignments/http-problem-types#quota-exceeded"

# Addresses of the loopback network stand for clients.
BANNED, STAFF, BOSS, SOMEBODY = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"

POLICY = {
    "identifiers": [
        {"name": "banned", "type": "ip-cidr-list", "data": {"cidrs": [BANNED, "192.0.2.66"]}},
        {"name": "staff", "type": "ip-cidr-list", "data": {"cidrs": [STAFF, "192.0.2.33"]}},
        {"name": "boss", "type": "header", "data": {"name": "x-user", "exact": "boss"}},
        {"name": "all", "type": "always"}],
    "classifiers": [
        {"name": "banned", "identifiers": ["banned"]},
        {"name": "staff", "identifiers": ["staff"]},
        {"name": "boss", "identifiers": ["boss"]},
        {"name": "all", "identifiers": ["all"]}],
    "limits": [
        {"name": "never", "type": "pass-fail", "data": {"pass": False}},
        {"name": "admin", "type": "route", "data": {"routes": ["* /admin/**"]}, "invert": True},
        {"name": "per-client", "type": "rate", "data": {"rate": "3/hour", "key": ["requester"]}},
        {"name": "per-token", "type": "rate",
         "data": {"rate": "1000/hour", "key": ["header:authorization"]}}],
    "applications": [
        {"classifier": "banned", "apply": ["never"], "stop-on-failure": True},
        {"classifier": "staff", "apply": ["admin"]},
        {"classifier": "boss", "apply": []},
        {"classifier": "all", "apply": ["admin", "per-client", "per-token"]}],
}


def parse_list(text):
    """A list of strings with parameters that are integers (RFC 9651, 4.2.1), strictly."""
    found = []
    at = 0
    while True:
        member = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"').match(text, at)
        if not member:
            raise ValueError("no string at %d in %r" % (at, text))
        at = member.end()
        parameters = {}
        while at < len(text) and text[at] == ";":
            one = re.compile(r"; *([a-z*][a-z0-9_.*-]*)=(-?[0-9]{1,15})(?![0-9.])").match(text, at)
            if not one:
                raise ValueError("no parameter at %d in %r" % (at, text))
            parameters[one.group(1)] = int(one.group(2))
            at = one.end()
        found.append((re.sub(r"\\(.)", r"\1", member.group(1)), parameters))
        if at == len(text):
            return found
        comma = re.compile(r"[ \t]*,[ \t]*(?=[^ \t])").match(text, at)
        if not comma:
            raise ValueError("no comma at %d in %r" % (at, text))
        at = comma.end()


def is_limited(name, answer, body=True):
    """Is it a 429 with all that a client is told?"""
    headers = {} if answer is None else answer.headers
    try:
        policy = dict(parse_list(headers.get("ratelimit-policy", "")))
        left = dict(parse_list(headers.get("ratelimit", "")))
        wait = int(headers.get("retry-after", ""))
        good = (answer.status == 429 and policy["per-client"] == {"q": 3, "w": 3600} and
                left["per-client"]["r"] == 0 and 1 <= left["per-client"]["t"] <= wait <= 3600)
    except (KeyError, ValueError) as reason:
        return is_true(name, False, (reason, answer))
    problem = answer.json() if body else None
    if body:
        good = (good and headers["content-type"] == "application/problem+json" and
                problem.get("type") == TYPE and problem.get("status") == 429 and
                problem.get("violated-policies") == ["per-client"])
    return is_true(name, good and "no-store" in headers.get("cache-control", "no-store"), answer)
