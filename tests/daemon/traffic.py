# SPDX-License-Identifier: Apache-2.0
"""Load whose every answer is known: clients in processes of their own, and the policy in two versions.

Nothing that a client can be told is the same in both versions, so whatever is mixed,
late or lost shows.
"""
import multiprocessing

from judge import MARK, Judge, Takes
from kit import *

processes = multiprocessing.get_context("fork")


# A bucket for each user.
EVENTS = {"qps": 5, "burst": 20}


def limit_range(namespace, *limits):
    return {"apiVersion": "v1", "kind": "LimitRange",
            "metadata": {"name": "sizes", "namespace": namespace}, "spec": {"limits": limits}}


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
        "admission": [
            {"name": "sizes " + letter, "plugin": "LimitRanger", "data": {"manifests": [
                limit_range("default", {"type": "Container", "max": {"cpu": str(cpu)},
                                        "default": {"cpu": "%d00m" % cpu}}),
                # Where the recorded reviews come from.
                limit_range("wh", {"type": "Container", "max": {"memory": "%dM" % (cpu * 50)},
                                   "default": {"memory": "%dM" % (cpu * 10)}},
                            {"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}})]}},
            # Of one name, so that its buckets stay as full as they are at a reload.
            {"name": "events", "plugin": "EventRateLimit", "retryAfter": letter == "A",
             "data": {"limits": [dict(EVENTS, type="User")]}}],
    }


VERSIONS = {"A": version("A", "rtt", 2), "B": version("B", "trace", 3)}


def review(kind, plural, thing):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": MARK, "kind": {"group": "", "version": "v1", "kind": kind},
        "resource": {"group": "", "version": "v1", "resource": plural}, "name": "p",
        "namespace": "default", "operation": "CREATE",
        "userInfo": {"username": "ann", "groups": []},
        "object": dict(thing, apiVersion="v1", kind=kind,
                       metadata={"name": "p", "namespace": "default"})}}


def pod(resources):
    return review("Pod", "pods", {"spec": {"containers": [
        {"name": "c", "image": "i", "resources": resources}]}})


EVENT = review("Event", "events", {
    "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p", "apiVersion": "v1"},
    "source": {"component": "kubelet", "host": "node1"}, "reason": "BackOff", "type": "Warning",
    "message": "again"})


def task(kind):
    return {"id": MARK, "task": {"schema": 1, "test": {"type": kind, "spec": {}}},
            "hints": {"requester": "192.0.2.7"}}


def read_recorded():
    """What a kube-apiserver asked, under the path that it asked it by."""
    directory = os.path.join(os.environ["LIMEN_SRCDIR"], "tests/cli/data/reviews")
    found = {}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name)) as file:
            sent = json.load(file)
        sent["request"]["uid"] = MARK
        phase = name[:-len(".json")].rsplit("-", 1)[1]
        found["recorded " + name] = ("/admission/" + phase, sent)
    return found


# By name, the path and what is sent; of a batch it is a list.
ASKED = {
    "a task": ("/v1/decide", task("rtt")),
    "another": ("/v1/decide", task("trace")),
    "validate": ("/admission/validate", pod({"limits": {"cpu": "8"}, "requests": {"cpu": "1"}})),
    "mutate": ("/admission/mutate", pod({})),
    "passed": ("/v1/passed", task("trace")),
    "batch": ("/v1/decide/batch", [task("rtt"), task("trace")] * 4),
}
LIMITED = {"event": ("/admission/validate", EVENT)}
RECORDED = read_recorded()


def post(path, value):
    """?timeout=10s, which an API server adds, changes nothing."""
    target = path + ("?timeout=10s" if path == "/admission/mutate" else "")
    lines = value if isinstance(value, list) else [value]
    kind = "application/x-ndjson" if isinstance(value, list) else "application/json"
    return request("POST", target, "\n".join(map(json.dumps, lines)).encode(),
                   ["Content-Type: " + kind])


ALL = {**ASKED, **LIMITED, **RECORDED}
QUESTIONS = {name: post(*question) for name, question in ALL.items()}

# What the versions must say, by hand.
ADMITTED = {"a task": "A", "another": "B"}


def bucket_of(path, sent):
    """The user whose bucket it takes a token from, or None (docs/webhook.md)."""
    if path != "/admission/validate" or sent["request"]["kind"]["kind"] != "Event":
        return None
    return sent["request"]["userInfo"]["username"]


BUCKETS = {name: bucket_of(*question) for name, question in ALL.items()}


