# SPDX-License-Identifier: Apache-2.0
"""The pictures of README.md and of the pages: the console under a mixed load, and a graph.

"make pictures" has two minutes of load, so that the charts are full, and writes the pictures to
docs; without LIMEN_PICTURES, a directory, they are made of some seconds and thrown away.  A page
may show no other pictures than these and those of MAKERS.
"""
import html
import itertools
import random
import struct
import threading

from browser import *
from kit import *

SOURCE = os.environ["LIMEN_SRCDIR"]
PLACE = os.environ.get("LIMEN_PICTURES")
SECONDS = 130 if PLACE else 2
MOST_BYTES = 200000
MADE = ["console-light.png", "console-decisions.png", "console-playground.png", "graph.svg"]
# Pictures of other programs, with numbers of their own.
MAKERS = {"internals/rooms.svg": "build-aux/draw-rooms", "soak.svg": "tests/daemon/soak_plot.py",
          "performance/": "tests/bench/plots.py"}
# Drawn by hand: the names in it stand on the page that shows it.
DRAWN = "words.svg"

POLICY = """identifiers:
  - { name: partners, type: ip-cidr-list, data: { cidrs: [ 198.51.100.0/24 ] } }
  - { name: others, type: always }
limits:
  - { name: per-client, type: rate, data: { rate: 20/min, key: [ requester ] } }
  - { name: light, type: test-type, data: { types: [ rtt, trace, latency ] } }
applications:
  - { description: Partners, identifier: partners, apply: [] }
  - { description: Measurements, identifier: others, apply: [ light, per-client ] }
admission:
  - { name: memory, plugin: LimitRanger, data: { manifests: [ %s ] } }
  - { name: stricter, plugin: LimitRanger, enforce: warn, data: { manifests: [ %s ] } }
  - { name: event-rates, plugin: EventRateLimit, data: { limits: [ { type: Namespace, qps: 2, burst: 4 } ] } }
""" % tuple(",\n    ".join(
    "{ apiVersion: v1, kind: LimitRange, metadata: { name: %s, namespace: team-%d }, "
    "spec: { limits: [ { type: Container, max: { %s }, default: { %s } } ] } }" % (name, i, bound, bound)
    for i in range(5)) for name, bound in (("mem", "memory: 1Gi"), ("cpu", "cpu: 1")))
POD = """apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: team-0
spec:
  containers:
  - name: app
    image: nginx
    resources:
      limits: {memory: 8Gi}
"""


def pages():
    for folder in ("docs", "plugins"):
        for root, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in names:
                if name.endswith(".md"):
                    yield os.path.join(root, name)
    yield os.path.join(SOURCE, "README.md")


shown = {}  # path below docs -> page
for page in pages():
    with open(page) as file:
        for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", file.read()):
            path = os.path.normpath(os.path.join(os.path.dirname(page), path))
            shown[os.path.relpath(path, os.path.join(SOURCE, "docs"))] = page
for path, page in sorted(shown.items()):
    maker = next((maker for begin, maker in MAKERS.items() if path.startswith(begin)), None)
    is_true("%s is made by a program" % path, path in [*MADE, DRAWN] or
            maker and os.path.exists(os.path.join(SOURCE, maker)), "%s shows it" % page)
    full = os.path.join(SOURCE, "docs", path)
    is_true("  and is small", os.path.getsize(full) <= MOST_BYTES, os.path.getsize(full))
is_equal("all that are made are shown", [name for name in MADE if name not in shown], [])


def read(name):
    with open(os.path.join(SOURCE, name)) as file:
        return file.read()


def texts_of(picture):
    return sorted(html.unescape(text) for text in re.findall(r"(?:<text[^>]*>|xlink:title=\")([^<\"]*)", picture))


page = read("docs/words.md").replace("`", "") + read("README.md")
is_equal("the names in %s are those of its page" % DRAWN, [
    text for text in texts_of(read("docs/" + DRAWN)) if not text.endswith(".") and
    any(word not in page for word in text.split())], [])

# ---- the graph ----


if not shutil.which("dot"):
    skip("graph.svg is today's", "no dot (graphviz)")
else:
    graph = subprocess.run([os.environ["LIMEN"], "graph", "--format", "svg", "conf.d", "--request",
                            "docs/examples/tasks/greedy-throughput.json", "--hint", "requester=198.51.100.7"],
                           cwd=SOURCE, capture_output=True, text=True, check=True).stdout
    if PLACE:
        with open(os.path.join(PLACE, "graph.svg"), "w") as file:
            file.write(graph)
    is_equal("graph.svg is today's (make pictures)", texts_of(read("docs/graph.svg")), texts_of(graph))

