# SPDX-License-Identifier: Apache-2.0
"""Large bodies of many clients in little memory: 503 or an error, never a wrong yes, and no end."""
import resource
import threading

from kit import *

if os.environ.get("SANITIZE_CFLAGS", "").strip() or "LIMEND_LAB" in os.environ:
    print("1..0 # SKIP what watches limend needs memory of its own")
    sys.exit(0)

CLIENTS = 24
ROUNDS = 4
POLICY = dict(PASSING, limits=[{"name": "rtt", "type": "test-type", "data": {"types": ["rtt"]}}],
              applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["rtt"]}]}])


def question(kind, size):
    """A task of about 'size' bytes, of long texts and of many values."""
    spec = {"text": "x" * (size // 2), "values": [1] * (size // 6)}
    return request("POST", "/v1/decide", json.dumps({"task": {"test": {"type": kind, "spec": spec}}}).encode(),
                   ["Content-Type: application/json"])


QUESTIONS = [("rtt", question("rtt", 1 << 20)), ("trace", question("trace", 1 << 20)),
             ("rtt", question("rtt", 2 << 20)), ("trace", question("trace", 2 << 20))]


def is_right(kind, answer):
    """No answer, no decision, an error, or what the policy says."""
    if answer is None or answer.status >= 500:
        return True
    made = answer.json()
    return answer.status == 200 and made["admitted"] == (made["code"] == 200) and \
        made["code"] in ((200, 500) if kind == "rtt" else (403, 500))


def start(megabytes, policy):
    most = megabytes << 20
    # What other arenas of malloc() reserve counts as taken.
    return Daemon(program=LIMEND, policy=policy, env=dict(os.environ, MALLOC_ARENA_MAX="1"),
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))


def run(megabytes):
    daemon = start(megabytes, POLICY)
    found = []

    def ask_on(number):
        for i in range(ROUNDS):
            kind, text = QUESTIONS[(number + i) % len(QUESTIONS)]
            try:
                found.append((kind, ask(daemon, text)))
            except OSError:
                found.append((kind, None))

    clients = [threading.Thread(target=ask_on, args=(i,)) for i in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    wrong = [(kind, answer.body[:300]) for kind, answer in found if not is_right(kind, answer)]
    statuses = [answer and answer.status for _, answer in found]
    shown = {status: statuses.count(status) for status in set(statuses)}
    print("# %d MiB: %r" % (megabytes, shown), flush=True)
    is_equal("%d MiB: nobody is told anything wrong" % megabytes, wrong, [])
    is_true("%d MiB: limend goes on" % megabytes, daemon.process.poll() is None,
            "%r %s" % (daemon.process.poll(), daemon.said()[-2000:]))
    small = question("rtt", 100)
    is_true("%d MiB: small requests are decided afterwards" % megabytes,
            wait_for(lambda: (lambda found: found and found.status == 200)(ask(daemon, small)), 5))
    daemon.end()
    return shown


found = [run(megabytes) for megabytes in (300, 375, 450)]
is_true("bodies that cannot be stored are 503", any(one.get(503) for one in found), found)

# Decisions about large bodies that wait together for a name server: each claims forty times its bytes.
MEGABYTES = 700
hole = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
hole.bind(("127.0.0.1", 0))
daemon = start(MEGABYTES, dict(POLICY, identifiers=[{"name": "all", "description": "", "type": "ip-cymru-bogon", "data": {
    "fail-result": True, "timeout": "PT3S", "server": "127.0.0.1:%d" % hole.getsockname()[1]}}]))
connections = [daemon.connect() for _ in range(60)]
for connection in connections:
    connection.sendall(QUESTIONS[0][1])
found = [(answer and answer.status, answer and answer.json()["code"]) for answer in map(read_answer, connections)]
shown = {one: found.count(one) for one in found}
print("# %r" % shown, flush=True)
is_true("decisions that wait together have the memory that they need, or are 503",
        set(shown) == {(200, 200), (503, 503)} and shown[200, 200] <= MEGABYTES / 40, shown)
is_equal("and limend goes on", daemon.end(), 0)
finish()
