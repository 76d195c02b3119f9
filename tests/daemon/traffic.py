# SPDX-License-Identifier: Apache-2.0
"""Load whose every answer is known: clients in processes of their own, and the policy in two versions.

Nothing that a client can be told is the same in both versions, so whatever is mixed,
late or lost shows.
"""
import multiprocessing

from kit import *

processes = multiprocessing.get_context("fork")


def version(letter, task, cpu):
    """Admits tasks of this type, and containers with so many processors."""
    return {
        "schema": 4,
        "identifiers": [
            {"name": "here " + letter, "description": "H", "type": "ip-cidr-list",
             "data": {"cidrs": ["127.0.0.0/8", "192.0.2.0/24"]}}],
        "classifiers": [{"name": "all " + letter, "description": "F",
                         "identifiers": ["here " + letter]}],
        "limits": [
            {"name": "script " + letter, "description": "S", "type": "jq",
             "data": {"script": 'if .test.type == "%s" then true else "not in %s" end' %
                                (task, letter)}},
            {"name": "type " + letter, "description": "T", "type": "test-type",
             "data": {"types": ["rtt", "trace"]}},
            {"name": "often " + letter, "description": "O", "type": "rate",
             "data": {"key": ["requester"], "rate": "1000000/PT1S", "burst": 100000000}}],
        "applications": [{"description": "Application " + letter, "classifier": "all " + letter,
                          "apply": [{"require": "all",
                                     "limits": ["type " + letter, "script " + letter,
                                                "often " + letter]}]}],
        "admission": [{"name": "sizes " + letter, "plugin": "LimitRanger", "data": {"manifests": [
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "sizes"},
             "spec": {"limits": [{"type": "Container", "max": {"cpu": str(cpu)},
                                  "default": {"cpu": "%d00m" % cpu}}]}}]}}],
    }


VERSIONS = {"A": version("A", "rtt", 2), "B": version("B", "trace", 3)}


def review(resources):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"}, "name": "p",
        "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": "ann", "groups": []},
        "object": {"apiVersion": "v1", "kind": "Pod",
                   "metadata": {"name": "p", "namespace": "default"},
                   "spec": {"containers": [{"name": "c", "image": "i", "resources": resources}]}}}}


def task(kind):
    return {"task": {"schema": 1, "test": {"type": kind, "spec": {}}},
            "hints": {"requester": "192.0.2.7"}}


def post(path, value, kind="application/json"):
    text = value if isinstance(value, str) else json.dumps(value)
    return request("POST", path, text.encode(), ["Content-Type: " + kind])


EIGHT = {"limits": {"cpu": "8"}, "requests": {"cpu": "1"}}
QUESTIONS = {
    "a task": post("/v1/decide", task("rtt")),
    "another": post("/v1/decide", task("trace")),
    "validate": post("/admission/validate", review(EIGHT)),
    "mutate": post("/admission/mutate?timeout=10s", review({})),
    "passed": post("/v1/passed", task("trace")),
    "batch": post("/v1/decide/batch", "\n".join(json.dumps(task(one)) for one in
                                                ("rtt", "trace") * 4), "application/x-ndjson"),
}

# What the versions must say, by hand; the rest is compared with a daemon that has one only.
ADMITTED = {"a task": "A", "another": "B"}


def known_answers(ask_one):
    """What a daemon says to each question, in the version it has now."""
    return {name: ask_one(text) for name, text in QUESTIONS.items()}


def record(way):
    """The answers of each version, and whether they are what they have to be."""
    found = {}
    for letter, policy in VERSIONS.items():
        daemon = Daemon("--unix", "alone.sock", program=LIMEND, policy=policy, listen=False)
        found[letter] = known_answers(lambda text: talk(way("alone.sock"), text).body)
        daemon.end()
        for name, admitting in ADMITTED.items():
            is_equal("version %s: %s" % (letter, name),
                     json.loads(found[letter][name])["admitted"], letter == admitting)
        is_true("version %s: validate" % letter, json.loads(found[letter]["validate"])["response"]
                ["status"]["message"].endswith("is %d, but limit is 8" % (2 if letter == "A" else 3)),
                found[letter]["validate"])
    for name in QUESTIONS:
        is_true("%s: the versions differ" % name, found["A"][name] != found["B"][name])
    return found


def by_unix(path):
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE)
    made.connect(path)
    return made


def by_tls(port, context):
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port), PATIENCE),
                               server_hostname="localhost")


def talk(connection, text):
    with connection:
        connection.sendall(text)
        return read_answer(connection)


def is_known(name, body, known):
    """Is it the answer of one version?  Each line of a batch is a decision of its own."""
    if name != "batch":
        return body in (known["A"][name], known["B"][name])
    lines = body.splitlines()
    pairs = zip(lines, known["A"][name].splitlines(), known["B"][name].splitlines())
    return len(lines) == 8 and all(line in (a, b) for line, a, b in pairs)


class Client:
    """A process that asks all questions again and again until it is told to stop."""

    def __init__(self, connect, known, fresh=False):
        self.stop = processes.Event()
        self.mine, theirs = processes.Pipe(False)
        self.process = processes.Process(target=self.run, args=(connect, known, fresh, theirs))
        self.process.daemon = True
        self.process.start()
        theirs.close()

    def run(self, connect, known, fresh, out):
        counts = {"answers": 0, "A": 0, "B": 0, "slowest": 0.0, "wrong": []}
        connection = None
        while not self.stop.is_set():
            for name, text in QUESTIONS.items():
                began = time.monotonic()
                try:
                    connection = connection or connect()
                    connection.sendall(text)
                    found = read_answer(connection)
                except OSError as error:
                    found = error
                counts["slowest"] = max(counts["slowest"], time.monotonic() - began)
                body = found.body if isinstance(found, Answer) else None
                if body is None or found.status != 200 or not is_known(name, body, known):
                    counts["wrong"].append("%s: %r" % (name, found))
                    connection = None
                    continue
                counts["answers"] += 1
                for letter in "AB":
                    counts[letter] += body == known[letter][name]
            if fresh and connection:
                connection.close()
                connection = None
            if len(counts["wrong"]) > 20:
                break
        out.send(counts)

    def end(self):
        self.stop.set()
        try:
            found = self.mine.recv() if self.mine.poll(PATIENCE) else None
        except EOFError:
            found = None
        self.process.join(PATIENCE)
        return found or {"answers": 0, "A": 0, "B": 0, "slowest": 0.0, "wrong": ["it died"]}
