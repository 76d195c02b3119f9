# SPDX-License-Identifier: Apache-2.0
"""Slow scripts of one peer delay neither probes on the same port nor, for long, another peer."""
from kit import *

SLOW = {"task": {"test": {"type": "x", "spec": {"host": "a" * 60 + "!"}}}}
FAST = {"task": {"test": {"type": "rtt", "spec": {}}}}
PEERS = ("127.0.0.1", "127.0.0.2")


def connect(daemon, source):
    return socket.create_connection(("127.0.0.1", daemon.port), PATIENCE, (source, 0))


def question(body):
    return request("POST", "/v1/decide", json.dumps(body).encode(), ["Content-Type: application/json"])


script = 'if (.test.spec.host // "" | test("^(a|aa)+$")) then true else "no" end'
policy = dict(PASSING, limits=[
    {"name": "scripted", "description": "", "type": "jq", "data": {"script": script}}],
    applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["scripted"]}]}])
# The kernel makes the address of another peer only on the whole network of the loopback interface.
daemon = Daemon("--threads", "1", "--workers", "2", program=LIMEND, policy=policy)
slow = [connect(daemon, PEERS[0]) for _ in range(40)]
for connection in slow:
    connection.sendall(question(SLOW))
start = time.monotonic()
is_equal("probes on the same port are answered", ask(daemon, request("GET", "/livez")).status, 200)
other = connect(daemon, PEERS[1])
other.sendall(question(FAST))
answer = read_answer(other)
is_true("another peer has its turn", answer.status == 200, answer)
for connection in slow[1:]:
    connection.setblocking(False)
left = 0
for connection in slow[1:]:
    try:
        left += not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        left += 1
is_true("before most requests of the first", left > 20, "%d of 39 wait, after %.1f s"
        % (left, time.monotonic() - start))
for connection in slow:
    connection.close()
daemon.end()
finish()
