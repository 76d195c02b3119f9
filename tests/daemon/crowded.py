# SPDX-License-Identifier: Apache-2.0
"""Who takes all there is of something: memory, connections, descriptors, threads."""
import resource
import select
import time

from kit import *

echo = request("POST", "/echo", b"hello")
wait_here = "/wait?for=" + os.path.join(work, "go")
long_here = "/long?for=" + os.path.join(work, "go")

# ---- memory for bodies ----

most = 4 << 20
daemon = Daemon("--max-body", str(most), "--client-timeout", "600")
large = request("POST", "/echo", b"x" * most)
unfinished = []
for _ in range(17):
    connection = daemon.connect()
    unfinished.append(connection)
    try:
        connection.sendall(large[:-1])
    except OSError:
        pass


def are_answered(connections, number):
    """Waits until so many of them have an answer; returns those."""
    ready = wait_for(lambda: [one for one in [select.select(connections, [], [], 0.01)[0]]
                              if len(one) >= number])
    return ready[0] if ready else []


# Whichever of them are at it when the memory is used up, one at least.
refused = are_answered(unfinished, 1)
found = [read_answer(one) for one in refused]
is_true("too many large bodies at once are refused",
        len(found) > 0 and all(one is not None and one.status == 503 and
                               "large requests" in one.json()["message"] for one in found), found)
for connection in refused:
    unfinished.remove(connection)
    connection.close()
found = [ask(daemon, echo) for _ in range(20)]
is_true("small ones are taken all the same",
        all(one is not None and one.status == 200 for one in found), found)


def finish_body(connection, rest):
    """Returns the answer to a body of which 'rest' was missing."""
    try:
        connection.sendall(rest)
    except OSError:
        pass
    return read_answer(connection)


found = [finish_body(one, b"x") for one in unfinished]
is_true("others that were begun are finished", any(one is not None and one.status == 200 and
                                                   one.json()["length"] == most for one in found),
        found)
for connection in unfinished:
    connection.close()


def takes_large():
    with daemon.connect() as connection:
        found = finish_body(connection, large)
    return found is not None and found.status == 200


is_true("and then there is room again", wait_for(takes_large))
is_equal("it ends in order", daemon.end(), 0)

# ---- memory for answers ----

daemon = Daemon("--max-body", str(most), "--client-timeout", "600")
# More than the kernel takes of each: four of them are all but 4 MiB of what there may be.
much = request("GET", "/much?bytes=%d" % (15 << 20))
slow = []
for _ in range(8):
    connection = daemon.connect()
    connection.sendall(much)
    slow.append(connection)
heads = [connection.recv(12) for connection in slow]
is_equal("too many large answers at once are refused", sorted(heads),
         [b"HTTP/1.1 200"] * 4 + [b"HTTP/1.1 503"] * 4)
found = [ask(daemon, request("GET", "/much?bytes=%d" % (64 << 10))) for _ in range(20)]
is_true("small ones are sent all the same",
        all(one is not None and one.status == 200 for one in found), found)
for connection in slow:
    connection.close()


def gets_large():
    found = ask(daemon, much)
    return found is not None and found.status == 200 and len(found.body) == 15 << 20


is_true("and then there is room for large ones again", wait_for(gets_large))
is_equal("it ends in order", daemon.end(), 0)

# ---- connections ----

daemon = Daemon("--max-connections", "8", "--threads", "1", "--idle-timeout", "600",
                "--client-timeout", "1")
idle = []
for _ in range(8):
    connection = daemon.connect()
    connection.sendall(echo)
    read_answer(connection)
    idle.append(connection)
found = ask(daemon, echo)
is_true("connections that only wait make room when there are no more",
        found is not None and found.status == 200, found)
is_equal("it ends in order", daemon.end(), 0)

# ---- one peer that takes all connections ----


def connect_from(daemon, source):
    return socket.create_connection(("127.0.0.1", daemon.port), PATIENCE, (source, 0))


def answers(connection):
    try:
        connection.sendall(echo)
    except OSError:
        return False
    found = read_answer(connection)
    return found is not None and found.status == 200


daemon = Daemon("--max-connections", "8", "--threads", "1", "--idle-timeout", "600",
                "--client-timeout", "600", "--health-listen", "127.0.0.1:0",
                policy=BLOCKING)
greedy = [connect_from(daemon, "127.0.0.2") for _ in range(8)]
is_true("one peer may have all connections", all([answers(one) for one in greedy]))
modest = connect_from(daemon, "127.0.0.3")
is_true("another one is served all the same", answers(modest))
is_true("for which the peer with the most loses the one that was idle the longest",
        has_ended(greedy.pop(0)))
is_true("and no other", all([answers(one) for one in greedy]))
for _ in range(30):
    connection = connect_from(daemon, "127.0.0.2")
    connection.sendall(b"POST /echo HTTP/1.1\r\nX: ")
    greedy.append(connection)
found = ask(daemon, request("GET", "/livez"))
is_true("a peer that connects on and on with requests that have no end shuts nobody out",
        found is not None and found.status == 200, found)
