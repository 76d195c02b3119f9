# SPDX-License-Identifier: Apache-2.0
"""Slow scripts of one peer delay neither probes on the same port nor another peer."""
from kit import *

SLOW = {"task": {"test": {"type": "slow", "spec": {}}}}
FAST = {"task": {"test": {"type": "rtt", "spec": {}}}}
PEERS = ("127.0.0.1", "127.0.0.2")


def connect(daemon, source):
    return socket.create_connection(("127.0.0.1", daemon.port), PATIENCE, (source, 0))


def question(body, path="/v1/decide"):
    return request("POST", path, json.dumps(body).encode(), ["Content-Type: application/json"])


def count_unanswered(connections):
    left = 0
    for connection in connections:
        connection.setblocking(False)
        try:
            left += not connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            left += 1
    return left


script = 'if .test.type == "slow" then last(range(1e12)) else true end'
policy = dict(PASSING, limits=[
    {"name": "scripted", "description": "", "type": "jq", "data": {"script": script, "timeout": "PT60S"}}],
    applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["scripted"]}]}])
# The scripts take all the time of their decisions.  There are more of them than threads and processes.
# The kernel makes the address of another peer only on the whole network of the loopback interface.
daemon = Daemon("--threads", "1", "--timeout", "6", program=LIMEND, policy=policy)
slow = [connect(daemon, PEERS[0]) for _ in range(60)]
for i, connection in enumerate(slow):
    connection.sendall(question([SLOW], "/v1/decide/batch") if i % 2 else question(SLOW))
is_equal("probes on the same port are answered", ask(daemon, request("GET", "/livez")).status, 200)
other = connect(daemon, PEERS[1])
for path, body in (("/v1/decide", FAST), ("/v1/decide/batch", [FAST])):
    other.sendall(question(body, path))
    answer = read_answer(other)
    is_true("another peer has a thread and a process",
            answer is not None and answer.status == 200 and '"code":200' in answer.body, (path, answer))
    is_equal("before the first of the other is answered", count_unanswered(slow), len(slow))
for connection in slow:
    connection.close()
daemon.end()
finish()
