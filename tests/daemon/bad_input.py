# SPDX-License-Identifier: Apache-2.0
"""What clients may send by mistake or on purpose."""
import socket
import threading

from kit import *

daemon = Daemon("--max-body", "100000", "--client-timeout", "30")
echo = request("POST", "/echo", b"hello", ["Content-Type: application/json"])


def is_refusal(found, status, words):
    """By limend in these words, or earlier by libmicrohttpd, which differs between versions."""
    if found is None or found.status != status:
        return False
    if found.json() is None:
        return found.headers.get("connection") == "close"
    return found.json().get("code") == status and words in found.json().get("message", "")


def fails(name, text, status, words, **more):
    found = ask(daemon, text, **more)
    is_true(name, is_refusal(found, status, words), found)
    return found


def goes_on(name, text, status):
    """The refused request and then a good one on the same connection."""
    with daemon.connect() as connection:
        connection.sendall(text)
        first = read_answer(connection)
        connection.sendall(echo)
        second = read_answer(connection)
    is_true(name, first is not None and first.status == status and second is not None and
            second.status == 200, (first, second))


# ---- what is right ----

found = ask(daemon, echo)
is_equal("a body arrives whole", found.json()["length"], 5)
is_equal("and has a NUL behind it", found.json()["ended"], 1)
is_equal("its type is told", found.json()["type"], "application/json")
is_equal("who asks is told", found.json()["address"], "127.0.0.1")
is_equal("and where", found.json()["local"], "127.0.0.1")
is_equal("answers are JSON", found.headers["content-type"], "application/json")
is_equal("that is not to be guessed about", found.headers["x-content-type-options"], "nosniff")
is_equal("or stored", found.headers["cache-control"], "no-store")

found = ask(daemon, request("HEAD", "/livez"), head=True)
is_true("HEAD is GET without the body",
        found.status == 200 and found.headers["content-length"] == "2", found)

