# SPDX-License-Identifier: Apache-2.0
"""A name server that never answers: "fail-result" decides, for hundreds at once, and no thread waits."""
import select

from kit import *

AT_ONCE = 300
hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
hole.bind(("127.0.0.1", 0))


def policy(identifier, script=None):
    """Admits those who are identified; with a script, on a worker."""
    server = "127.0.0.1:%d" % hole.getsockname()[1]
    data = dict({"fail-result": True, "timeout": "PT0.5S", "server": server}, **identifier)
    made = dict(PASSING, identifiers=[{"name": "all", "description": "", "type": "ip-cymru-bogon",
                                       "data": data}])
    if script:
        made["limits"] = [{"name": "s", "description": "", "type": "jq", "data": {"script": script, "timeout": "PT60S"}}]
        made["applications"] = [{"classifier": "all", "apply": [{"require": "all", "limits": ["s"]}]}]
    return made


def question(i, path="/v1/decide", text=""):
    body = {"task": {"test": {"type": "rtt", "spec": {"text": text}}}, "hints": {"requester": "11.0.%d.%d" % (i >> 8, i & 255)}}
    return request("POST", path, json.dumps(body).encode(), ["Content-Type: application/json"])


def verdict(answer):
    return answer.status, answer.json()["code"], answer.json()["admitted"]


def start(identifier, *options, script=None, workers="1"):
    return Daemon("--trust-hints-from", "127.0.0.1", "--threads", "1", "--workers", workers, *options,
                  program=LIMEND, policy=policy(identifier, script))


def ask_many(daemon, title):
    connections = [daemon.connect() for _ in range(AT_ONCE)]
    for i, connection in enumerate(connections):
        connection.sendall(question(i))
    is_equal(title + "other requests are answered meanwhile", ask(daemon, request("GET", "/livez")).status, 200)
    found = [answer and (answer.status, answer.json().get("code"), answer.json().get("admitted"))
             for answer in map(read_answer, connections)]
    is_equal(title + "each decision is what fail-result says", set(found), {(200, 200, True)})
    is_equal(title + "a failure is known to the next", verdict(ask(daemon, question(0))), (200, 200, True))


# There is a place for a single script at a time, and none for those that wait.
daemon = start({}, "--queue", "0", script="true")
ask_many(daemon, "with a script, ")
daemon.end()
daemon = start({})
ask_many(daemon, "")
passed = ask(daemon, question(1000, "/v1/passed"))
is_true("/v1/passed waits like it", passed.status == 200 and passed.json()["passed"], passed)

# Clients that leave while their decisions wait.
def count_decisions():
    text = ask(daemon, request("GET", "/metrics")).body
    return int(re.search(r'^limend_decisions_total{endpoint="/v1/decide",code="200"} (\d+)$', text, re.M)[1])


before = count_decisions()
for i in range(100):
    connection = daemon.connect()
    connection.sendall(question(4000 + i))
    # Its decision began before this is answered: a single thread reads both.
    ask(daemon, request("GET", "/livez"))
    connection.close()
is_true("decisions whose clients left are made", wait_for(lambda: count_decisions() == before + 100),
        count_decisions() - before)

# The time that a client gives must not choose the result.
for timeout in ("1ms", "100ms"):
    answer = ask(daemon, question(2000 + len(timeout), "/v1/decide?timeout=" + timeout))
    is_true("a timeout of the client admits nobody", answer.status == 503 or
            verdict(answer) == (200, 500, False), answer)

# A decision that waits is waited for by the shutdown.
waiting = daemon.connect()
waiting.sendall(question(3000))
time.sleep(0.1)
daemon.signal(signal.SIGTERM)
is_equal("SIGTERM lets those go on who wait", verdict(read_answer(waiting)), (200, 200, True))
is_equal("and then ends limend", daemon.wait(), 0)

# Large bodies stay large when they have waited, and have an eighth of the threads.
daemon = start({}, "--timeout", "3", workers="16",
               script='if .test.spec.text == "" then true else last(range(1e12)) end')
large = [daemon.connect() for _ in range(20)]
for i, connection in enumerate(large):
    connection.sendall(question(i, text="x" * 300000))
is_equal("large bodies that waited leave threads to small ones", verdict(ask(daemon, question(5000))),
         (200, 200, True))
is_equal("which are answered before", [one for one in large if select.select([one], [], [], 0)[0]], [])
daemon.end()

# Half of --timeout is the share of those who wait.
daemon = start({"timeout": "PT600S"}, "--timeout", "1")
is_equal("its share of --timeout", verdict(ask(daemon, question(0))), (200, 200, True))
is_equal("SIGTERM ends limend", daemon.end(), 0)
finish()