is_true("nor does another one lose a connection by it", answers(modest))
for connection in greedy:
    connection.close()
is_true("connections of those that are gone are free again", wait_for(lambda: answers(modest)))

busy = []
for _ in range(7):
    connection = connect_from(daemon, "127.0.0.2")
    connection.sendall(request("POST", wait_here, None,
                               ["Content-Length: 2", "Expect: 100-continue"]))
    connection.recv(1000)
    connection.sendall(b"{}")
    busy.append(connection)
# Until their bodies have been read, they could be shut down for others.
time.sleep(1)
late = connect_from(daemon, "127.0.0.2")
is_true("where all of a peer are busy, it gets no more", has_ended(late))
extra = connect_from(daemon, "127.0.0.4")
is_true("but another peer is served, beyond the bound", answers(extra))
write("go", "")
found = [read_answer(one) for one in busy]
is_true("what is being decided is not cut off",
        all(one is not None and one.status == 200 for one in found), found)
os.unlink(os.path.join(work, "go"))


def ask_health(text):
    port = int(daemon.urls[1].rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(text)
        return read_answer(connection)


found = ask_health(request("GET", "/livez"))
is_true("probes have a listener of their own", found is not None and found.status == 200, found)
found = ask_health(echo)
is_true("which answers nothing else", found is not None and found.status == 404, found)
is_equal("it ends in order", daemon.end(), 0)

# Requests whose bodies never come must not keep others out, either.
daemon = Daemon("--max-connections", "8", "--threads", "1", "--idle-timeout", "600",
                "--client-timeout", "600")
without_body = []
for i in range(16):
    connection = connect_from(daemon, "127.0.0.2")
    connection.sendall(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
    without_body.append(connection)
lone = connect_from(daemon, "127.0.0.3")
is_true("one who waits for no body is served while another sends none", answers(lone))
found = [answers(connect_from(daemon, "127.0.0.%d" % i)) for i in range(4, 20)]
is_true("and so is everybody else", all(found), found)
for connection in without_body:
    connection.close()
is_equal("it ends in order", daemon.end(), 0)

# ---- descriptors ----


def with_limit(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


highest = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
daemon = Daemon("--max-connections", "600", "--threads", "1", preexec_fn=with_limit(256, highest))
if highest != resource.RLIM_INFINITY and highest < 856:
    skip("more files are asked for", "the limit here is too low")
else:
    with open("/proc/%d/limits" % daemon.process.pid) as file:
        limits = file.read()
    soft = int(re.search(r"Max open files\s+(\d+)", limits).group(1))
    is_true("more files are asked for if connections need them", soft >= 856, limits)
    is_true("without a word", "no more files" not in daemon.said(), daemon.said())
daemon.end()

daemon = Daemon("--threads", "1", "--client-timeout", "1", preexec_fn=with_limit(100, 100))
is_true("a limit that cannot be raised is told of", "at most, not 4096: no more files may be open" in
        daemon.said(), daemon.said())
many = []
for _ in range(200):
    try:
        connection = daemon.connect()
        connection.sendall(echo)
        many.append(connection)
    except OSError:
        break
is_true("there are more connections than files", len(many) > 100, len(many))
found = ask(daemon, echo)
is_true("and others are served as soon as some of them go",
        found is not None and found.status == 200, found)
is_true("accept() never failed", "resource limit" not in daemon.said(), daemon.said())
for connection in many:
    connection.close()
is_equal("it ends in order", daemon.end(), 0)

# ---- threads ----


def send_all(daemon, target, number, body=b"x"):
    connections = []
    for _ in range(number):
        connection = daemon.connect()
        connection.sendall(request("POST", target, body))
        connections.append(connection)
    return connections


# What is sent, and how many of six places each kind has of the eight there are.
KINDS = (("batches and their like", long_here, b"x", 4),
         ("bodies of many values", wait_here, b"," * 1001, 4),
         ("large bodies", wait_here, b"x" * ((256 << 10) + 1), 2))
BOTH = (("that does not wait", PASSING), ("that waits", BLOCKING))

for (what, target, body, places), (name, policy) in [(a, b) for a in KINDS for b in BOTH]:
    daemon = Daemon("--workers", "4", "--queue", "4", "--threads", "1", policy=policy)
    lengthy = send_all(daemon, target, 6, body)
    refused = are_answered(lengthy, 6 - places)
    is_equal("%s have not all places, under a policy %s" % (what, name),
             [read_answer(one).status for one in refused], [503] * (6 - places))
    found = [ask(daemon, one) for one in (echo, request("POST", "/wait?for=/", b"," * 1000),
                                          request("POST", "/wait?for=/", b"x"))]
    is_true("the others are answered beside %s, under one %s" % (what, name),
            all(one is not None and one.status == 200 for one in found), found)
    write("go", "")
    found = [read_answer(one) for one in lengthy if one not in refused]
    is_true("and at last %s are, too, under one %s" % (what, name), len(found) == places and
            all(one is not None and one.status == 200 for one in found), found)
    os.unlink("go")
    is_equal("it ends in order after %s, under one %s" % (what, name), daemon.end(), 0)

daemon = Daemon("--workers", "2", "--threads", "1")
large = daemon.connect()
large.sendall(request("POST", wait_here, b"x" * (300 << 10)))
found = [ask(daemon, echo) for _ in range(3)]
is_true("a large body keeps nobody waiting", all(one is not None and one.status == 200
                                                 for one in found), found)
write("go", "")
found = read_answer(large)
is_true("and is answered, too", found is not None and found.status == 200, found)
is_equal("it ends in order", daemon.end(), 0)

# A script in a process of its own is waited for, and so not where connections are.
script = {"script": "if .slow then until(false; .) else true end", "sandbox": "process",
          "timeout": "PT8S"}
daemon = Daemon("--threads", "1", program=LIMEND, policy=dict(
    PASSING, limits=[{"name": "slow", "description": "", "type": "jq", "data": script}],
    applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["slow"]}]}]))
