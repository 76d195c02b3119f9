#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
dns_outage.py LIMEND - new requesters while the name server is silent: many at once, then a steady
stream through limend, with a script as a limit and without, then threads of the Python package.  Each
decision must be what "fail-result" says, none a 503, and the 99th percentile must stay below the timeout
and 0.3 s.  PYTHONPATH and
LIMEN_MODULE_PATH name the build to be measured; exits with 1 if something is wrong.
"""
import argparse
import asyncio
import collections
import json
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
hole.bind(("127.0.0.1", 0))


def policy(fail, timeout, script=False):
    """Admits whom the silent zone identifies; with 'script', on a worker."""
    yes = {"type": "jq", "data": {"script": "true"}} if script else {"type": "pass-fail", "data": {"pass": True}}
    made = {
        "schema": 4,
        "identifiers": [{"name": "bogons", "type": "ip-cymru-bogon", "data": {
            "fail-result": fail, "timeout": "PT%gS" % timeout,
            "server": "127.0.0.1:%d" % hole.getsockname()[1]}},
            {"name": "all", "type": "always", "data": {}}],
        "classifiers": [{"name": "bogons", "identifiers": ["bogons"]},
                        {"name": "others", "identifiers": ["all"]}],
        "limits": [dict(yes, name="yes"),
                   {"name": "no", "type": "pass-fail", "data": {"pass": False}}],
        "applications": [
            {"classifier": "bogons", "stop-on-failure": True,
             "apply": [{"require": "all", "limits": ["yes" if fail else "no"]}]},
            {"classifier": "others", "apply": [{"require": "all", "limits": ["no" if fail else "yes"]}]}]}
    for section in ("identifiers", "classifiers", "limits", "applications"):
        for entry in made[section]:
            entry["description"] = "an outage"
    return made


def requester(i):
    return "11.%d.%d.%d" % (i >> 16, i >> 8 & 255, i & 255)


async def ask(port, i, found, ready=None):
    """Asks once all of those at once are connected, if it is one of them."""
    body = json.dumps({"task": {"test": {"type": "rtt", "spec": {}}},
                       "hints": {"requester": requester(i)}}).encode()
    start = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if ready is not None:
            await ready()
        start = time.monotonic()
        writer.write(b"POST /v1/decide HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                     b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                     % (len(body), body))
        text = await reader.read()
        found.append((text, time.monotonic() - start))
        writer.close()
    except OSError as error:
        found.append((error, time.monotonic() - start))


def name(answer):
    """The status, the code and the verdict of an answer, read when all have come."""
    if not isinstance(answer, bytes):
        return str(answer)
    head, _, rest = answer.partition(b"\r\n\r\n")
    decision = json.loads(rest)
    return "%s %s %s" % (head.split()[1].decode(), decision.get("code"), decision.get("admitted"))


def judge(title, found, timeout):
    kinds = collections.Counter(name(answer) for answer, _ in found)
    times = sorted(seconds for _, seconds in found)
    late = times[len(times) * 99 // 100]
    good = set(kinds) == {"200 200 True"} and late < timeout + 0.3
    print("%s: %s, p50 %.2f s, p99 %.2f s, worst %.2f s%s"
          % (title, dict(kinds), times[len(times) // 2], late, times[-1], "" if good else ": WRONG"))
    return good


async def through_limend(port, args):
    found = []
    connected = 0
    all_connected = asyncio.Event()

    async def ready():
        nonlocal connected
        connected += 1
        if connected == args.at_once:
            all_connected.set()
        await all_connected.wait()

    await asyncio.gather(*(ask(port, i, found, ready) for i in range(args.at_once)))
    good = judge("%d at once" % args.at_once, found, args.timeout)
    found = []
    tasks = []
    start = time.monotonic()
    for i in range(int(args.rate * args.seconds)):
        tasks.append(asyncio.ensure_future(ask(port, args.at_once + i, found)))
        await asyncio.sleep(max(0, start + (i + 1) / args.rate - time.monotonic()))
    await asyncio.gather(*tasks)
    return judge("%g a second for %g s" % (args.rate, args.seconds), found, args.timeout) and good


def with_limend(args, fail, script):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(policy(fail, args.timeout, script), file)
        file.flush()
        daemon = subprocess.Popen([args.limend, "--policy", file.name, "--listen", "127.0.0.1:0",
                                   "--trust-hints-from", "127.0.0.1"] + args.options,
                                  stderr=subprocess.PIPE, text=True)
        port = None
        while port is None:
            line = daemon.stderr.readline()
            if not line:
                sys.exit("limend does not start")
            if "127.0.0.1:" in line:
                port = int(line.split("127.0.0.1:")[1].split()[0].strip("/,"))
        threading.Thread(target=daemon.stderr.read, daemon=True).start()
        try:
            return asyncio.run(through_limend(port, args))
        finally:
            daemon.terminate()
            daemon.wait()


def with_python(args, fail):
    import limen
    processor = limen.LimitProcessor(json.dumps(policy(fail, args.timeout)))
    found = []

    def decide(i):
        start = time.monotonic()
        answer = processor.process({"test": {"type": "rtt", "spec": {}}},
                                   {"requester": requester(1000000 + i)})
        found.append(("200 200 True" if answer[0] else answer[1], time.monotonic() - start))

    threads = [threading.Thread(target=decide, args=(i,)) for i in range(args.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return judge("%d threads of the Python package" % args.threads, found, args.timeout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("limend")
    parser.add_argument("options", nargs="*", help="options of limend, after --")
    parser.add_argument("--at-once", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--threads", type=int, default=128)
    parser.add_argument("--timeout", type=float, default=2)
    args = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    good = True
    for fail in (True, False):
        for script in (False, True):
            print("fail-result %s%s:" % (str(fail).lower(), ", with a script" if script else ""))
            good = with_limend(args, fail, script) and good
        if args.threads > 0:
            good = with_python(args, fail) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