# ---- the console ----

browser = browse("the console in a browser")

os.mkdir("policy")
write("policy/limits.yaml", POLICY)
daemon = Daemon("--ui-listen", "127.0.0.1:0", "--trust-hints-from", "127.0.0.1", "--recent-documents",
                "--module-path", os.path.join(os.environ["LIMEN_BUILDDIR"], "plugins"), "--policy",
                "policy/limits.yaml", policy=None, program=LIMEND)
dice = random.Random(1)


def review(kind, number):
    team = "team-%d" % dice.randrange(5)
    if kind == "Pod":
        limits = {"cpu": dice.choice(["500m"] * 8 + ["2"]), "memory": dice.choice(["512Mi"] * 6 + ["2Gi"])}
        made = {"metadata": {"name": "web-%d" % number, "namespace": team, "ownerReferences": [
            {"kind": "ReplicaSet", "name": "web-%d" % (number % 4), "controller": True}]},
                "spec": {"containers": [{"name": "app", "image": "a", "resources": {"limits": limits}}]}}
    else:
        made = {"metadata": {"name": "e%d" % number, "namespace": team},
                "involvedObject": {"kind": "Pod", "name": "p", "namespace": team}}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": str(number), "name": made["metadata"]["name"], "namespace": team, "operation": "CREATE",
        "kind": {"group": "", "version": "v1", "kind": kind},
        "resource": {"group": "", "version": "v1", "resource": kind.lower() + "s"},
        "userInfo": {"username": "system:serviceaccount:kube-system:replicaset-controller"},
        "object": dict(made, apiVersion="v1", kind=kind)}}


def task():
    requester = dice.choice(["198.51.100.%d", "192.0.2.%d"]) % dice.randrange(8)
    return {"task": {"test": {"type": dice.choice(["rtt", "rtt", "trace", "throughput"]), "spec": {}}},
            "hints": {"requester": requester}}


stopped = threading.Event()


def send_all():
    """About sixty requests a second, with pauses of random length between them."""
    with daemon.connect() as connection:
        for number in itertools.count():
            kind = dice.choice(["task", "Pod", "Pod", "Event"])
            path, body = ("/v1/decide", task()) if kind == "task" else ("/admission/validate", review(kind, number))
            connection.sendall(request("POST", path, json.dumps(body).encode(), ["Content-Type: application/json"]))
            read_answer(connection)
            if stopped.wait(dice.expovariate(60)):
                return


sender = threading.Thread(target=send_all)
sender.start()


def take(name):
    picture = browser.picture()
    width, height = struct.unpack(">II", picture[16:24])
    is_true("%s is a picture" % name, picture[1:4] == b"PNG" and width == 1280 and height > 700, (width, height))
    is_true("  and small", len(picture) <= MOST_BYTES, len(picture))
    if PLACE:
        with open(os.path.join(PLACE, name), "wb") as file:
            file.write(picture)


browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"},
                                                         {"name": "prefers-reduced-motion", "value": "reduce"}])
browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=860, deviceScaleFactor=1, mobile=False)
browser.open(daemon.urls[-1] + "/#now")
is_true("charts of decisions, latency and events", browser.wait_for(
    "return [...document.querySelectorAll('.chart')].filter((chart) => !chart.hidden).length === 3"))
time.sleep(SECONDS)
take("console-light.png")
browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=780, deviceScaleFactor=1, mobile=False)
browser.run("location.hash = 'decisions'")
ROW = ("return [...document.querySelectorAll('#decision-table tr.entry')].find("
       "(row) => row.textContent.includes('maximum memory'))")
is_true("a refusal of a pod", browser.wait_for(ROW + " !== undefined"))
browser.run(ROW.replace("return ", "", 1) + ".querySelector('button.opens').click()")
is_true("opens", browser.wait_for("return (document.querySelector('#decision-table tr.details') || {textContent: ''})"
                                  ".textContent.includes('Would pass')"))
take("console-decisions.png")
browser.run("location.hash = 'playground'")
browser.set("#request", POD)
browser.click("#try button[type=submit]")
is_true("the playground refuses", browser.wait_for(
    "return document.getElementById('verdict').textContent.startsWith('Refused (403)')"))
take("console-playground.png")
is_equal("no error in the page", browser.messages(), [])
stopped.set()
sender.join()
browser.end()
daemon.end()
finish(by_status=PLACE is not None)
