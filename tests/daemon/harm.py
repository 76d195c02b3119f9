# SPDX-License-Identifier: Apache-2.0
"""Clients that are slow, broken or hostile, for soak.py."""
from traffic import *

def half_handshake(port):
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        time.sleep(0.05)


def no_tls(port):
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.recv(100)


def garbage():
    with by_unix("load.sock") as connection:
        connection.sendall(os.urandom(3000))


def cut_off():
    with by_unix("load.sock") as connection:
        connection.sendall(QUESTIONS["mutate"][:-7])


def too_large():
    with by_unix("load.sock") as connection:
        connection.sendall(request("POST", "/v1/decide", b"x" * 100001))
        connection.recv(100)


def endless():
    with by_unix("load.sock") as connection:
        connection.sendall(request("POST", "/v1/decide", None, ["Transfer-Encoding: chunked"]))
        for _ in range(100):
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")


def gone_before_the_answer():
    with by_unix("load.sock") as connection:
        connection.sendall(QUESTIONS["batch"] * 5)


def never_reads(kept=[]):
    """And trickles: shed after --client-timeout."""
    while len(kept) >= 20:
        kept.pop(0).close()
    kept.append(by_unix("load.sock"))
    kept[-1].sendall(b"POST /v1/decide HTTP/1.1\r\nHost: a\r\nX: ")
    for connection in kept:
        connection.send(b"x")


def figures():
    for target in ("/metrics", "/v1/policy", "/v1/buckets", "/readyz"):
        talk(by_unix("load.sock"), request("GET", target))


def deeds_of(port):
    return (lambda: half_handshake(port), lambda: no_tls(port), garbage, cut_off, too_large,
            endless, gone_before_the_answer, never_reads, figures)


def hostile(port, stop, out):
    count = 0
    deeds = deeds_of(port)
    while not stop.is_set():
        for deed in deeds:
            try:
                deed()
            except OSError:
                pass
            count += 1
    out.send(count)
