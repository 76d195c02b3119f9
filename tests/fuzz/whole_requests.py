# SPDX-License-Identifier: Apache-2.0
"""Random requests on a socket of limend, held against what python3-h11 reads from the same bytes.

Bytes that one of them takes for another number of requests, or for another body, are how requests
are smuggled.  limend may refuse more than h11, but it then ends the connection.

usage: whole_requests.py [SEED [CASES]]; without CASES for $FUZZ_SECONDS (60).
"""
import os
import random
import select
import sys
import time

sys.path.insert(0, os.path.join(os.environ["LIMEN_SRCDIR"], "tests/daemon"))

from kit import *  # noqa: E402

try:
    import h11
except ImportError:
    print("1..0 # SKIP there is no python3-h11")
    sys.exit(0)

# ---- what is sent ----

NAMES = [b"X", b"Content-Length", b"Transfer-Encoding", b"Content-Type", b"Host", b"", b" X", b"X ",
         b"X\x00", b"Connection", b"Cookie", b"content-length", b"Content_Length", b"X\x80"]
VALUES = [b"", b"x", b"0", b"5", b"05", b"+5", b"5, 5", b"5x", b"-1", b"chunked", b"CHUNKED",
          b"gzip, chunked", b"chunked, chunked", b"identity", b"a b", b"a\tb ", b"a\x00b", b"a\rb",
          b"\x1b", b"close", b"99999999999999999999", b"0x5", b"\xff"]
LINES = [b": x", b":", b":: x", b"nonsense", b" folded", b"\tfolded", b"X", b"GET /livez HTTP/1.1",
         b"POST /echo HTTP/1.1", b"Content-Length", b": Content-Length: 5", b"\x00: x", b"\r: x"]
