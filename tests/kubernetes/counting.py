# SPDX-License-Identifier: Apache-2.0
"""Several replicas and one count: the component redis, with a real Redis."""
from concurrent.futures import ThreadPoolExecutor

from node import *
import events
from service import own_address

BURST = 40
# A generator runs before the components of its own kustomization, so it stands in one above.
OVERLAY = """kind: Kustomization
resources: [../%s]
configMapGenerator:
- name: limen-policy
  behavior: merge
  files: [events.yaml]
"""
# One token a second is the slowest there is.
REDIS = """kind: Kustomization
resources: [../events]
components: [../../components/redis]
"""
POLICY = """admission:
- name: event-rates
  plugin: EventRateLimit
  data:
    limits:
    - {type: User, qps: 1, burst: %d}
""" % BURST


def start_redis():
    port = free_ports(1)[0]
    process = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1",
                                "--save", "", "--appendonly", "no"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(process.terminate)
    os.environ["LIMEN_TEST_REDIS"] = "redis://127.0.0.1:%d" % port


def write_overlay(managed, name, text):
    directory = os.path.join(managed.clone, "deploy/kubernetes/overlays", name)
    os.makedirs(directory)
    for file, content in (("kustomization.yaml", text), ("events.yaml", POLICY)):
        with open(os.path.join(directory, file), "w") as out:
            out.write(content)
    return "deploy/kubernetes/overlays/" + name


def ready(managed, node, number=2):
    """Waits for pods of the overlay that was applied last."""
    managed.sh("kubectl rollout status -n limen deployment/limend --timeout=60s")
    return wait_for(lambda: len(node.pods) == number == len(node.served or ()) and
                    all(one.is_ready for one in node.pods.values()))


def flood(managed, user, number):
    """Sends events at once, over many connections: how many pass, and in how many seconds."""
    def send(one):
        return managed.create("shop", "events", events.event("shop", "%s.%d" % (user, one)),
                              user=user)[0]
    begin = time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        passed = list(pool.map(send, range(number))).count(201)
    return passed, time.monotonic() - begin


def check(managed):
    address = own_address()
    if shutil.which("redis-server") is None or address is None:
        skip("several replicas and one count", "there is no redis-server, or no address")
        return
    start_redis()
    managed.does("an overlay with rates that refuse", "kubectl apply -k " +
                 write_overlay(managed, "alone", OVERLAY % "events"))
    node = Node(managed, address)
    node.start()
    is_true("  has two replicas", ready(managed, node))
    passed, seconds = flood(managed, "alone", 3 * BURST)
    is_true("  which count for themselves: up to twice the burst passes",
            BURST <= passed <= 2 * (BURST + seconds + 1), (passed, seconds))
    write_overlay(managed, "shared", REDIS)
    managed.does("with the component redis", "kubectl apply -k " +
                 write_overlay(managed, "together", OVERLAY % "shared"))
    is_true("  there are two replicas again", ready(managed, node))
    begin = time.monotonic()
    passed, seconds = flood(managed, "together", 3 * BURST)
    is_true("  which share one count", BURST <= passed <= BURST + seconds + 1, (passed, seconds))
    managed.does("a rolling restart",
                 "kubectl rollout restart -n limen deployment/limend")
    is_true("  replaces both", ready(managed, node))
    again = flood(managed, "together", 3 * BURST)[0]
    seconds = time.monotonic() - begin
    is_true("  and loses no count", passed + again <= BURST + seconds + 1,
            (passed, again, seconds))
    node.stop()
    managed.sh("kubectl delete -k deploy/kubernetes/overlays/together --wait=false; "
               "kubectl delete pods -n limen --all --force --grace-period=0")
