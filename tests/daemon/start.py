# SPDX-License-Identifier: Apache-2.0
"""A start that takes long answers probes, and one without its policy's server takes the last policy."""
from policy_server import *


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def probe(port, path, part="status"):
    """The status of a probe, or its body; None while nothing listens."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            connection.sendall(request("GET", path))
            answer = read_answer(connection)
            return answer and getattr(answer, part)
    except ConnectionRefusedError:
        return None


# ---- a policy that takes long to come ----

server = PolicyServer(policy=threading.Event())
silent = server.pages["policy"]
url = server.url("policy")
port = free_port()
daemon = Daemon("--policy", url, "--health-listen", "127.0.0.1:%d" % port, program=LIMEND, policy=None,
                wait=False)
server.is_asked("policy", 1)
is_equal("/livez is answered while the policy is fetched", wait_for(lambda: probe(port, "/livez")), 200)
is_equal("/readyz fails until it is there", probe(port, "/readyz"), 503)
is_true("/metrics is answered, too", probe(port, "/metrics") == 200)
is_true("and no decisions are served yet", not os.path.exists(daemon.addresses))
server.pages["policy"] = PASSING
daemon.signal(signal.SIGTERM)
is_equal("it ends at once", daemon.wait(), 0)
silent.set()

# ---- a list that takes long to come ----

server.pages["list"] = silent = threading.Event()
source = {"source": server.url("list"), "update": "P1D", "retry": "PT1H"}
daemon = Daemon("--health-listen", "127.0.0.1:%d" % port, program=LIMEND, wait=False,
                policy=dict(PASSING, identifiers=PASSING["identifiers"] + [
                    {"name": "list", "type": "ip-cidr-list-url", "data": source}]))
server.is_asked("list", 1)
with open(os.path.join(os.environ["LIMEN_SRCDIR"], "docs/observability.md")) as file:
    shown = re.search(r"^\[\+\]ping .*?(?=^```)", file.read(), re.M | re.S)[0]
is_equal("/readyz says what docs/observability.md shows", probe(port, "/readyz", "body"), shown)
daemon.signal(signal.SIGTERM)
daemon.wait()
silent.set()

# ---- a policy whose server is down at a start ----


def start(*options, **more):
    return Daemon("--policy", url, "--cache-dir", "cache", "--policy-refresh=1", *options, program=LIMEND,
                  policy=None, **more)


KEPT = "is used until its URL gives another one"
daemon = start()
is_equal("it decides by what it has fetched", admits(daemon), True)
is_true("and keeps the text for itself", [os.stat(os.path.join("cache", name)).st_mode & 0o777
                                          for name in os.listdir("cache")] == [0o600])
daemon.end()
for name, page, words in (("whose server is down", 503, "Status 503"),
                          ("which has faults", dict(PASSING, schema=99), "At /schema")):
    server.pages["policy"] = page
    daemon = start()
    is_equal("after a start with a policy %s the last good one decides" % name, admits(daemon), True)
    is_true("which the log says, with the reason", KEPT in daemon.said() and words in daemon.said(),
            daemon.said())
    is_true("the failure is counted, and so are those that follow",
            wait_for(lambda: loads(daemon)[1] >= 2), loads(daemon))
    is_equal("and told once", daemon.said().count(words), 1)
    server.pages["policy"] = REFUSING
    is_true("a good policy comes into force", comes_to(daemon, False), daemon.said())
    server.pages["policy"] = PASSING
    is_true("and so does the one after", comes_to(daemon, True), daemon.said())
    daemon.end()

server.pages["policy"] = 503
found = subprocess.run([LIMEND, "--check", "--policy", url, "--cache-dir", "cache"], capture_output=True,
                       text=True, timeout=PATIENCE)
is_true("--check says that the policy cannot be fetched",
        found.returncode == 2 and "Status 503" in found.stderr, found)
os.chmod("cache", 0o777)
is_equal("a cache that others may write to is not used", start().wait(), 2)
os.chmod("cache", 0o700)
url = server.url("other")
is_equal("nor is what came from another URL", start().wait(), 2)

# ---- systemd ----

with open(os.path.join(os.environ["LIMEN_SRCDIR"], "deploy/systemd/limend.service.in")) as file:
    unit = file.read().split("[Service]")[0]
is_true("systemd starts it again as often as it takes", "\nStartLimitIntervalSec=0\n" in unit, unit)
finish()