BODIES = [b"", b"hello", b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", b"5\r\nhello\r\n0\r\n\r\n", b"\r\n\r\n"]
VERSIONS = [b"HTTP/1.1"] * 12 + [b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"http/1.1", b"HTTP/1.1 ", b""]
TARGETS = [b"/echo"] * 12 + [b"/livez", b"/echo?a=b", b"/e\x00cho", b"/e cho", b"/echo\x00", b"",
                              b"http://localhost/echo", b"http://other/echo", b"*"]


def chunk(pick, body):
    size = b"%x" % len(body)
    size = pick([size] * 8 + [size.upper(), b"0" + size, b"+" + size, size + b" ", b"0x" + size, b"",
                              size + b";a=b", size + b";a=\"\r\n\"", b"1" + b"0" * 16])
    return size + b"\r\n" + body + pick([b"\r\n"] * 8 + [b"", b"\n", b"xx\r\n"])


def make_request(pick):
    body = pick(BODIES)
    lines = [pick([b"POST"] * 8 + [b"GET", b"BREW", b"PO ST", b"P:ST"]) + b" " +
             pick(TARGETS) + b" " + pick(VERSIONS), b"Host: localhost"]
    if pick([True, False]):
        lines.append(b"Transfer-Encoding: chunked")
        trailer = pick([b""] * 4 + [b"A: b\r\n", b": x\r\n", b"A: b\r\n: x\r\n"])
        sent = (chunk(pick, body) if body else b"") + b"0\r\n" + trailer + b"\r\n"
    else:
        lines.append(b"Content-Length: %d" % len(body))
        sent = body
    for _ in range(pick([0, 0, 0, 1, 1, 2])):
        line = pick(LINES) if pick([True, False]) else pick(NAMES) + b":" + pick([b"", b" "]) + pick(VALUES)
        lines.insert(pick(range(1, len(lines) + 1)), line)
    return b"\r\n".join(lines) + b"\r\n\r\n" + sent


# ---- what h11 reads ----

def read_with_h11(text):
    """Returns the (method, target, body) of complete requests, whether an error or the end of the
    connection follows, and the request in which the error is, if its body has begun."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(text)
    found = []
    begun = None
    try:
        while True:
            event = connection.next_event()
            if event in (h11.NEED_DATA, h11.PAUSED):
                return found, event is h11.PAUSED, None
            if isinstance(event, h11.Request):
                begun, body = event, b""
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                found.append((begun.method, begun.target, body))
                connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                connection.send(h11.EndOfMessage())
                begun = None
                if connection.their_state is not h11.DONE or connection.our_state is not h11.DONE:
                    return found, True, None
                connection.start_next_cycle()
            else:
                return found, True, None
    except h11.RemoteProtocolError:
        return found, True, begun and (begun.method, begun.target, body)


# ---- what limend answers ----

def split_answers(text):
    """The whole answers at the start of 'text'."""
    found = []
    while b"\r\n\r\n" in text:
        head, rest = text.split(b"\r\n\r\n", 1)
        status = int(head.split(b" ", 2)[1])
        headers = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
        length = int(headers.get(b"content-length", b"0"))
        if status == 100:
            text = rest
            continue
        if len(rest) < length:
            break
        found.append((status, rest[:length], headers.get(b"connection", b"").strip() == b"close"))
        text = rest[length:]
    return found


def ask_limend(daemon, text, pieces, wanted, open_end):
    """Returns the answers, and whether the connection ended.  'open_end': it is not known whether
    one more is to come."""
    received = b""
    with daemon.connect() as connection:
        for piece in pieces:
            try:
                connection.sendall(text[:piece])
            except OSError:
                break
            text = text[piece:]
        while True:
            enough = len(split_answers(received)) >= wanted
            wait = 0.05 if enough and open_end else 0.005 if enough else PATIENCE
            if not select.select([connection], [], [], wait)[0]:
                return split_answers(received), False
            try:
                part = connection.recv(65536)
            except OSError:
                part = b""
            if not part:
                return split_answers(received), True
            received += part


def checksum(body):
    total = 0
    for byte in body:
        total = (total * 31 + byte) & 0xffffffff
    return total


def differ(requests, broken, answers, ended):
    """Says how the two differ; None: they do not.  What is broken behind its body may be answered
    if nothing else is read then."""
    if broken is not None and len(answers) == len(requests) + 1 and answers[-1][2]:
        requests = requests + [broken]
    for i, (status, body, closes) in enumerate(answers):
        if i >= len(requests) and (status < 400 or not closes):
            return "answer %d is to no request" % (i + 1)
        if i > len(requests):
            return "there are %d answers to %d requests" % (len(answers), len(requests))
        if status < 400 and requests[i][0] == b"POST":
            seen = json.loads(body)
            if (seen["length"], seen["sum"]) != (len(requests[i][2]), checksum(requests[i][2])):
                return "the body of request %d is another one" % (i + 1)
    if len(answers) < len(requests) and not ended:
        return "there are %d answers to %d requests" % (len(answers), len(requests))
    return None


def try_one(daemon, number):
    pick = random.Random(number).choice
    text = b"".join(make_request(pick) for _ in range(pick([1, 2, 2, 3])))
    requests, ends, broken = read_with_h11(text)
    cut = pick([len(text), len(text), pick(range(len(text)))])
    answers, ended = ask_limend(daemon, text, [cut, len(text) - cut], len(requests), ends)
    why = differ(requests, broken, answers, ended)
    if why is not None:
        is_true("case %d" % number, False, "%s\nsent: %r\nh11: %r\nlimend: %r" % (why, text, requests, answers))
    return why is None


seed = int(sys.argv[1]) if len(sys.argv) > 1 else int(time.time())
most = int(sys.argv[2]) if len(sys.argv) > 2 else None
end = time.monotonic() + int(os.environ.get("FUZZ_SECONDS", "60"))
daemon = Daemon("--client-timeout", "60")
tried = wrong = 0
while tried < most if most is not None else time.monotonic() < end:
    wrong += not try_one(daemon, seed * 1000000 + tried)
    tried += 1
    if wrong >= 10:
        break
is_true("limend and h11 read the same requests", wrong == 0, "%d of %d cases differ" % (wrong, tried))
is_equal("limend ends in order", daemon.end(), 0)
print("# fuzz: whole_requests: %d inputs from seed %d" % (tried, seed))
finish(by_status=True)