def check_known(known):
    """Is it what the policies are meant to say?"""
    for letter, cpu in (("A", 2), ("B", 3)):
        answers = known[letter]
        for name, admitting in ADMITTED.items():
            is_equal("version %s: %s" % (letter, name), answers[name][0][0]["admitted"],
                     letter == admitting)
        message = answers["validate"][0][0]["response"]["status"]["message"]
        is_true("version %s: validate" % letter,
                message.endswith("is %d, but limit is 8" % cpu), message)
    for name in ASKED:
        is_true("%s: the versions differ" % name, known["A"][name] != known["B"][name])


def record(way):
    """The answers of each version to what no bucket limits, from a daemon that has it alone."""
    found = {}
    for letter, policy in VERSIONS.items():
        daemon = Daemon("--unix", "alone.sock", program=LIMEND, policy=policy, listen=False)
        found[letter] = {name: [[json.loads(line) for line in
                                 talk(way("alone.sock"), QUESTIONS[name]).body.splitlines()]]
                         for name in ASKED}
        daemon.end()
    check_known(found)
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


class Client:
    """A process that asks all questions of 'judge' again and again until it is told to stop.

    Of those recorded it asks the next one each time.  'in_force', if it is given, is
    shared: 1 + the number of the load that alone is in force, the even ones of "A", or
    0 while that is not known.
    """

    def __init__(self, connect, judge, fresh=False, in_force=None):
        self.connect = connect
        self.judge = judge
        self.fresh = fresh
        self.in_force = in_force
        self.asked = processes.Value("L", 0, lock=False)
        self.stop = processes.Event()
        self.mine, theirs = processes.Pipe(False)
        self.process = processes.Process(target=self.run, args=(theirs,))
        self.process.daemon = True
        self.process.start()
        theirs.close()

    def order(self):
        """The names of what to ask, for ever."""
        names = list(self.judge.known["A"])
        recorded = [name for name in names if name in RECORDED]
        number = 0
        while True:
            yield from (name for name in names if name not in RECORDED)
            if recorded:
                yield recorded[number % len(recorded)]
            number += 1

    def exchange(self, text):
        """Sends and returns the answer, or why there is none."""
        try:
            self.connection = self.connection or self.connect()
            self.connection.sendall(text)
            return read_answer(self.connection) or "the connection ended"
        except OSError as error:
            return repr(error)

    def ask(self, name, counts):
        mark = "%016x" % (os.getpid() << 40 | self.asked.value)
        text = QUESTIONS[name].replace(MARK.encode(), mark.encode())
        before = self.in_force.value if self.in_force else 0
        sent = time.monotonic()
        found = self.exchange(text)
        answered = time.monotonic()
        after = self.in_force.value if self.in_force else 0
        self.asked.value += 1
        counts["slowest"] = max(counts["slowest"], answered - sent)
        if not isinstance(found, Answer):
            counts["lost"].append("%s: %s" % (name, found))
            self.drop()
            return
        known = "BA"[before % 2] if before and before == after else None
        body = found.body.replace(mark, MARK)
        self.count(name, found, body, known, counts)
        if BUCKETS[name]:
            counts["takes"].setdefault(BUCKETS[name], Takes(**EVENTS)).add(
                sent, answered, self.judge.judge(name, body).refused)

    def count(self, name, found, body, known, counts):
        if found.status != 200 or not self.judge.is_right(name, body, known):
            counts["wrong"].append("%s, in force %s: %r" % (name, known, found))
            self.drop()
            return
        counts["answers"] += 1
        letters = self.judge.judge(name, body).letters
        for letter in letters if len(letters) == 1 else ():
            counts[letter] += 1

    def drop(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def run(self, out):
        counts = no_counts()
        self.connection = None
        order = self.order()
        first = next(order)
        name = first
        while not self.stop.is_set() and len(counts["wrong"]) + len(counts["lost"]) <= 20:
            self.ask(name, counts)
            name = next(order)
            if self.fresh and name == first:
                self.drop()
        out.send(counts)

    def end(self):
        self.stop.set()
        try:
            found = self.mine.recv() if self.mine.poll(PATIENCE) else None
        except EOFError:
            found = None
        self.process.join(PATIENCE)
        return found or dict(no_counts(), lost=["the client died"])


def no_counts():
    return {"answers": 0, "A": 0, "B": 0, "slowest": 0.0, "wrong": [], "lost": [], "takes": {}}
