# SPDX-License-Identifier: Apache-2.0
"""A name server that answers shortly before, at, and after the end of an identifier's timeout."""
import threading

from kit import *

TIMEOUT = 5
# By the requester's last number, parts of the timeout until the answer.
PARTS = {9: 0.9, 10: 1, 11: 1.1}
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
first = {}
answered = {}


def serve():
    """Lists each requester, after its part of the time; a query may come more than once."""
    while True:
        query, address = server.recvfrom(2000)
        number = int(query[13:13 + query[12]])
        start = first.setdefault(number, time.monotonic())
        end = query.index(b"\0", 12) + 5
        reply = query[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + query[12:end] + \
            b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\2"
        threading.Timer(start + TIMEOUT * PARTS[number] - time.monotonic(), send,
                        (number, reply, address)).start()


def send(number, reply, address):
    answered.setdefault(number, time.monotonic())
    server.sendto(reply, address)


threading.Thread(target=serve, daemon=True).start()
policy = dict(PASSING, identifiers=[{"name": "all", "description": "", "type": "ip-cymru-bogon", "data": {
    "fail-result": False, "timeout": "PT%dS" % TIMEOUT,
    "server": "127.0.0.1:%d" % server.getsockname()[1]}}],
    limits=[{"name": "s", "description": "", "type": "jq", "data": {"script": "true"}}],
    applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["s"]}]}])
daemon = Daemon("--trust-hints-from", "127.0.0.1", "--timeout", "30", program=LIMEND, policy=policy)
connections = {}
start = time.monotonic()
for number in PARTS:
    body = {"task": {"test": {"type": "rtt", "spec": {}}}, "hints": {"requester": "11.0.0.%d" % number}}
    connections[number] = daemon.connect()
    connections[number].sendall(request("POST", "/v1/decide", json.dumps(body).encode(),
                                        ["Content-Type: application/json"]))
found = {number: read_answer(connection) for number, connection in connections.items()}
codes = {number: answer and answer.status == 200 and answer.json()["code"] for number, answer in found.items()}
if answered.get(9, start) - start > 0.92 * TIMEOUT:
    skip("an answer in time decides", "the machine is too slow")
else:
    is_equal("an answer in time decides", codes[9], 200)
is_true("at the end of the time, the answer or fail-result does", codes[10] in (200, 403), found[10])
is_equal("after it, fail-result does", codes[11], 403)
is_equal("SIGTERM ends limend", daemon.end(), 0)
finish()