found = ask(daemon, request("POST", "/echo", None, ["Transfer-Encoding: chunked"]) +
            b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n")
is_equal("a chunked body is put together", found.json()["length"], 11)

with daemon.connect() as connection:
    connection.sendall(request("POST", "/echo", None,
                               ["Content-Length: 5", "Expect: 100-continue"]))
    first = connection.recv(1000)
    connection.sendall(b"hello")
    second = read_answer(connection)
is_true("Expect: 100-continue is answered", first.startswith(b"HTTP/1.1 100 "), first)
is_equal("and the body is taken then", second.json()["length"], 5)

with daemon.connect() as connection:
    connection.sendall(echo * 50)
    found = [read_one for read_one in [connection.recv(1)]]
    text = b"".join(found)
    while text.count(b'"ended":1}') < 50:
        part = connection.recv(65536)
        if not part:
            break
        text += part
is_equal("requests that do not wait for answers are answered in order",
         text.count(b'"ended":1}'), 50)

found = ask(daemon, request("GET", "/query?a=b+c&d=%41%00%zz&e&&f=="))
is_equal("arguments are decoded", [(one["name"], one["length"]) for one in found.json()],
         [("a", 3), ("d", 5), ("e", 0), ("f", 1)])
found = ask(daemon, request("GET", "/query?a=" + "x" * 60000))
is_equal("URLs may be as long as a task", found.json()[0]["length"], 60000)

body = bytes(range(256)) * 390
found = ask(daemon, request("POST", "/echo", body))
total = 0
for byte in body:
    total = (total * 31 + byte) & 0xffffffff
is_true("all bytes of a body arrive, near the bound",
        found.json()["length"] == len(body) and found.json()["sum"] == total, found)
found = ask(daemon, request("POST", "/echo", b"x" * 100000))
is_equal("and at the bound", found.json()["length"], 100000)

# ---- paths and methods ----

fails("an unknown path", request("GET", "/nope"), 404, "path does not exist")
goes_on("costs no connection", request("GET", "/nope"), 404)
goes_on("nor does one with a body", request("POST", "/nope", b"some body"), 404)
for path in ("/", "//echo", "/echo/", "/%65cho", "/echo%00", "/../echo", "/./echo",
             "/echo;x", "/" + "a" * 5000, "/\xff\xfe", "*", "http://test", "https://localhost/echo"):
    fails("path %r" % path[:20], request("POST", path, b"{}"), 404, "path does not exist")

found = ask(daemon, request("POST", "http://localhost:1/echo", b"hello", host="another"))
is_true("a target with our own host works", found is not None and found.status == 200 and
        found.json()["length"] == 5, found)
for host in ("", "127.0.0.1:x", ":80", "[::1]x"):
    fails("one with the host '%s'" % host, request("GET", "http://%s/echo" % host), 421,
          "not called '%s'" % host)
fails("one with another host", request("POST", "http://test/echo", b"{}"), 421, "not called 'test'")

found = fails("a wrong method", request("GET", "/echo"), 405, "does not allow this method")
is_equal("with those that are right", found.headers.get("allow"), "POST")
goes_on("costs no connection either", request("DELETE", "/echo"), 405)
found = fails("POST to what is read", request("POST", "/livez", b"x"), 405, "this method")
is_equal("with GET and HEAD", found.headers.get("allow"), "GET, HEAD")
fails("a method nobody knows", request("BREW", "/echo"), 405, "this method")
fails("OPTIONS", request("OPTIONS", "/echo"), 405, "this method")
fails("too long a URL", request("GET", "/query?" + "x" * 66000), 414, "at most 65536")
fails("too many arguments", request("GET", "/query?" + "&".join("a=b" for _ in range(65))),
      400, "more than 64 arguments")

# ---- bodies ----

goes_on("a body with gzip", request("POST", "/echo", b"\x1f\x8b" + b"x" * 100,
                                    ["Content-Encoding: gzip"]), 415)
fails("or any other coding", request("POST", "/echo", b"x", ["Content-Encoding: br"]), 415,
      "Content-Encoding")
found = ask(daemon, request("POST", "/echo", b"x", ["Content-Encoding: identity"]))
is_equal("identity is none", found.status, 200)
fails("a little too much", request("POST", "/echo", b"x" * 100001), 413, "at most 100000")
fails("a declared gigabyte is refused unread",
      request("POST", "/echo", None, ["Content-Length: 1073741824"]) + b"x" * 1000, 413,
      "1073741824 bytes")
fails("more than a number holds",
      request("POST", "/echo", None, ["Content-Length: 18446744073709551615"]), 413, "bytes")

with daemon.connect() as connection:
    connection.sendall(request("POST", "/echo", None, ["Content-Length: 1073741824"]))
    # A client that writes on while it is refused must see the refusal all the same.
    found = None
    try:
        for i in range(200):
            connection.sendall(b"x" * 65536)
    except OSError:
        pass
    found = read_answer(connection)
is_true("is refused while it is being sent, too", found is not None and found.status == 413, found)

for name, headers, words in (
        ("two lengths", ["Content-Length: 5", "Content-Length: 6"], "more than one Content-Length"),
        ("twice the same", ["Content-Length: 5", "Content-Length: 5"],
         "more than one Content-Length"),
        ("a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], "both"),
        ("chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 5"], "both"),
        ("two types", ["Content-Length: 5", "Content-Type: a/b", "Content-Type: c/d"],
         "more than one Content-Type"),
        ("two hosts", ["Host: other", "Content-Length: 5"], "more than one Host"),
        ("a blank before the colon", ["Content-Length : 5"], "HTTP does not allow"),
        ("a tab before it", ["Transfer-Encoding\t: chunked"], "HTTP does not allow"),
        ("a length on the next line", ["Content-Length:\r\n 5"], "HTTP does not allow"),
        ("a length that goes on there", ["Content-Length: 5\r\n x"], "HTTP does not allow"),
        ("a coding on the next line", ["Transfer-Encoding:\r\n chunked"], "HTTP does not allow"),
        ("a header on the next line", ["X: y\r\n Content-Length: 5"], "HTTP does not allow"),
        ("a carriage return in a value", ["X: y\rContent-Length: 5"], "HTTP does not allow"),
        ("another coding", ["Transfer-Encoding: gzip, chunked"], "Transfer-Encoding known"),
        ("an escape in a value", ["X: \x1b[2J", "Content-Length: 5"], "HTTP does not allow"),
        ("a header without a name", [": x", "Content-Length: 5"], "HTTP does not allow"),
        ("one without a value either", [":", "Content-Length: 5"], "HTTP does not allow"),
        ("one behind the length", ["Content-Length: 5", ": x"], "HTTP does not allow"),
        ("one before another request", [": x", "GET /livez HTTP/1.1", "Host: a"],
         "HTTP does not allow"),
        ("one with NULs", [": \0\0", "Content-Length: 5"], "HTTP does not allow")):
    with daemon.connect() as connection:
        connection.sendall(request("POST", "/echo", None, headers) + b"hello" + echo)
        found = read_answer(connection)
        ended = has_ended(connection)
    is_true(name, is_refusal(found, 400, words), found)
    is_true(name + ": nothing after it is read as a request", ended)


for name, line, status in (
        ("no target", b"POST  HTTP/1.1", 400),
        ("a method with a colon", b"X: /echo HTTP/1.1", 400),
        ("HTTP/1.2", b"POST /echo HTTP/1.2", 505)):
    with daemon.connect() as connection:
        connection.sendall(line + b"\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + echo)
        found = read_answer(connection)
        ended = has_ended(connection)
    is_true(name, found is not None and found.status == status and ended, (found, ended))

# libmicrohttpd 1.0 ends the connection by itself.
for name, target in (("a NUL in the target", b"/echo\0x"), ("a NUL in the query", b"/echo?a\0b")):
    with daemon.connect() as connection:
        connection.sendall(b"POST " + target + b" HTTP/1.1\r\nHost: a\r\n\r\n" + echo)
        found = read_answer(connection)
        ended = has_ended(connection)
    is_true(name, (found is None or found.status == 400) and ended, (found, ended))

# A name may be missing between lines that end with LF alone, too.
with daemon.connect() as connection:
    connection.sendall(b"POST /echo HTTP/1.1\nHost: a\n: x\nContent-Length: 5\n\nhello" + echo)
    found = read_answer(connection)
    ended = has_ended(connection)
is_true("a header without a name between such lines", found.status == 400 and ended, (found, ended))
found = ask(daemon, b"POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello")
is_true("libmicrohttpd 0.9 takes such lines, 1.0 does not", found.status in (200, 400), found)
found = ask(daemon, request("POST", "/echo", b"hello", ["X: y  ", "Empty:", "Blank: \t "]))
is_equal("blanks behind values are, too", found.status, 200)

for name, trailer in (("trailers", b"A: b\r\n"), ("trailers without a name", b"A: b\r\n: x\r\n")):
    with daemon.connect() as connection:
        connection.sendall(request("POST", "/echo", None, ["Transfer-Encoding: chunked"]) +
                           b"5\r\nhello\r\n0\r\n" + trailer + b"GET /livez HTTP/1.1\r\n"
                           b"Host: a\r\n\r\n")
        read_answer(connection)
        ended = has_ended(connection)
    is_true(name + ": nothing after them is read as a request", ended)

with daemon.connect() as connection:
    connection.sendall(request("POST", "/echo", None, ["Transfer-Encoding: chunked"], "1.0") +
                       b"0\r\n\r\n" + echo)
    found = read_answer(connection)
    ended = has_ended(connection)
is_true("chunks in HTTP/1.0 are refused", found is not None and found.status == 400 and ended,
        (found, ended))


def send_for_ever(connection):
    try:
        while True:
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    except OSError:
        pass


with daemon.connect() as connection:
    connection.sendall(request("POST", "/echo", None, ["Transfer-Encoding: chunked"]))
    sender = threading.Thread(target=send_for_ever, args=(connection,))
    sender.start()
    found = read_answer(connection)
    is_true("chunks without an end", found is not None and found.status == 413 and
            found.json()["code"] == 413, found)
    connection.shutdown(socket.SHUT_RDWR)
    sender.join()

for name, text in (
        ("no HTTP at all", b"\x16\x03\x01\x00\xff" + b"\x00" * 300),
        ("a line without an end", b"GET /" + b"x" * 400000),
        ("headers without an end", b"GET /livez HTTP/1.1\r\n" + b"X: y\r\n" * 100000),
        ("one endless header", b"GET /livez HTTP/1.1\r\nX: " + b"y" * 400000 + b"\r\n\r\n"),
        ("a chunk that is no number", request("POST", "/echo", None,
                                              ["Transfer-Encoding: chunked"]) + b"zz\r\n\r\n"),
        ("a chunk of all bytes there are", request("POST", "/echo", None, [
            "Transfer-Encoding: chunked"]) + b"ffffffffffffffffff\r\n"),
        ("a length that is no number", request("POST", "/echo", None, ["Content-Length: x"])),
        ("a length below zero", request("POST", "/echo", None, ["Content-Length: -1"])),
        ("NUL in a header", b"GET /livez HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n\x00\x00")):
    with daemon.connect() as connection:
        try:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        found = read_answer(connection)
    is_true(name, found is None or 400 <= found.status < 500, found)

# What the library answers by itself, as docs/limend.md has it.
HOST = b"\r\nHost: a\r\n"
CHUNKS = request("POST", "/echo", None, ["Transfer-Encoding: chunked"])
for name, text, status in (
        ("no request line", b"nonsense\r\n\r\n", None),
        ("no version", b"GET /livez" + HOST + b"\r\n", 400),
        ("a version in small letters", b"GET /livez http/1.1" + HOST + b"\r\n", 400),
        ("HTTP/2.0", b"GET /livez HTTP/2.0" + HOST + b"\r\n", 505),
        ("no Host", b"GET /livez HTTP/1.1\r\n\r\n", 400),
        ("a header line without a colon", b"GET /livez HTTP/1.1" + HOST + b"nonsense\r\n\r\n", 400),
        ("a length that is no number", request("POST", "/echo", None, ["Content-Length: x"]), 400),
        ("a length below zero", request("POST", "/echo", None, ["Content-Length: -1"]), 400),
        ("a length that no number holds",
         request("POST", "/echo", None, ["Content-Length: " + "9" * 30]), 413),
        ("a chunk that is no number", CHUNKS + b"zz\r\n\r\n", 400),
        ("a chunk of another length", CHUNKS + b"1\r\nxyz\r\n", 400),
        ("a chunk that no number holds", CHUNKS + b"f" * 18 + b"\r\n", 413),
        ("a long request line", b"GET /" + b"x" * 400000 + b" HTTP/1.1" + HOST + b"\r\n", 414),
        ("long headers", b"GET /livez HTTP/1.1" + HOST + b"X: y\r\n" * 100000 + b"\r\n", 431)):
    with daemon.connect() as connection:
        try:
            connection.sendall(text)
        except OSError:
            pass
        found = read_answer(connection)
    # What is sent to a connection that has ended can take the answer with it.
    lost = found is None and len(text) > 100000
    is_true("the status of %s" % name, lost or (found and found.status) == status, found)
    is_true("and the end of the connection after %s" % name,
            found is None or found.headers.get("connection") == "close", found)

# A client that finds its connection reset while it sends may never read the answer: a proxy that
# fails open would let the request pass.
for name, text, status in (
        ("a long request line", b"GET /" + b"x" * 200000, 414),
        ("long headers", b"GET /livez HTTP/1.1" + HOST + b"X: y\r\n" * 30000, 431)):
    with daemon.connect() as connection:
        try:
            for start in range(0, len(text), len(text) // 4):
                connection.sendall(text[start:start + len(text) // 4])
                time.sleep(0.1)
            found = read_answer(connection)
        except OSError as error:
            found = error
    is_true("%s can be sent to the end" % name, getattr(found, "status", None) == status, found)

for cut in (1, 10, 30, len(echo) - 1):
    with daemon.connect() as connection:
        connection.sendall(echo[:cut])
        connection.shutdown(socket.SHUT_WR)
        found = read_answer(connection)
    is_true("cut off after %d bytes" % cut, found is None or found.status >= 400, found)

found = ask(daemon, echo)
is_true("after all this it answers", found is not None and found.status == 200, found)
is_equal("and ends in order", daemon.end(), 0)

# ---- with less memory for each connection ----

daemon = Daemon("--max-url", "1024")
target = "/query?" + "x" * (1024 - len("/query?"))
found = ask(daemon, request("GET", target))
is_true("a URL as long as it may be", found is not None and found.status == 200, found)
fails("one byte more", request("GET", target + "x"), 414, "1025 bytes; at most 1024 are")
fails("far more", request("GET", target + "x" * 8000), 414, "at most 1024 are allowed")
found = ask(daemon, request("GET", "/livez", None, ["X-Long: " + "x" * 12000]))
is_true("headers have as much room as before", found is not None and found.status == 200, found)
found = ask(daemon, request("POST", "/echo", b"x" * 100000))
is_equal("and so have bodies", found.json()["length"], 100000)
is_equal("it ends in order, too", daemon.end(), 0)
finish()
