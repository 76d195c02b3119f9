# SPDX-License-Identifier: Apache-2.0
"""Modules that do what they should not: one that leaks, and some that sleep past the deadline."""
from kit import *

LEAK = 100 * 1024
DECISIONS = 400


def policy(identifier=None, limit=None):
    """'identifier' and 'limit' are data of the modules "verdict"; None: everybody, and no limit."""
    made = dict(PASSING, applications=[{"classifier": "all", "apply": [{"require": "all", "limits": []}]}])
    if identifier:
        made["identifiers"] = [
            {"name": "all", "description": "", "type": "verdict", "data": identifier}]
    if limit:
        made["limits"] = [{"name": "l", "type": "verdict", "data": limit}]
        made["applications"][0]["apply"] = [{"require": "all", "limits": ["l"]}]
    return made


def question(answer):
    return request("POST", "/v1/decide", json.dumps(
        {"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"answer": answer}}).encode(),
        ["Content-Type: application/json"])


def start(*options, **parts):
    return Daemon("--trust-hints-from", "127.0.0.0/8", *options, program=LIMEND,
                  policy=policy(**parts))


def code(answer):
    return answer and answer.json() and answer.json().get("code")


# ---- one that leaks ----


def resident(daemon):
    found = ask(daemon, request("GET", "/metrics")).body
    return float(re.search(r"^process_resident_memory_bytes (\S+)", found, re.M).group(1))


daemon = start(limit={"from-hint": "answer", "leak": LEAK})
before = resident(daemon)
wanted, found = [], []
with daemon.connect() as connection:
    for number in range(DECISIONS):
        answer, right = [("pass", 200), ("fail", 403), ("error", 500)][number % 3]
        connection.sendall(question(answer))
        wanted.append(right)
        found.append(code(read_answer(connection)))
is_equal("a module that leaks changes no decision", found, wanted)
if os.environ.get("SANITIZE_CFLAGS", "").strip():
    skip("and shows in the memory of the process", "sanitizers keep much more")
else:
    # limend looks at itself once a second.
    is_true("and shows in the memory of the process", wait_for(
        lambda: 0.9 < (resident(daemon) - before) / (LEAK * DECISIONS) < 2, 10),
            (before, resident(daemon)))
is_equal("it ends in order", daemon.end(), 0)

# ---- ones that sleep ----


def measure(daemon):
    """How long a decision took and its code, and how long /livez took that was asked for meanwhile."""
    with daemon.connect() as slow, daemon.connect() as quick:
        begin = time.monotonic()
        slow.sendall(question("pass"))
        time.sleep(0.2)
        quick.sendall(request("GET", "/livez"))
        is_equal("/livez is answered", read_answer(quick).status, 200)
        alive = time.monotonic() - begin
        answer = read_answer(slow)
        return time.monotonic() - begin, code(answer), alive


def sleepy(seconds, blocking):
    return {"verdict": "pass", "sleep": "PT%dS" % seconds, "blocking": blocking}


# As slow as a machine may be that has much else to do, and far from what the module sleeps.
SOON = 10

daemon = start("--timeout", "0.5", "--threads", "1", identifier=sleepy(40, True))
took, found, alive = measure(daemon)
is_equal("an identifier that may block and sleeps past the deadline is an error", found, 500)
is_true("that is answered after half of the time", 0.25 <= took < SOON, took)
is_true("and holds up nobody else", alive < SOON, alive)
daemon.signal(signal.SIGKILL)
daemon.wait()

daemon = start("--timeout", "0.5", "--threads", "1", limit=sleepy(4, True))
took, found, alive = measure(daemon)
is_true("a limit that may block and sleeps past the deadline is waited for", took >= 4, took)
is_equal("and what it says counts", found, 200)
is_true("by a worker, so that it holds up nobody else", alive < 4, alive)
daemon.end()

daemon = start("--timeout", "0.5", "--threads", "1", limit=sleepy(4, False))
took, found, alive = measure(daemon)
is_true("one that says it does not block is waited for, too", took >= 4, took)
is_equal("and what it says counts, too", found, 200)
is_true("it holds its thread, and who has connections there", alive >= 4, alive)
is_equal("no longer than it sleeps", ask(daemon, request("GET", "/livez")).status, 200)
daemon.end()

# ---- one that calls exit(0) ----

daemon = start(limit={"verdict": "pass", "exits": True})
with daemon.connect() as connection:
    connection.sendall(question("pass"))
    is_equal("a module that calls exit() ends limend, so that it is started again", daemon.wait(), 1)
is_true("and the log names it", "limit/verdict.so called exit()" in daemon.said() or
        "limit/.libs/verdict.so called exit()" in daemon.said(), daemon.said())

# ---- one that crashes in a decision ----

daemon = start(limit={"verdict": "pass", "ends": "abort"})
with daemon.connect() as connection:
    connection.sendall(question("pass"))
    is_equal("a module that aborts ends limend by that signal", daemon.wait(), -signal.SIGABRT)
is_true("and is named before", re.search(r"the module /\S+/verdict\.so crashed: Aborted",
                                         daemon.said()), daemon.said())

# ---- one that crashes when it is opened ----

daemon = Daemon("--log-level", "debug", program=LIMEND, wait=False,
                policy=policy(limit={"verdict": "pass", "open": "abort"}))
is_equal("a module that crashes ends limend", daemon.wait(), -signal.SIGABRT)
is_true("and the last line of the debug log names it",
        "opening the module limit/verdict" in daemon.said().splitlines()[-2], daemon.said())
is_true("as does the line after it",
        "verdict.so crashed: Aborted" in daemon.said().splitlines()[-1], daemon.said())
finish()