if "seccomp" in daemon.said():
    skip("a script that is waited for keeps nobody waiting", "there is no seccomp")
else:
    slow = daemon.connect()
    slow.sendall(request("POST", "/v1/decide", b'{"task": {"slow": true}}',
                         ["Content-Type: application/json"]))
    found = [ask(daemon, request("GET", "/livez")) for _ in range(3)]
    is_true("a script that is waited for keeps nobody waiting",
            all(one is not None and one.status == 200 for one in found) and
            not select.select([slow], [], [], 0)[0], found)
    is_equal("and is stopped in time", read_answer(slow).json()["code"], 500)
    is_equal("it ends in order", daemon.end(), 0)

# ---- a log that nobody reads ----

reader, writer = os.pipe()
daemon = Daemon("--decision-log", "-", program=LIMEND, stdout=writer)
os.close(writer)
lines = json.dumps({"task": {"test": {"type": "rtt", "spec": {}}}}) + "\n"
batch = request("POST", "/v1/decide/batch", lines.encode() * 1000,
                ["Content-Type: application/x-ndjson"])
found = [ask(daemon, batch) for _ in range(3)]
is_true("decisions go on", all(one is not None and one.status == 200 for one in found), found)
is_true("that it is stuck is told of", daemon.says("standard output cannot be written"),
        daemon.said())
is_equal("it ends in order", daemon.end(), 0)
os.close(reader)

reader, writer = os.pipe()
os.set_blocking(writer, False)
try:
    while True:
        os.write(writer, b"x")
except BlockingIOError:
    os.set_blocking(writer, True)
daemon = Daemon(program=LIMEND, stderr=writer)
os.close(writer)
found = [ask(daemon, batch) for _ in range(3)]
is_true("without anybody to read the log decisions go on, too",
        all(one is not None and one.status == 200 for one in found), found)
found = ask(daemon, request("GET", "/metrics"))
is_true("and lines that are lost are counted", found is not None and
        re.search(r"^limend_log_lines_lost_total [1-9]", found.body, re.M), found)
is_equal("it ends in order", daemon.end(), 0)
os.close(reader)

# ---- what is counted ----

daemon = Daemon("--max-body", "10000", program=LIMEND)
for text in (request("GET", "/nope"), request("GET", "/v1/decide"),
             request("POST", "/v1/decide", b"{}", ["Content-Encoding: gzip"]),
             request("POST", "/v1/decide", b"x" * 10001),
             request("POST", "/v1/decide", None, ["Transfer-Encoding: chunked"]) +
             b"2711\r\n" + b"x" * 10001 + b"\r\n",
             request("POST", "/v1/decide", b"", ["Content-Length: 5"]),
             request("GET", "/livez?" + "x" * 66000),
             request("GET", "/livez?" + "&".join("a=b" for _ in range(65))),
             request("POST", "/v1/decide", None, ["Content-Length: nonsense"]),
             request("GET", "/livez")):
    ask(daemon, text)
found = ask(daemon, request("GET", "/metrics"))
counted = dict(re.findall(r'limend_http_responses_total\{(.*?)\} (\d+)', found.body))
for row, number in (('endpoint="other",status="404"', "1"),
                    ('endpoint="/v1/decide",status="405"', "1"),
                    ('endpoint="/v1/decide",status="415"', "1"),
                    ('endpoint="/v1/decide",status="413"', "2"),
                    ('endpoint="/v1/decide",status="400"', "1"),
                    ('endpoint="/livez",status="414"', "1"),
                    ('endpoint="/livez",status="400"', "1"),
                    ('endpoint="other",status="400"', "1"),
                    ('endpoint="/livez",status="200"', "1")):
    is_equal("counted: " + row, counted.get(row), number)
is_equal("it ends in order", daemon.end(), 0)
finish()

if highest == resource.RLIM_INFINITY or highest >= 1024:
    bounded = Daemon("--threads", "1", preexec_fn=with_limit(1024, 1024))
    bound = int(re.search(r"(\d+) connections of a listening socket at most", bounded.said()).group(1))
    is_true("with those accepted beyond the bound, files remain for other ends",
            bound + bound / 8 + 16 <= 1024 - 256, bounded.said())
    bounded.end()
