# SPDX-License-Identifier: Apache-2.0
"""What fails around limend, for soak.py: a silent name server, a module and scripts that take long, Redis.

Strangers, whom a hint names and whom the other clients do not concern, meet these faults from an address
of their own.
"""
import threading

from tls_kit import *
from traffic import processes

REDIS = os.path.join(work, "redis.sock")
SOURCE = "127.0.0.2"
# Longer than what hangs, with the --timeout of ten seconds; threads that ask; the codes that may be answered.
SLEEP = 40
FAULTS = {"names": (30, {200}), "slow": (4, {500}), "redis": (2, {200, 403, 429, 500}), "sleep": (1, {200, 500})}
hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
hole.bind(("127.0.0.1", 0))

LIMITS = {
    "names": {"type": "jq", "data": {"script": "true"}},
    "slow": {"type": "jq", "data": {"script": "last(range(1e12))"}},
    "redis": {"type": "rate", "data": {"rate": "1/PT0.1S", "burst": 100, "key": ["requester"], "store": "faulty", "count": "both"}},
    "sleep": {"type": "verdict", "data": {"verdict": "pass", "sleep": "PT%dS" % SLEEP, "blocking": True}},
}


def with_faults(policy):
    """The policy, with what strangers may do; only those of 11.0.0.0/8 are looked up."""
    made = json.loads(json.dumps(policy))
    made["stores"] = {"faulty": {"type": "redis", "data": {"path": REDIS, "mode": "strict", "on-error": "deny",
                                                           "timeout": "PT1S", "connect-timeout": "PT1S"}}}
    made["identifiers"].append({"name": "unknown", "description": "U", "type": "ip-cymru-bogon", "data": {
        "exclude": ["0.0.0.0/5", "12.0.0.0/6", "16.0.0.0/4", "32.0.0.0/3", "64.0.0.0/2", "128.0.0.0/1", "::/0"],
        "fail-result": True, "timeout": "PT1S", "server": "127.0.0.1:%d" % hole.getsockname()[1]}})
    for fault, limit in LIMITS.items():
        made["identifiers"].append({"name": fault, "description": "F", "type": "hint", "data": {
            "hint": "fault", "match": {"style": "exact", "match": fault}}})
        made["classifiers"].append({"name": fault, "description": "F", "require": "all",
                                    "identifiers": [fault] + ["unknown"] * (fault == "names")})
        made["limits"].append(dict(limit, name=fault, description="F"))
        made["applications"].append({"description": "Fault " + fault, "classifier": fault,
                                     "apply": [{"require": "all", "limits": [fault]}]})
    return made


def connect(port):
    made = socket.create_connection(("127.0.0.1", port), PATIENCE, (SOURCE, 0))
    return client_of(certificate="client").wrap_socket(made, server_hostname="localhost")


def may_answer(fault, found):
    """A busy machine may leave a script without a processor until its deadline: then it is refused."""
    return found["code"] in FAULTS[fault][1] or (
        fault == "names" and found["code"] == 500 and found["reason"].endswith("took longer than PT1S"))


def ask_on(port, stop, fault, first, counts):
    """Asks until it is told to stop, each time for another requester where names are looked up."""
    connection = None
    number = first << 16
    while not stop.is_set():
        number += 1
        address = "11.%d.%d.%d" % (number >> 16, number >> 8 & 255, number & 255)
        body = {"task": {"test": {"type": "rtt", "spec": {}}},
                "hints": {"fault": fault, "requester": address if fault == "names" else "198.51.100.7"}}
        try:
            connection = connection or connect(port)
            connection.sendall(request("POST", "/v1/decide", json.dumps(body).encode(),
                                       ["Content-Type: application/json"]))
            answer = read_answer(connection)
        except OSError as error:
            answer = error
        found = answer.json() if isinstance(answer, Answer) and answer.status == 200 else None
        if found is None:
            counts["lost" if answer is None or isinstance(answer, OSError) else "wrong"].append(
                "%s: %r" % (fault, answer))
            connection = None
        elif not may_answer(fault, found) or found["admitted"] != (found["code"] == 200):
            counts["wrong"].append("%s: %r" % (fault, answer))
        else:
            counts.setdefault("%s %d" % (fault, found["code"]), []).append(1)


def tell_redis(line):
    with socket.socket(socket.AF_UNIX) as made:
        try:
            made.connect(REDIS)
            made.sendall(line + b"\r\n")
            return made.recv(100)
        except OSError:
            return b""


def trouble_redis(stop):
    """Fills it, and kills it, again and again."""
    while not stop.is_set():
        server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", REDIS, "--dir", work, "--save", ""],
                                  stdout=subprocess.DEVNULL)
        for line in (b"CONFIG SET maxmemory 0", b"CONFIG SET maxmemory 1", b"CONFIG SET maxmemory 0"):
            stop.wait(3)
            tell_redis(line)
        stop.wait(3)
        server.kill()
        server.wait()
        stop.wait(3)


def run(port, stop, out):
    counts = {"wrong": [], "lost": []}
    threads = [threading.Thread(target=ask_on, args=(port, stop, fault, i, counts))
               for fault, (number, _) in FAULTS.items() for i in range(number)]
    threads.append(threading.Thread(target=trouble_redis, args=(stop,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.send({name: found if name in ("wrong", "lost") else len(found) for name, found in counts.items()})


class Faults:
    """A process that makes them until it is ended."""

    def __init__(self, port):
        self.stop = processes.Event()
        self.mine, theirs = processes.Pipe(False)
        self.process = processes.Process(target=run, args=(port, self.stop, theirs))
        self.process.start()

    def end(self):
        """Returns how many answers each fault had, by code, and what was wrong or lost."""
        self.stop.set()
        return self.mine.recv() if self.mine.poll(SLEEP + PATIENCE) else {"wrong": [], "lost": ["all faults"]}
